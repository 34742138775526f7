import Values

/// A JSON Schema of draft 2020-12 or draft 7: compiled once, asked often.
///
/// `format` and what is said about content are not judged.
public struct JSONSchema: Sendable {
  private let program: SchemaProgram

  /// Compiles a schema, or tells all its mistakes.
  ///
  /// References are resolved against `base`, unless the schema has an `$id`; other documents are
  /// taken from `documents` alone. `draft` is that of a schema without `$schema`.
  public static func compile(
    _ document: Value, base: String? = nil, documents: SchemaDocuments = SchemaDocuments(),
    draft: SchemaDraft = .draft2020
  ) -> Result<JSONSchema, SchemaProblems> {
    let compiler = SchemaCompiler(SchemaRegistry(documents))
    return compiler.compile(document, base: base ?? "", draft).map { JSONSchema(program: $0) }
  }

  /// Whether a value is as the schema wants it.
  public func isValid(_ value: Value) -> Bool {
    var run = SchemaRun(program, collects: false)
    return run.judge(value) && run.stop == nil
  }

  /// All rules a value breaks, at most `SchemaLimits.violations`; none where it is valid.
  public func validate(_ value: Value) -> [SchemaViolation] {
    var quick = SchemaRun(program, collects: false)
    if quick.judge(value), quick.stop == nil { return [] }
    // What took too long would take as long once more.
    if quick.isOutOfSteps { return quick.violations }
    var run = SchemaRun(program, collects: true)
    _ = run.judge(value)
    return run.violations
  }
}
