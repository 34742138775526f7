import Diagnostics
import Traces
import Values
import Verdicts

/// The contents of the page of a report: a row for each scenario, failures first, and what opens
/// below a row.
struct ReportPage {
  /// A line of the overview.
  enum Row {
    case scenario(ScenarioReport, FileReport)
    /// A file of which no scenario could be read.
    case file(FileReport)
    /// A file with warnings or notes of its own.
    case warnings(FileReport)
  }

  let tally: Tally
  let wall: Microseconds?
  let run: RunReport
  let coverage: Coverage?
  let rules: [RuleTally]
  let rows: [Row]

  init(_ run: RunReport) {
    tally = Tally(run.files)
    wall = run.wall
    self.run = run
    coverage = run.coverage
    rules = run.rules
    let rows = run.files.flatMap { file in
      ReportPage.rows(headOf: file) + file.scenarios.map { Row.scenario($0, file) }
    }
    self.rows = Urgency.allCases.flatMap { urgency in rows.filter { $0.urgency == urgency } }
  }

  private static func rows(headOf file: FileReport) -> [Row] {
    if file.couldNotRun { return [.file(file)] }
    return file.diagnostics.contains { $0.severity != .error } ? [.warnings(file)] : []
  }
}

/// The order of the rows: what a reader has to look at comes first.
enum Urgency: CaseIterable {
  case failed, couldNotRun, flaky, warned, passed, skipped
}

extension ReportPage.Row {
  var urgency: Urgency {
    switch self {
    case .file: .couldNotRun
    case .warnings: .warned
    case .scenario(let scenario, _):
      switch scenario.verdict.outcome {
      case .failed: .failed
      case .couldNotRun: .couldNotRun
      case .flaky: .flaky
      case .passed: scenario.verdict.warnings.isEmpty ? .passed : .warned
      case .skipped: .skipped
      }
    }
  }

  /// True if the row has more to show than the overview has.
  var hasDetail: Bool {
    switch self {
    case .file, .warnings: true
    case .scenario(let scenario, _):
      switch urgency {
      case .failed, .couldNotRun, .flaky, .warned: true
      case .passed, .skipped: scenario.timeline != nil || scenario.verdict.hasFacts
      }
    }
  }

  /// The diagnostics of the file, if a row is not a scenario. A scenario that cannot run has its
  /// errors in its own row.
  var diagnostics: [Diagnostic] {
    switch self {
    case .scenario: []
    case .file(let file):
      file.diagnostics.filter { $0.severity == .error }
        + file.diagnostics.filter { $0.severity != .error }
    case .warnings(let file): file.diagnostics.filter { $0.severity != .error }
    }
  }

  /// The courses of a sweep, whose places are on the timeline.
  var courses: [CourseTimeline] {
    if case .scenario(let scenario, _) = self { scenario.courses } else { [] }
  }

  /// The pieces of the timeline.
  var pieces: [String] {
    if case .scenario(let scenario, _) = self { scenario.timeline?.pieces ?? [] } else { [] }
  }
}

extension Verdict {
  fileprivate var hasFacts: Bool {
    !neverExercised.isEmpty || !faults.first.isEmpty || !pendingAtEnd.first.isEmpty
  }
}
