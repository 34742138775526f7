/// The limits of a schema and of one validation; each is far above honest use.
public enum SchemaLimits {
  /// The depth of schemas applied inside each other. Applying recurses, so depth costs stack. The
  /// deepest JSON, with a schema that refers to itself, takes 1,024.
  public static let depth = 1_100
  /// The number of schemas that one validation may apply.
  public static let steps = 1_000_000
  /// The number of violations that one validation reports.
  public static let violations = 100
  /// The number of schemas in one compilation, including the referenced ones.
  public static let schemas = 200_000
}
