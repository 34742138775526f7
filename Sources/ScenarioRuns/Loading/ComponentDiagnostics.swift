import Diagnostics
import ScenarioSpec

/// The kind of a file that another one uses.
enum UsedFile {
  case component, steps

  /// The end of its name.
  var ending: String {
    switch self {
    case .component: ".component.yaml"
    case .steps: ".steps.yaml"
    }
  }

  fileprivate var noun: String {
    switch self {
    case .component: "component file"
    case .steps: "file of steps"
    }
  }
}

/// The diagnostics of the files of components and of steps.
extension Diagnostic {
  static func fileNotFound(
    _ path: Located<String>, _ kind: UsedFile, lookedFor places: [String], nearest: String?
  ) -> Diagnostic {
    // A list of all folders above the current one would be too long.
    let near = places.prefix(1) + places.dropFirst().prefix { !$0.hasPrefix("../") }
    let list = near.map { "`\($0)`" }.joined(separator: ", ")
    let above = near.count < places.count ? ", and in the folders above" : ""
    let id: DiagnosticID = kind == .component ? "component-not-found" : "include-not-found"
    return Diagnostic(
      id, "there is no \(kind.noun) `\(path.value)`",
      labels: [.init(path.range, "not there")], notes: [.init("looked for", list + above)],
      help: nearest.map { "did you mean `\($0)`?" }
        ?? "a path begins beside the file that uses it, or in a folder above")
  }

  static func noStandardComponent(_ path: Located<String>, known: [String]) -> Diagnostic {
    Diagnostic(
      "component-not-found", "no component `\(path.value)` comes with the program",
      labels: [.init(path.range, "not there")],
      help: nearestName(to: path.value, among: known).map { "did you mean `\($0)`?" }
        ?? "`rehearse list std` shows all; a file's name ends in `.component.yaml`")
  }

  static func fileUnreadable(
    _ range: SourceRange, _ kind: UsedFile, _ path: String, _ reason: String
  ) -> Diagnostic {
    let id: DiagnosticID = kind == .component ? "component-unreadable" : "include-unreadable"
    return Diagnostic(
      id, "the \(kind.noun) `\(path)` cannot be read: \(reason)", labels: [.init(range)])
  }

  static func fileCycle(
    _ range: SourceRange, _ kind: UsedFile, _ files: [String]
  ) -> Diagnostic {
    let id: DiagnosticID = kind == .component ? "component-cycle" : "include-cycle"
    let isComponent = kind == .component
    return Diagnostic(
      id, isComponent ? "a component cannot be part of itself" : "steps cannot include themselves",
      labels: [.init(range, "which this is a part of")],
      notes: [.init("circle", files.joined(separator: " → "))],
      help: isComponent ? "move what both need into a component of its own" : "use `repeat`")
  }

  static func tooManyFiles(_ range: SourceRange, _ kind: UsedFile, most: Int) -> Diagnostic {
    let id: DiagnosticID = kind == .component ? "too-many-components" : "too-many-includes"
    let isComponent = kind == .component
    return Diagnostic(
      id,
      "a scenario \(isComponent ? "has" : "includes") at most \(most) "
        + (isComponent ? "components" : "files of steps"),
      labels: [.init(range, "with this one and those inside it there are more")],
      help: isComponent
        ? "use fewer, or hold what several need only once" : "include them in a `repeat`")
  }

  static func filesTooDeep(_ range: SourceRange, _ kind: UsedFile, most: Int) -> Diagnostic {
    let id: DiagnosticID = kind == .component ? "components-too-deep" : "includes-too-deep"
    let isComponent = kind == .component
    return Diagnostic(
      id, "\(isComponent ? "components" : "included files") nest at most \(most) levels deep",
      labels: [.init(range, "one more than that")], help: "let the scenario use the inner ones")
  }
}
