import Diagnostics
import Glibc
import LiveWorld
import Reports
import ScenarioRuns
import Synchronization

/// The output of a sweep about its scenarios. Each is reported as soon as it and all before it are
/// done, so that the order does not depend on which ends first.
final class SweepOutput: Sendable {
  private struct File: Sendable {
    var swept: SweptFile
    var report: FileReport
    var rows: [SweptCase?]
  }

  private struct State: Sendable {
    var tally: SweepTally
    var files: [File?]
    /// The file and the row that are reported next.
    var next = (file: 0, row: 0)
    var lines: [String] = []
  }

  let progress: SweepProgress
  /// True if the report for people goes to standard output.
  let isShown: Bool
  private let reports: SweepReports
  private let arguments: SweepArguments
  private let state: Mutex<State>
  /// The number of texts so far.
  private let said = Atomic(0)

  init(_ reports: SweepReports, _ arguments: SweepArguments, _ tally: SweepTally, files: Int) {
    self.reports = reports
    self.arguments = arguments
    isShown = arguments.output.isShown
    let isQuiet = arguments.output.detail == .quiet
    progress = SweepProgress(
      showsForecast: !isQuiet, showsStatus: isatty(STDERR_FILENO) != 0 && !isQuiet)
    state = Mutex(State(tally: tally, files: Array(repeating: nil, count: files)))
  }

  /// Takes a file that was read, and the number of its scenarios and rows.
  func begin(_ file: SweptFile, _ number: Int, rows: Int) {
    let report = FileReport(
      path: file.path, sources: file.sources, diagnostics: file.diagnostics, scenarios: [],
      mask: file.mask)
    state.withLock { state in
      state.files[number] = File(
        swept: file, report: report, rows: Array(repeating: nil, count: rows))
      sayWhatIsDone(&state)
    }
  }

  func finish(_ scenario: SweptCase, _ place: (file: Int, row: Int)) {
    state.withLock { state in
      state.files[place.file]?.rows[place.row] = scenario
      sayWhatIsDone(&state)
    }
  }

  private func sayWhatIsDone(_ state: inout State) {
    while state.next.file < state.files.count, let file = state.files[state.next.file] {
      if state.next.row == 0 { say(humanReport(file: file.report, detail: detail, style: style)) }
      while state.next.row < file.rows.count {
        guard let scenario = file.rows[state.next.row] else { return }
        say(scenario, &state)
        state.next.row += 1
      }
      state.next = (state.next.file + 1, 0)
    }
  }

  private func say(_ scenario: SweptCase, _ state: inout State) {
    guard let file = state.files[state.next.file] else { return }
    let (verdict, line) = reports.conclude(scenario, in: file.swept, &state.tally)
    let report = scenario.report(verdict)
    state.files[state.next.file]?.report.scenarios.append(report)
    state.lines.append(line)
    say(humanReport(report, in: file.report, detail: detail, style: style) + line)
  }

  private func say(_ text: String) {
    guard isShown, !arguments.scope.listsOnly, !text.isEmpty else { return }
    let number = said.wrappingAdd(1, ordering: .relaxed).newValue
    // After a crash, the next process comes to the same texts in the same order.
    guard number > Supervision.progress else { return }
    progress.clear()
    Terminal.say(text)
    Supervision.progress = number
  }

  private var detail: Detail { arguments.output.detail }
  private var style: DiagnosticStyle {
    Terminal.style(of: STDOUT_FILENO, color: arguments.output.color)
  }

  /// All reports and lines, once everything is done.
  var whole: (files: [FileReport], SweepTally, lines: [String]) {
    state.withLock { ($0.files.compactMap { $0?.report }, $0.tally, $0.lines) }
  }

  /// Returns the table of rules, the summary, and the line that says what was covered.
  func conclusion(of report: RunReport) -> String {
    humanRules(report.rules) + humanSummary(report, style: style)
      + (report.sweep.map(humanSweep) ?? "")
  }
}
