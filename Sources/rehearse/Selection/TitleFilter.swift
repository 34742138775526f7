import Patterns
import ScenarioPlan

/// The patterns of `--grep`. A scenario needs one of them in its title, or in the title and the
/// row: `Title [row]`. Letters match in any case.
struct TitleFilter: Equatable, Sendable {
  private(set) var texts: [String] = []
  private var patterns: [Pattern] = []

  static func == (one: TitleFilter, other: TitleFilter) -> Bool { one.texts == other.texts }

  /// Adds a regular expression, or returns what is wrong with it.
  mutating func add(_ text: String) -> PatternProblem? {
    // What is wrong is counted from the first character that the user wrote.
    if case .failure(let problem) = Pattern.compile(text, once: true) { return problem }
    switch Pattern.compile("(?i)" + text) {
    case .failure(let problem): return problem
    case .success(let pattern):
      texts.append(text)
      patterns.append(pattern)
      return nil
    }
  }

  func admits(_ plan: ScenarioPlan, _ row: RowPlan?) -> Bool {
    if patterns.isEmpty { return true }
    let name = plan.title + (row.map { " [\($0.id)]" } ?? "")
    // A pattern that reaches its limits finds nothing.
    return patterns.contains { (try? $0.matches(name)) == true }
  }
}
