import Values

extension SchemaDocuments {
  /// Returns the schema of a draft's schemas, generated from the table of keywords.
  ///
  /// It accepts the same schemas as the published one. It is one document: references to the parts
  /// of the published draft 2020-12 do not work.
  static func metaSchema(of draft: SchemaDraft) -> Value {
    switch draft {
    case .draft7: draft7
    case .draft2020: draft2020
    }
  }

  private static let draft7 = makeMetaSchema(.draft7)
  private static let draft2020 = makeMetaSchema(.draft2020)

  private static func makeMetaSchema(_ draft: SchemaDraft) -> Value {
    var properties = ValueMap()
    for keyword in SchemaKeyword.all where keyword.drafts.contains(draft) {
      properties[keyword.name] = schema(of: keyword.shape, draft)
    }
    var schema = ValueMap()
    schema["$schema"] = .string(uri(draft))
    schema["$id"] = .string(uri(draft))
    if draft == .draft2020 { schema["$dynamicAnchor"] = "meta" }
    schema["type"] = ["object", "boolean"]
    schema["properties"] = .map(properties)
    schema[definitions(draft)] = .map(definitionsOf(draft))
    return .map(schema)
  }

  private static func uri(_ draft: SchemaDraft) -> String {
    draft == .draft7 ? draft.metaSchema + "#" : draft.metaSchema
  }

  private static func definitions(_ draft: SchemaDraft) -> String {
    draft == .draft7 ? "definitions" : "$defs"
  }

  private static func definitionsOf(_ draft: SchemaDraft) -> ValueMap {
    [
      ("nonNegativeInteger", ["type": "integer", "minimum": 0]),
      ("simpleTypes", ["enum": .list(JSONKinds.names.map { .string($0.name) })]),
      ("stringArray", ["type": "array", "items": ["type": "string"], "uniqueItems": true]),
      ("schemaArray", ["type": "array", "minItems": 1, "items": whole(draft)]),
    ].reduce(into: ValueMap()) { $0[$1.0] = $1.1 }
  }

  /// Returns a reference to the meta-schema itself.
  private static func whole(_ draft: SchemaDraft) -> Value {
    draft == .draft7 ? ["$ref": "#"] : ["$dynamicRef": "#meta"]
  }

  private static func schema(of shape: SchemaKeyword.Shape, _ draft: SchemaDraft) -> Value {
    func defined(_ name: String) -> Value {
      ["$ref": .string("#/\(definitions(draft))/\(name)")]
    }
    let whole = whole(draft)
    return switch shape {
    case .schema: whole
    case .schemaList: defined("schemaArray")
    case .schemaMap: ["type": "object", "additionalProperties": whole]
    case .patternMap:
      [
        "type": "object", "additionalProperties": whole, "propertyNames": ["format": "regex"],
      ]
    case .schemaOrList: ["anyOf": [whole, defined("schemaArray")]]
    case .schemaOrNames:
      ["type": "object", "additionalProperties": ["anyOf": [whole, defined("stringArray")]]]
    case .count: defined("nonNegativeInteger")
    case .number: ["type": "number"]
    case .positiveNumber: ["type": "number", "exclusiveMinimum": 0]
    case .text: ["type": "string"]
    case .pattern: ["type": "string", "format": "regex"]
    case .reference: ["type": "string", "format": "uri-reference"]
    case .name: ["type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"]
    case .flag: ["type": "boolean"]
    case .flags: ["type": "object", "additionalProperties": ["type": "boolean"]]
    case .typeNames:
      [
        "anyOf": [
          defined("simpleTypes"),
          [
            "type": "array", "items": defined("simpleTypes"), "minItems": 1, "uniqueItems": true,
          ],
        ]
      ]
    case .names: defined("stringArray")
    case .namesMap: ["type": "object", "additionalProperties": defined("stringArray")]
    case .list: ["type": "array"]
    case .anything: true
    }
  }
}
