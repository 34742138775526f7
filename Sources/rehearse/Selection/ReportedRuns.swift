import Diagnostics
import ScenarioRuns
import Values
import Verdicts

/// The runs of an earlier JSON report, with their durations.
struct ReportedRuns {
  private(set) var durations: [String: Microseconds] = [:]

  /// Reads a report, or returns a complaint if the file is none.
  static func read(_ path: String) -> Result<ReportedRuns, ReportProblem> {
    switch readFile(path) {
    case .failure(let problem): return .failure(ReportProblem(.unreadable(path, problem.message)))
    case .success(let bytes):
      guard case .success(.map(let report)) = parseJSON(bytes),
        case .list(let scenarios)? = report["scenarios"]
      else { return .failure(ReportProblem(.noReport(path))) }
      var runs = ReportedRuns()
      for case .map(let scenario) in scenarios { runs.add(scenario) }
      return .success(runs)
    }
  }

  private mutating func add(_ scenario: ValueMap) {
    guard let path = scenario["path"]?.plainText, let title = scenario["title"]?.plainText,
      let wall = scenario["wallMilliseconds"]
    else { return }
    guard let milliseconds = Double(wall.plainText) else { return }
    let row = scenario["row"].flatMap { $0 == .null ? nil : $0.plainText }
    durations[runName(title, row: row, in: path)] =
      Microseconds(exactly: (milliseconds * 1000).rounded()) ?? 0
  }
}

/// The reason why a file cannot be read as a report.
struct ReportProblem: Error {
  let diagnostic: Diagnostic

  init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}

extension Diagnostic {
  fileprivate static func noReport(_ path: String) -> Diagnostic {
    Diagnostic(
      "no-report", "`\(path)` is no JSON report of a run",
      help: "`rehearse run --format json=\(path)` writes one")
  }
}
