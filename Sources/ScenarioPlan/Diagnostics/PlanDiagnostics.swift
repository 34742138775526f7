import CEL
import Diagnostics
import ScenarioSpec
import Secrets

extension DiagnosticID {
  package static let invalidPattern: DiagnosticID = "invalid-pattern"
}

/// Diagnostics about names and expressions without a meaning.
extension Diagnostic {
  static func unknownName(
    _ name: Located<String>, what: String, known: [String], declaredIn key: Key? = nil
  ) -> Diagnostic {
    let nearest = nearestName(to: name.value, among: known)
    let all = known.isEmpty ? noneHelp(key) : "known here: " + listed(known)
    return Diagnostic(
      .unknownName, "`\(name.value)` is not the name of \(what)",
      labels: [.init(name.range, "not known")],
      help: nearest.map { "did you mean `\($0)`?" } ?? all
    ).fixed(by: nearest)
  }

  /// Returns the help where nothing is declared under this key of the stage.
  private static func noneHelp(_ key: Key?) -> String {
    let rule = key.flatMap(LanguageTable.scenario.rule)
    return rule.map { "there are none here: add `\($0.name): \($0.example)`" }
      ?? "there are none here"
  }

  /// Makes the warning of text that could be an expression over names of the stage.
  static func textLikeExpression(_ expression: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "text-like-expression", severity: .warning,
      "a value is literal, and this text reads like an expression",
      labels: [.init(range, "the text itself is used")],
      help: "write `\"${\(expression)}\"` for the value of the expression")
  }

  /// Makes the warning of a variable as other tools write it.
  static func template(_ template: String, meaning expression: String, at range: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "text-like-expression", severity: .warning,
      "a value is literal, and `\(template)` reads like a variable",
      labels: [.init(range, "the text itself is used")],
      help: "write `${\(expression)}` in its place for the value")
  }

  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(shownNames).map { "`\($0)`" }.joined(separator: ", ")
    return names.count > shownNames ? "\(shown) and \(names.count - shownNames) more" : shown
  }

  /// Of many names a complaint shows no more than these.
  private static let shownNames = 8

  /// A captured value under `once` that is only a part of what is compared.
  static func capturedInPart(_ name: String, _ expression: ExpressionPlan) -> Diagnostic {
    Diagnostic(
      "captured-in-part", "`once` compares `\(name)` only as a whole value",
      labels: [.init(expression.origin.range, "a part of something")],
      help: "write `\"${\(name)}\"` as the value of a key, or a list's element")
  }

  static func tooManyConnections(_ first: Located<String>) -> Diagnostic {
    Diagnostic(
      "too-many-connections", "a scenario has at most \(PlanLimit.connections) connections",
      labels: [.init(first.range, "one too many")],
      help: "make several scenarios of it")
  }

  static func subscriptionsOfNoStream(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "subscriptions-of-no-stream", "only streams have subscriptions",
      labels: [.init(name.range, "no stream")],
      help: "expect its events with `marble`, or the subscriptions of a stream")
  }

  static func reactorIsNoSource(_ name: Located<String>, fields: [String]) -> Diagnostic {
    let events = "`\(name.value).events`"
    let field = fields.first.map { "name a field such as `\($0)`, or its named events, \(events)" }
    return Diagnostic(
      "reactor-is-no-source", "a reactor does not emit events itself; its fields do",
      labels: [.init(name.range, "a reactor")], help: field ?? "its named events are \(events)")
  }

  package static func unknownVariable(
    _ name: String, in file: String? = nil, known: [String]
  ) -> Diagnostic {
    let given = file.map { "`\(name)` in `\($0)`" } ?? "`--var \(name)=…`"
    let nearest = nearestName(to: name, among: known)
    let all = known.isEmpty ? "they have no variables" : "their variables: " + listed(known)
    return Diagnostic(
      "unknown-variable", severity: .warning,
      "\(given) names no variable of the scenarios that were run",
      help: nearest.map { "did you mean `\($0)`?" } ?? all)
  }

  /// Makes the warning about a guard that is open if the request lacks a part.
  static func openGuard(_ open: OpenGuard, in text: ExpressionText) -> Diagnostic {
    let line = open.corrected.hasPrefix("!") ? "\"\(open.corrected)\"" : open.corrected
    return Diagnostic(
      "open-guard", severity: .warning,
      "a `when` does not hold if the request lacks what it reads, also under `!` and `!=`",
      labels: [
        .init(
          text.range(offset: open.offset, length: open.length),
          "without this part, the next entry answers")
      ], help: "write `when: \(line)`")
  }

  static func expression(_ problem: CELProblem, in text: ExpressionText) -> Diagnostic {
    let range = text.range(offset: problem.offset, length: problem.length)
    return Diagnostic(
      problem.id, problem.message, labels: [.init(range)], help: problem.help
    ).fixed(by: problem.correction)
  }

  static func evaluation(_ failure: EvaluationFailure) -> Diagnostic {
    Diagnostic(
      "evaluation-failed", "this expression gives no value: \(failure.message)",
      labels: [.init(failure.range)], help: failure.help)
  }

  /// A rule with random values, of a computed node.
  static func randomRule(_ expression: ExpressionText) -> Diagnostic {
    Diagnostic(
      "random-rule", "a computed node cannot have random values: its rule runs at each change",
      labels: [.init(expression.range)],
      help: "give the value to a stored node, `name: \"${…}\"`, or to a variable, and read that")
  }

  static func unsetEnvironment(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "unset-environment", "the environment has no variable `\(name)`", labels: [.init(range)],
      help: "set it, or give a file that sets it with `--env-file`")
  }

  static func shortSecret(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "short-secret", severity: .warning,
      "a secret of fewer than \(SecretMask.shortestInsideWords) characters is masked only where it "
        + "stands alone",
      labels: [.init(range, "`\(name)` has such a value")],
      help: "take a longer value, even in tests")
  }

  static func notACondition(_ expression: ExpressionText, type: String) -> Diagnostic {
    Diagnostic(
      "not-a-condition", "a condition must be true or false, but this is of type \(type)",
      labels: [.init(expression.range)],
      help: "compare it with something: `\(expression.isAddress ? expression.text : "…") == …`")
  }

  static func initialReadsStage(
    _ expression: ExpressionText, of owner: StageNames.Owner, known: String?
  ) -> Diagnostic {
    let help =
      switch owner {
      case .scenario: "write `{ computed: … }` for a node that follows others"
      case .reactor: "give it a plain value, and let an action set the field"
      case .endpoint: "give it a plain value, and let a route's script set it"
      }
    return Diagnostic(
      "initial-reads-stage", "a value at the start cannot read the stage, which is not built yet",
      labels: [.init(expression.range)], help: known.map { "here it may read \($0)" } ?? help)
  }

  static func setsComputed(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "sets-computed", "a computed node follows its rule and cannot be set",
      labels: [.init(name.range, "computed")],
      help: "set the nodes that its rule reads")
  }

  static func setsList(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "sets-list", "the items of a list come from its provider and cannot be set",
      labels: [.init(name.range, "a part of a list")],
      help: "write `load: { LIST: PROVIDER }`, or `refresh: LIST`")
  }

  static func setsStream(_ name: Located<String>, _ value: String, subject: String?) -> Diagnostic {
    Diagnostic(
      "sets-stream", "`set` writes nodes and fields, and a stream is not set",
      labels: [.init(name.range, subject == name.value ? "a subject" : "a stream")],
      help: subject.map { "write `send: { \($0): \(value) }`" }
        ?? "its values come from what it is made of")
  }

  /// Makes the warning of a `let` in the steps of a `while` whose condition reads another name.
  static func letInLoop(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "let-in-loop", severity: .warning,
      "`let` makes a new `\(name.value)` in each turn, and the condition reads the one outside",
      labels: [.init(name.range, "seen only by the steps after it in this turn")],
      help: "keep it in a node with a name of its own, `graph: { current: 1 }`, and write "
        + "`- set: { current: … }`")
  }

  /// Makes the warning of an event with the name of a subject.
  static func emitsSubject(_ name: Located<String>, _ payload: String?) -> Diagnostic {
    Diagnostic(
      "emits-subject", severity: .warning,
      "`emit` makes an event of this name, and sends nothing to the subject `\(name.value)`",
      labels: [.init(name.range, "a subject")],
      help: "write `send: { \(name.value): \(payload ?? "…") }` for a value of the subject; "
        + "give the event another name")
  }

  static func fieldNotBound(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "field-not-bound",
      "only a reactor's own actions write its fields, unless a binding is declared",
      labels: [.init(name.range, "not bound")],
      help: "send an action, or name under `bindings` the action that writing the field sends")
  }

  /// A message that lacks some of what the action asks for.
  static func missingParameters(
    _ missing: [String], of parameters: [String], in action: Located<String>
  ) -> Diagnostic {
    missingParameters(
      missing, action, help: "write `{ \(action.value): { \(entries(for: parameters)) } }`")
  }

  /// A call that lacks some parameters of the provider or stream.
  static func missingParameters(
    _ missing: [String], of parameters: [String], inCallOf called: Located<String>,
    _ target: Key
  ) -> Diagnostic {
    let with = "with: { \(entries(for: parameters)) }"
    return missingParameters(
      missing, called, help: "write `{ \(target.rawValue): \(called.value), \(with) }`")
  }

  static func entries(for parameters: [String]) -> String {
    parameters.map { "\($0): …" }.joined(separator: ", ")
  }

  static func missingParameters(
    _ missing: [String], _ target: Located<String>, help: String
  ) -> Diagnostic {
    let list = missing.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "missing-parameters", "`\(target.value)` needs a value for \(list)",
      labels: [.init(target.range, "without \(list)")], help: help)
  }

  static func conditionInExample(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "condition-in-example", "`$where` in an example of a mock is about `value` alone",
      labels: [.init(range, "depends on the run")],
      help: "write an expression over `value`, such as `value > 3`")
  }

  static func captureHidesStage(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "capture-hides-stage", "a capture cannot have the name of something on the stage",
      labels: [.init(name.range, "already on the stage")], help: "choose another name")
  }

  static func invalidPattern(_ pattern: Located<String>, problem: String) -> Diagnostic {
    Diagnostic(
      .invalidPattern, "`$regex` takes a regular expression, and \(problem)",
      labels: [.init(pattern.range)],
      help: "put a backslash before a special character to match the character itself")
  }

  /// A circle, from the node that was declared first; each reads the next, the last the first.
  static func cycle(_ circle: [NodePlan]) -> Diagnostic {
    let shown = circle.prefix(shownNames)
    let hidden = circle.count > shown.count ? ["… \(circle.count - shown.count) more"] : []
    let path = shown.map(\.name) + hidden + circle.prefix(1).map(\.name)
    let readsItself = circle.count == 1
    return Diagnostic(
      "cycle", "a computed node cannot depend on itself: \(path.joined(separator: " → "))",
      labels: shown.map { .init($0.range, readsItself ? "reads itself" : "reads the next") },
      help: readsItself
        ? "to change a node by its own value, store it and set it in a step"
        : "store one of these, or compute it from other nodes")
  }
}

extension ExpressionText {
  /// True for a name or a dotted address and nothing else.
  fileprivate var isAddress: Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (48...57).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }
}
