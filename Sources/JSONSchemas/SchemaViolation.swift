/// A rule of a schema that a value breaks.
public struct SchemaViolation: Sendable, Equatable {
  /// The part of the value, as a JSON Pointer: `/items/2/name`; empty for the whole.
  public let instancePointer: String
  /// The part of the value, as scenarios write it: `items[2].name`; empty for the whole.
  public let instancePath: String
  /// The path through the schema to the rule, with references followed: `/items/$ref/required`.
  public let schemaPath: String
  /// The place of the rule: the URI of the schema and a JSON Pointer.
  public let keywordLocation: String
  /// The rule's name; empty where a schema is `false`.
  public let keyword: String
  /// The rule and the value found: "must be at least 3, not 2".
  public let message: String
  /// The violations of the nearest alternative, if none of several schemas fits.
  public let causes: [SchemaViolation]
}
