import JSONSchemas
import Values

/// One of the schemas of this package, by which editors accept a document.
struct SchemaCheck {
  private let schema: JSONSchema

  /// Throws if the schema itself is wrong.
  init(root: Value) throws { schema = try JSONSchema.compile(root).get() }

  /// Returns why a value is not valid; nil if it is.
  func refusal(of value: Value) -> String? {
    schema.validate(value).first.map { "\($0.instancePath) \($0.message)" }
  }
}
