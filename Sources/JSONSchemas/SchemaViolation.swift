/// A rule of a schema that a value breaks.
public struct SchemaViolation: Sendable, Equatable {
  /// The part of the value, as a JSON Pointer: `/items/2/name`; empty for the whole.
  public let instancePointer: String
  /// The part of the value, as scenarios write it: `items[2].name`; empty for the whole.
  public let instancePath: String
  /// The way through the schema to the rule, references followed: `/items/$ref/required`.
  public let schemaPath: String
  /// Where the rule stands: the URI of the schema and a JSON Pointer.
  public let keywordLocation: String
  /// The rule's name; empty where a schema is `false`.
  public let keyword: String
  /// The rule and what was found: "must be at least 3, not 2".
  public let message: String
  /// Where several schemas were offered and none fits: what the nearest of them wants.
  public let causes: [SchemaViolation]
}
