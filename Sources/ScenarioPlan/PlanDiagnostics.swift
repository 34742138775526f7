import CEL
import Diagnostics
import ScenarioSpec
import Values

/// What is said of names and expressions that mean nothing.
extension Diagnostic {
  static func unknownName(
    _ name: Located<String>, what: String, known: [String]
  ) -> Diagnostic {
    let nearest = nearestName(to: name.value, among: known)
    let all = known.isEmpty ? "there are none here" : "there are: " + listed(known)
    return Diagnostic(
      "unknown-name", "`\(name.value)` is not the name of \(what)",
      labels: [.init(name.range, "not known")],
      help: nearest.map { "did you mean `\($0)`?" } ?? all)
  }

  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(12).joined(separator: ", ")
    return names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown
  }

  static func reactorIsNoSource(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "reactor-is-no-source", "a reactor does not emit events itself; its fields do",
      labels: [.init(name.range, "a reactor")],
      help: "name a field, `\(name.value).FIELD`, or its named events, `\(name.value).events`")
  }

  package static func unknownVariable(_ name: String, known: [String]) -> Diagnostic {
    let nearest = nearestName(to: name, among: known)
    return Diagnostic(
      "unknown-variable", severity: .warning,
      "`--var \(name)=…` names no variable of any scenario that was run",
      help: nearest.map { "did you mean `\($0)`?" })
  }

  static func expression(_ problem: CELProblem, in text: ExpressionText) -> Diagnostic {
    let range = text.range(offset: problem.offset, length: problem.length)
    return Diagnostic(
      problem.id, problem.message, labels: [.init(range)], help: problem.help)
  }

  static func evaluation(_ failure: EvaluationFailure) -> Diagnostic {
    Diagnostic(
      "evaluation-failed", "this expression has no value: \(failure.message)",
      labels: [.init(failure.range)])
  }

  static func unsetEnvironment(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "unset-environment", "the environment has no variable `\(name)`", labels: [.init(range)],
      help: "set it, or name a file that does with `--env-file`")
  }

  static func notACondition(_ expression: ExpressionText, type: String) -> Diagnostic {
    Diagnostic(
      "not-a-condition", "a condition is true or false, and this is of type \(type)",
      labels: [.init(expression.range)],
      help: "compare it with something: `… == …`")
  }

  static func initialReadsStage(_ expression: ExpressionText) -> Diagnostic {
    Diagnostic(
      "initial-reads-stage", "a value at the start cannot read the stage, which is not set yet",
      labels: [.init(expression.range)],
      help: "write `{ computed: \(expression.text) }` for a node that follows others")
  }

  static func setsComputed(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "sets-computed", "a computed node follows its rule and cannot be set",
      labels: [.init(name.range, "computed")],
      help: "set the nodes that its rule reads")
  }

  static func fieldNotBound(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "field-not-bound",
      "only a reactor's own actions write its fields, unless a binding is declared",
      labels: [.init(name.range, "not bound")],
      help: "send an action, or declare under `bindings` which action writing it sends")
  }

  static func missingParameters(_ target: Located<String>, _ missing: [String]) -> Diagnostic {
    let list = missing.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "missing-parameters", "`\(target.value)` needs a value for \(list)",
      labels: [.init(target.range, "without \(list)")])
  }

  static func captureHidesStage(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "capture-hides-stage", "a capture cannot have the name of something on the stage",
      labels: [.init(name.range, "already on the stage")])
  }

  static func invalidPattern(_ pattern: Located<String>, problem: String) -> Diagnostic {
    Diagnostic(
      "invalid-pattern", "this is not a regular expression: \(problem)",
      labels: [.init(pattern.range)])
  }

  static func pathWithoutSlash(_ path: Located<String>) -> Diagnostic {
    Diagnostic(
      "path-without-slash", "the path of a route begins with a slash",
      labels: [.init(path.range)], help: "write `/\(path.value)`")
  }

  static func missingColumn(_ name: String, in row: CaseSpec) -> Diagnostic {
    Diagnostic(
      "missing-column", "every row of `cases` has the same columns, and this one lacks `\(name)`",
      labels: [.init(row.range)])
  }

  static func duplicateRow(_ row: CaseSpec) -> Diagnostic {
    Diagnostic(
      "duplicate-row", "each row of `cases` has an id of its own, and `\(row.id)` is taken",
      labels: [.init(row.range)])
  }

  static func cycle(_ path: [NodePlan]) -> Diagnostic {
    let names = path.map(\.name).joined(separator: " → ")
    let labels = path.dropLast().map { Label($0.range, "reads the next in the circle") }
    return Diagnostic(
      "cycle", "a computed node cannot depend on itself: \(names)", labels: labels,
      help: "break the circle: one of these has to be stored")
  }
}
