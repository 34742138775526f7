/// What a schema and one validation may take before they are refused; each limit is far above
/// honest use.
public enum SchemaLimits {
  /// How deep schemas may be applied inside each other; applying recurses, so depth costs stack.
  /// JSON nested as deep as it is read, by a schema that refers to itself, takes 1,024.
  public static let depth = 1_100
  /// How often one validation may apply a schema.
  public static let steps = 1_000_000
  /// How many violations one validation tells.
  public static let violations = 100
  /// How many schemas one compilation may come to, the referenced ones included.
  public static let schemas = 200_000
}
