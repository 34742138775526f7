import Diagnostics

/// Complaints about components and their use.
extension Diagnostic {
  static func notAComponent(_ reason: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-a-component",
      "a component file is one document with parts of a stage and without steps, and \(reason)",
      labels: [.init(range)],
      help: "what happens, and what must be seen, is written in the scenarios that use it")
  }

  static func notAStepsFile(_ reason: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-a-steps-file",
      "a file of steps is one document with `steps` and perhaps `params`, and \(reason)",
      labels: [.init(range)], help: "the stage belongs to the scenarios that include the steps")
  }

  static func fileNameIsNoName(_ path: Located<String>, name: String) -> Diagnostic {
    Diagnostic(
      "component-without-name", "`\(name)` cannot be the name of a component",
      labels: [.init(path.range)], help: "give it one: `- \(path.value): { as: … }`")
  }
}
