import Diagnostics
import JSONSchemas
import ScenarioSpec
import Values

/// The schemas of matchers.
extension PlanCompiler {
  func compileSchema(_ data: DataSpec) -> JSONSchema? {
    guard case .literal(let written) = data.content else { return nil }
    var document = written
    if case .string(let path) = written {
      let full = resolve(path, in: folder(of: data.range))
      switch inputs.readJSON(full) {
      case .failure(let failure):
        report(.schemaUnreadable(path, failure.message, at: data.range))
        return nil
      case .success(let read): document = read
      }
    }
    switch JSONSchema.compile(document) {
    case .success(let schema): return schema
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

  static func badSchema(_ problem: SchemaProblem, at range: SourceRange) -> Diagnostic {
    let place = problem.path.isEmpty ? "the schema" : "`\(problem.path)` of the schema"
    return Diagnostic(
      "bad-schema", "\(place) is wrong: \(problem.message)", labels: [.init(range)],
      help: problem.help)
  }
}
