import Diagnostics

/// The diagnostics of components and their use.
extension Diagnostic {
  static func notAComponent(_ reason: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-a-component",
      "a component file is one document with parts of a stage and without steps, and \(reason)",
      labels: [.init(range)],
      help: "write the steps in the scenarios that use the component")
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
