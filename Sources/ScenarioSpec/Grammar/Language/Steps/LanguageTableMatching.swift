import Values

extension LanguageTable {
  package static let entry = MappingRule(
    .entry, title: "An entry of an `expect` list",
    "One awaited event: its source with a matcher, and options. Or a group in any order.",
    otherKey: OtherKey(
      placeholder: "SOURCE", kind: .address, shape: .matcher,
      text: "The source, and what its event looks like; here a list is a list value.",
      example: "{ fact: Cats sleep }"),
    keys: [
      KeyRule(
        .after, .duration, "The time since the entry before, in virtual time exactly.",
        example: "200ms"),
      KeyRule(
        .within, .duration, "The longest time since the entry before, in place of the timeout.",
        example: "10s"),
      KeyRule(.skip, .bool, "Passes over events of the source until one matches.", example: "true"),
      KeyRule(
        .since, .name, "The mark of the entry from which time is measured.", example: "asked"),
      KeyRule(.mark, .name, "Names the entry for `since`.", example: "asked"),
      KeyRule(.times, .integer(1...1_000_000), "How many events in a row match.", example: "3"),
      KeyRule(
        .anyOrder, .list(.mapping(.entry)), "Entries that come in any order among themselves.",
        example: "[{ count: 1 }, { total: 1 }]"),
    ])

  package static let operators = MappingRule(
    .operators, title: "Operators of matchers",
    "A map whose keys begin with `$` describes a value; all of its operators must hold.",
    needs: [
      Need(
        key: .secretOperator, oneOf: [.asOperator, .regexOperator], pointsAtKey: true)
    ],
    keys: [
      KeyRule(.anyOperator, .flag, "Matches any value.", example: "true"),
      KeyRule(
        .exactlyOperator, .value, "Equal, with nothing more in maps than is written.",
        example: "{ id: 1 }"),
      KeyRule(
        .regexOperator, .text,
        "Text in which the regular expression is found. Its named groups, `(?<id>[0-9]+)`, are "
          + "captures.",
        example: "'^Cats '"),
      KeyRule(
        .startsWithOperator, .scalar, "Text that begins with this.", example: "'Cats '"),
      KeyRule(.endsWithOperator, .scalar, "Text that ends with this.", example: "sleep"),
      KeyRule(
        .jsonOperator, .matcher, "Text that is JSON, and what it stands for.",
        example: "{ id: 1 }"),
      KeyRule(
        .textOperator, .matcher, "The payload as it was sent, before it was decoded.",
        example: "'{\"id\":1}'"),
      KeyRule(.greaterOperator, .value, "Greater than this.", example: "3"),
      KeyRule(.atLeastOperator, .value, "Greater than this, or equal.", example: "3"),
      KeyRule(.lessOperator, .value, "Less than this.", example: "3"),
      KeyRule(.atMostOperator, .value, "Less than this, or equal.", example: "3"),
      KeyRule(.inOperator, .list(.matcher), "Matches one of these.", example: "[red, green]"),
      KeyRule(
        .notOperator, .matcher,
        "Does not match this. An absent entry fits where a matcher selects (`match`, `never`, "
          + "`when`), and not where one demands (`expect`).",
        example: "{ status: 200 }"),
      KeyRule(
        .sizeOperator, .matcher, "The length of a text, list or map.", example: "{ $gte: 1 }"),
      KeyRule(
        .containsOperator, .matcher, "A list with a matching element, or a text with this in it.",
        example: "{ id: 1 }"),
      KeyRule(
        .likeOperator, .value,
        "Of the same type: any number for a number, any text for text, anything for null. A map "
          + "has these keys, with values of these types; a list has elements of these types.",
        example: "{ id: 7, title: Write }"),
      KeyRule(
        .eachLikeOperator, .value,
        "A list of one element or more, each of the type of this one.",
        example: "{ id: 7, title: Write }"),
      KeyRule(
        .exampleOperator, .value,
        "What a mock sends, where `$match` beside it says what a real endpoint may send. An "
          + "expectation looks at `$match` alone.", example: "2026-01-05"),
      KeyRule(
        .fileOperator, .text,
        "What a file of JSON or YAML holds, with `${…}` in it. It can be used wherever a value "
          + "can, also in messages.", example: "order.json"),
      KeyRule(
        .typeOperator, typeWords, "A value of this type; an `int` is a `number`, too.",
        example: "text"),
      KeyRule(
        .absentOperator, .flag, "An entry that the map does not have.", example: "true"),
      KeyRule(
        .eachOperator, .matcher, "A list whose elements all match; an empty list does.",
        example: "{ id: { $gt: 0 } }"),
      KeyRule(
        .anyOrderOperator, .list(.matcher), "A list of just these elements, in any order.",
        example: "[{ id: 2 }, { id: 1 }]"),
      KeyRule(
        .whereOperator, .expression, "An expression over `value` that holds.",
        example: "value > 3"),
      KeyRule(
        .asOperator, .name, "Captures the value for later `${name}`.", example: "token"),
      KeyRule(
        .secretOperator, .bool, "Masks what `$as` or `$regex` beside it captures.",
        example: "true"),
      KeyRule(
        .matchOperator, .matcher, "A matcher that holds besides the other operators.",
        example: "{ id: 1 }"),
      KeyRule(
        .schemaOperator, .literal,
        "A JSON Schema that the value satisfies: written here, or the path of a file, relative to "
          + "the folder of this one.", example: "{ type: object, required: [id] }"),
    ])

  static let typeWords = Shape.words(TypeName.allCases.map(\.rawValue))

  /// The words that are options of entries and so cannot name a source.
  package static let entryOptions = entry.keys.map(\.name)
  /// The options of an entry that the map form of `expect` does not have.
  static let optionsOfListForm = Set(entryOptions).subtracting([Key.anyOrder.rawValue])
}
