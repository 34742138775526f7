import Diagnostics
import JSONSchemas
import ScenarioSpec
import Values

/// The schemas of matchers.
extension PlanCompiler {
  func compileSchema(_ data: DataSpec) -> JSONSchema? {
    guard case .literal(let written) = data.content else { return nil }
    var document = written
    var isInline = true
    if case .string(let path) = written {
      let full = resolve(path, in: folder(of: data.range))
      switch inputs.readJSON(full) {
      case .failure(let failure):
        report(.schemaUnreadable(path, failure.message, at: data.range))
        return nil
      case .success(let read):
        document = read
        isInline = false
      }
    }
    switch JSONSchema.compile(document, checksFormats: true) {
    case .success(let schema):
      for remark in schema.remarks {
        report(.schemaRemark(remark, at: data.range, isInline: isInline))
      }
      return schema
    case .failure(let problems):
      for problem in problems.all { report(.badSchema(problem, at: data.range)) }
      return nil
    }
  }
}

extension Diagnostic {
  static func schemaUnreadable(
    _ path: String, _ message: String, at range: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "schema-unreadable", "the schema `\(path)` cannot be read: \(message)",
      labels: [.init(range)], help: "paths are seen from the folder of this file")
  }

  /// A keyword near a known one is a mistake. Any other is a word of another program, of which
  /// generated schemas have many.
  static func schemaRemark(
    _ remark: SchemaRemark, at range: SourceRange, isInline: Bool
  ) -> Diagnostic {
    let place = remark.path.isEmpty ? "the schema" : "`\(remark.path)` of the schema"
    let severity: Severity = isInline ? .warning : .note
    switch remark.kind {
    case .unknownKeyword(let name, let nearest?):
      return Diagnostic(
        "bad-schema", "\(place) is wrong: `\(name)` is no keyword of JSON Schema",
        labels: [.init(range)], help: "did you mean `\(nearest)`?")
    case .unknownKeyword("nullable", nil):
      return Diagnostic(
        "unchecked-schema", severity: severity, "\(place) has `nullable`, which checks nothing",
        labels: [.init(range)], help: "write `type: [string, \"null\"]`, with the type that it has")
    case .unknownKeyword(let name, nil):
      return Diagnostic(
        "unchecked-schema", severity: severity,
        "\(place) has `\(name)`, which is no keyword of JSON Schema and checks nothing",
        labels: [.init(range)], help: "remove it, or begin its name with `x-`")
    case .uncheckedFormat(let name):
      return Diagnostic(
        "unchecked-schema", severity: severity,
        "\(place) has the format `\(name)`, which is not checked", labels: [.init(range)],
        help: "the formats that are checked are listed under `rehearse explain unchecked-schema`")
    }
  }

  static func badSchema(_ problem: SchemaProblem, at range: SourceRange) -> Diagnostic {
    let place = problem.path.isEmpty ? "the schema" : "`\(problem.path)` of the schema"
    return Diagnostic(
      "bad-schema", "\(place) is wrong: \(problem.message)", labels: [.init(range)],
      help: problem.help)
  }
}
