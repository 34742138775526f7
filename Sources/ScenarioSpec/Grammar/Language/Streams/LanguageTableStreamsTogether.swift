/// The operators that use other streams or providers, and those about subscriptions.
extension LanguageTable {
  static let severalOperators: [StreamOperatorRule] = [
    values(
      .prepend, "Values before the first: one, a list, or the values of another stream.",
      follows: .instead
    ) { $0.values({ .prepend($0) }, orThoseOf: { .prependStream($0) }) },
    values(
      .append, "Values after the end: one, a list, or the values of another stream.",
      follows: .later
    ) { $0.values({ .append($0) }, orThoseOf: { .appendStream($0) }) },
    StreamOperatorRule(
      .several,
      KeyRule(
        .merge, .anyOf([inputShape, .list(inputShape)]), "Adds what other sources emit, unchanged.",
        example: "[b, c]", required: true),
      forms: ["merge: b", "merge: [b, c]"], follows: .after,
      read: { $0.inputs.map { .merge($0) } }),
    several(
      .combineLatest,
      "The latest value of this stream and of others, whenever one emits: a list that this one "
        + "begins, or a map in which it is `value`."
    ) { .combineLatest($0, labels: $0.labels) },
    several(
      .zip,
      "The first values of this stream and of others, then the second ones: a list that this one "
        + "begins, or a map in which it is `value`."
    ) { .zip($0, labels: $0.labels) },
    StreamOperatorRule(
      .several,
      KeyRule(
        .withLatest, inputShape,
        "Each value together with the latest of another source: `[value, other]`.", example: "b",
        required: true),
      forms: ["withLatest: b", "withLatest: { source: b, map: value.name }"], follows: .before,
      read: { $0.input.map { .withLatest($0) } }),
  ]

  static let callOperators: [StreamOperatorRule] = [
    call(.switch, .latest, "Calls for each value; a new value cancels the call before."),
    call(
      .flatMap, .merged(max: nil), "Calls for each value; the calls run side by side.",
      with: [
        KeyRule(.max, .integer(1...Int.max), "The most calls at a time.", example: "2")
      ], form: "{ flatMap: hits, max: 2 }"),
    call(.concatMap, .oneByOne, "Calls for each value, one call after the other; values wait."),
    call(
      .exhaust, .first, "Calls for a value, and leaves out those that come while the call runs."),
  ]

  static let sharingOperators: [StreamOperatorRule] = [
    .word(.sharing, .share, .share, "Subscribes once for all subscribers.", emits: .same),
    StreamOperatorRule(
      .sharing,
      KeyRule(
        .buffer, .integer(1...Int.max), "Keeps up to this many values until they are asked for.",
        example: "10", required: true),
      with: [
        KeyRule(
          .whenFull, .words(["dropNewest", "dropOldest", "fail"]),
          "What happens to one value too many. The default is `dropNewest`.", example: "dropOldest")
      ], forms: ["buffer: 10", "{ buffer: 10, whenFull: dropOldest }"], emits: .same,
      read: \.buffer),
  ]

  private static func values(
    _ verb: Key, _ text: String, follows: StreamOperatorRule.Following,
    read: @escaping StreamOperatorRule.Reading
  ) -> StreamOperatorRule {
    StreamOperatorRule(
      .several, KeyRule(verb, .value, text, example: "[1, 2]", required: true),
      forms: ["\(verb.rawValue): [1, 2]", "\(verb.rawValue): { stream: b }"], follows: follows,
      read: read)
  }

  private static func several(
    _ verb: Key, _ text: String,
    _ make: @escaping @Sendable ([InputSpec]) -> StreamOperator<Written>
  ) -> StreamOperatorRule {
    StreamOperatorRule(
      .several,
      KeyRule(
        verb, .anyOf([inputShape, severalShape]), text, example: "[b, c]", required: true),
      forms: ["\(verb.rawValue): b", "\(verb.rawValue): [b, c]", "\(verb.rawValue): { left: b }"],
      follows: .after, read: { $0.inputs.map(make) })
  }

  private static func call(
    _ verb: Key, _ calls: Flattening, _ text: String, with companions: [KeyRule] = [],
    form: String? = nil
  ) -> StreamOperatorRule {
    StreamOperatorRule(
      .calls,
      KeyRule(
        verb, .anyOf([.address, .mapping(.call), .list(.mapping(.callChoice))]), text,
        example: "hits", required: true),
      with: companions,
      forms: [
        "\(verb.rawValue): hits", "\(verb.rawValue): { provider: hits, with: { page: 1 } }",
        "\(verb.rawValue): [{ when: value > 9, stream: many }, { stream: few }]",
      ] + (form.map { [$0] } ?? []), read: { $0.calls(calls) })
  }
}
