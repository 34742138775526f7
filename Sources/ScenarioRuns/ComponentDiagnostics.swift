import Diagnostics
import ScenarioSpec

/// What is said of the files of components.
extension Diagnostic {
  static func componentNotFound(
    _ path: Located<String>, lookedFor places: [String], nearest: String?
  ) -> Diagnostic {
    // Of the folders above the current one nobody wants to read the whole list.
    let near = places.prefix(1) + places.dropFirst().prefix { !$0.hasPrefix("../") }
    let list = near.map { "`\($0)`" }.joined(separator: ", ")
    let above = near.count < places.count ? ", and in the folders above" : ""
    return Diagnostic(
      "component-not-found", "there is no component file `\(path.value)`",
      labels: [.init(path.range, "not there")], notes: [.init("looked for", list + above)],
      help: nearest.map { "did you mean `\($0)`?" }
        ?? "a path begins beside the file that uses it, or in a folder above")
  }

  static func componentUnreadable(
    _ range: SourceRange, _ path: String, _ reason: String
  ) -> Diagnostic {
    Diagnostic(
      "component-unreadable", "the component file `\(path)` cannot be read: \(reason)",
      labels: [.init(range)])
  }

  static func componentCycle(_ range: SourceRange, _ files: [String]) -> Diagnostic {
    Diagnostic(
      "component-cycle", "a component cannot be part of itself",
      labels: [.init(range, "which this is a part of")],
      notes: [.init("circle", files.joined(separator: " → "))],
      help: "move what both need into a component of its own")
  }

  static func tooManyComponents(_ range: SourceRange, most: Int) -> Diagnostic {
    Diagnostic(
      "too-many-components", "a scenario has at most \(most) components",
      labels: [.init(range, "with this one and those inside it there are more")],
      help: "use fewer, or hold what several need only once")
  }

  static func componentsTooDeep(_ range: SourceRange, most: Int) -> Diagnostic {
    Diagnostic(
      "components-too-deep", "components nest at most \(most) levels deep",
      labels: [.init(range, "one more than that")], help: "let the scenario use the inner ones")
  }
}
