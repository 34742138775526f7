import Values

/// A JSON Schema of draft 2020-12 or draft 7, compiled once for many validations.
///
/// `format` is validated if that is asked for. Keywords about content are not validated.
public struct JSONSchema: Sendable {
  private let program: SchemaProgram
  /// The parts that check nothing, in the order in which they are written.
  public let remarks: [SchemaRemark]

  /// Compiles a schema, or returns all its mistakes.
  ///
  /// References are resolved against `base`, unless the schema has an `$id`. Other documents come
  /// from `documents` alone. `draft` applies to a schema without `$schema`. `format` is an
  /// annotation unless `checksFormats` is true.
  public static func compile(
    _ document: Value, base: String? = nil, documents: SchemaDocuments = SchemaDocuments(),
    draft: SchemaDraft = .draft2020, checksFormats: Bool = false
  ) -> Result<JSONSchema, SchemaProblems> {
    let compiler = SchemaCompiler(SchemaRegistry(documents), checksFormats: checksFormats)
    return compiler.compile(document, base: base ?? "", draft).map {
      JSONSchema(program: $0, remarks: compiler.remarks)
    }
  }

  /// Returns whether a value satisfies the schema.
  public func isValid(_ value: Value) -> Bool {
    var run = SchemaRun(program, collects: false)
    return run.judge(value) && run.stop == nil
  }

  /// Returns all rules that a value breaks, at most `SchemaLimits.violations`; empty if it is
  /// valid.
  public func validate(_ value: Value) -> [SchemaViolation] {
    var quick = SchemaRun(program, collects: false)
    if quick.judge(value), quick.stop == nil { return [] }
    // A second validation would take as long as the first.
    if quick.isOutOfSteps { return quick.violations }
    var run = SchemaRun(program, collects: true)
    _ = run.judge(value)
    return run.violations
  }
}
