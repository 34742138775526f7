import Diagnostics
import Values

/// A keyword of schemas: the shape of its value, and the drafts it belongs to.
struct SchemaKeyword: Sendable {
  /// The shape of a keyword's value.
  enum Shape: Sendable {
    case schema, schemaList, schemaMap, patternMap, schemaOrList, schemaOrNames
    case count, number, positiveNumber
    case text, pattern, reference, name, flag, flags
    case typeNames, names, namesMap
    case list, anything
  }

  /// The groups in which a meta-schema enables keywords, by the last part of their URI. The group
  /// that validates formats is missing, because formats are not validated.
  enum Vocabulary: String, Sendable, CaseIterable {
    case core, applicator, unevaluated, validation, content
    case metaData = "meta-data"
    case formatAnnotation = "format-annotation"
  }

  let name: String
  let shape: Shape
  let vocabulary: Vocabulary
  let drafts: [SchemaDraft]

  init(
    _ name: String, _ shape: Shape, _ vocabulary: Vocabulary,
    _ drafts: [SchemaDraft] = SchemaDraft.allCases
  ) {
    self.name = name
    self.shape = shape
    self.vocabulary = vocabulary
    self.drafts = drafts
  }

  /// The keywords of a draft by their names.
  static func named(in draft: SchemaDraft) -> [String: SchemaKeyword] {
    switch draft {
    case .draft7: namedInDraft7
    case .draft2020: namedInDraft2020
    }
  }

  private static let namedInDraft7 = byName(.draft7)
  private static let namedInDraft2020 = byName(.draft2020)

  private static func byName(_ draft: SchemaDraft) -> [String: SchemaKeyword] {
    let keywords = all.filter { $0.drafts.contains(draft) }
    return Dictionary(uniqueKeysWithValues: keywords.map { ($0.name, $0) })
  }

  /// All keywords, in the order of the specifications.
  static let all: [SchemaKeyword] =
    core + applicators + validation + [
      SchemaKeyword("title", .text, .metaData),
      SchemaKeyword("description", .text, .metaData),
      SchemaKeyword("default", .anything, .metaData),
      SchemaKeyword("deprecated", .flag, .metaData, [.draft2020]),
      SchemaKeyword("readOnly", .flag, .metaData),
      SchemaKeyword("writeOnly", .flag, .metaData),
      SchemaKeyword("examples", .list, .metaData),
      SchemaKeyword("format", .text, .formatAnnotation),
      SchemaKeyword("contentEncoding", .text, .content),
      SchemaKeyword("contentMediaType", .text, .content),
      SchemaKeyword("contentSchema", .schema, .content, [.draft2020]),
    ]

  /// Words of OpenAPI and of drafts that are not read, which are near a keyword and none of ours.
  private static let foreign: Set<String> = [
    "example", "discriminator", "xml", "externalDocs", "nullable", "$recursiveRef",
    "$recursiveAnchor", "divisibleBy", "extends", "disallow", "optional", "comment",
  ]

  /// Returns the remark on a keyword that a draft does not have; nil for a keyword of another draft
  /// and for an extension.
  static func remark(onUnknown name: String, _ value: Value) -> SchemaRemark.Kind? {
    if name.hasPrefix("x-") || all.contains(where: { $0.name == name }) { return nil }
    // The name of a schema in draft 4.
    if name == "id", case .string = value { return .unknownKeyword(name, nearest: nil) }
    let nearest =
      foreign.contains(name) ? nil : nearestName(to: name, among: all.lazy.map(\.name))
    return .unknownKeyword(name, nearest: nearest)
  }

  private static let core = [
    SchemaKeyword("$schema", .reference, .core),
    SchemaKeyword("$id", .reference, .core),
    SchemaKeyword("$anchor", .name, .core, [.draft2020]),
    SchemaKeyword("$dynamicAnchor", .name, .core, [.draft2020]),
    SchemaKeyword("$ref", .reference, .core),
    SchemaKeyword("$dynamicRef", .reference, .core, [.draft2020]),
    SchemaKeyword("$vocabulary", .flags, .core, [.draft2020]),
    SchemaKeyword("$comment", .text, .core),
    SchemaKeyword("$defs", .schemaMap, .core, [.draft2020]),
    // Draft 2020-12 says that the older name and `dependencies` are still understood.
    SchemaKeyword("definitions", .schemaMap, .core),
  ]

  private static let applicators = [
    SchemaKeyword("prefixItems", .schemaList, .applicator, [.draft2020]),
    SchemaKeyword("items", .schema, .applicator, [.draft2020]),
    SchemaKeyword("items", .schemaOrList, .applicator, [.draft7]),
    SchemaKeyword("additionalItems", .schema, .applicator, [.draft7]),
    SchemaKeyword("contains", .schema, .applicator),
    SchemaKeyword("properties", .schemaMap, .applicator),
    SchemaKeyword("patternProperties", .patternMap, .applicator),
    SchemaKeyword("additionalProperties", .schema, .applicator),
    SchemaKeyword("propertyNames", .schema, .applicator),
    SchemaKeyword("dependentSchemas", .schemaMap, .applicator, [.draft2020]),
    SchemaKeyword("dependencies", .schemaOrNames, .applicator),
    SchemaKeyword("if", .schema, .applicator),
    SchemaKeyword("then", .schema, .applicator),
    SchemaKeyword("else", .schema, .applicator),
    SchemaKeyword("allOf", .schemaList, .applicator),
    SchemaKeyword("anyOf", .schemaList, .applicator),
    SchemaKeyword("oneOf", .schemaList, .applicator),
    SchemaKeyword("not", .schema, .applicator),
    SchemaKeyword("unevaluatedItems", .schema, .unevaluated, [.draft2020]),
    SchemaKeyword("unevaluatedProperties", .schema, .unevaluated, [.draft2020]),
  ]

  private static let validation = [
    SchemaKeyword("type", .typeNames, .validation),
    SchemaKeyword("const", .anything, .validation),
    SchemaKeyword("enum", .list, .validation),
    SchemaKeyword("multipleOf", .positiveNumber, .validation),
    SchemaKeyword("maximum", .number, .validation),
    SchemaKeyword("exclusiveMaximum", .number, .validation),
    SchemaKeyword("minimum", .number, .validation),
    SchemaKeyword("exclusiveMinimum", .number, .validation),
    SchemaKeyword("maxLength", .count, .validation),
    SchemaKeyword("minLength", .count, .validation),
    SchemaKeyword("pattern", .pattern, .validation),
    SchemaKeyword("maxItems", .count, .validation),
    SchemaKeyword("minItems", .count, .validation),
    SchemaKeyword("uniqueItems", .flag, .validation),
    SchemaKeyword("maxContains", .count, .validation, [.draft2020]),
    SchemaKeyword("minContains", .count, .validation, [.draft2020]),
    SchemaKeyword("maxProperties", .count, .validation),
    SchemaKeyword("minProperties", .count, .validation),
    SchemaKeyword("required", .names, .validation),
    SchemaKeyword("dependentRequired", .namesMap, .validation, [.draft2020]),
  ]
}
