import JSONSchemas
import Values

/// One of the schemas of this package, which say what editors accept.
struct SchemaCheck {
  private let schema: JSONSchema

  /// Fails where the schema itself is wrong.
  init(root: Value) throws { schema = try JSONSchema.compile(root).get() }

  /// Why a value does not fit; nil where it does.
  func refusal(of value: Value) -> String? {
    schema.validate(value).first.map { "\($0.instancePath) \($0.message)" }
  }
}
