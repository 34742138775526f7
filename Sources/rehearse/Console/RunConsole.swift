import Diagnostics
import Glibc
import Reports
import ScenarioPlan
import ScenarioRuns
import Values

/// The output of a run: results as they arrive, a status line on a terminal, and the summary at the
/// end.
final class RunConsole {
  private let arguments: RunArguments
  private let style: DiagnosticStyle
  private let complaintStyle: DiagnosticStyle
  /// True if results for people go to standard output. Beside a structured report they must not.
  private let showsResultsOnOutput: Bool
  /// True if they go to standard error, because the log takes standard output.
  private let showsResultsOnError: Bool
  private let showsStatus: Bool
  private let began = wallClock()
  private var failures = 0
  /// The problems by which scenarios of this file could not run: each is shown once for all rows.
  private var told: (path: String, problems: Set<Diagnostic>) = ("", [])
  private var lastStatus = 0
  private var hasStatus = false
  /// The reason why results could not be shown; a reader that closed the pipe is none.
  private var outputProblem: String?

  /// A status line that changes more often cannot be read.
  private static let statusInterval = 100_000

  init(_ arguments: RunArguments) {
    self.arguments = arguments
    let isLogOnOutput = if case .output? = arguments.log { true } else { false }
    let showsResults = arguments.output.isShown
    showsResultsOnOutput = showsResults && !isLogOnOutput
    showsResultsOnError = showsResults && isLogOnOutput
    let output = showsResultsOnOutput ? STDOUT_FILENO : STDERR_FILENO
    style = Terminal.style(of: output, color: arguments.output.color)
    complaintStyle = arguments.output.color.complaintStyle
    showsStatus =
      isatty(STDERR_FILENO) != 0
      && arguments.mayShowStatus(outputIsTerminal: isatty(STDOUT_FILENO) != 0)
  }

  /// Shows the diagnostics of a file, after the results of all files before it.
  func begin(_ file: FileReport, _ problem: FileProblem?) {
    if let problem, !showsResultsOnOutput {
      complain([.unreadable(file.path, problem.message)])
    }
    show(file)
  }

  /// Shows the result of the next scenario of a file.
  func show(_ scenario: ScenarioReport, in file: FileReport) {
    if scenario.verdict.outcome == .failed { failures += 1 }
    var file = file
    if scenario.verdict.outcome == .couldNotRun {
      if told.path != file.path { told = (file.path, []) }
      file.diagnostics += told.problems
      told.problems.formUnion(scenario.verdict.failures)
    }
    show(result: humanReport(scenario, in: file, detail: arguments.output.detail, style: style))
  }

  /// Shows the snapshots that a file has recorded.
  func show(_ snapshots: [SnapshotNote], of file: FileReport) {
    var rest = FileReport(
      path: file.path, sources: SourceMap(), diagnostics: [], scenarios: [], mask: file.mask)
    rest.snapshots = snapshots
    show(rest)
  }

  private func show(_ file: FileReport) {
    show(result: humanReport(file: file, detail: arguments.output.detail, style: style))
  }

  private func show(result: String) {
    if showsResultsOnOutput {
      show(result)
    } else if showsResultsOnError, !result.isEmpty {
      clearStatus()
      Terminal.complain(result)
    }
  }

  func finish(
    _ report: RunReport, _ outcome: RunOutcome, given variables: [PlanInputs.Variable]
  ) {
    clearStatus()
    complain(unused(variables, outcome))
    if outcome.leftAlone + outcome.unread > 0 {
      complain([.leftAlone(outcome.leftAlone, unread: outcome.unread, isLate: outcome.isLate)])
    } else if outcome.scenarioCount == 0, !Interruption.wasAsked, !outcome.hasMissing,
      !outcome.hasUnreadableFile, !outcome.hasBadSpec
    {
      complainOfNothing(outcome)
    }
    if showsResultsOnOutput {
      show(end(of: report, style))
    } else if arguments.output.detail != .quiet {
      Terminal.complain(end(of: report, complaintStyle))
    }
    if let reason = outcome.reasonToFail { Terminal.complain(reason) }
  }

  private func complainOfNothing(_ outcome: RunOutcome) {
    guard outcome.isEmptyShard else {
      return complain([.nothingSelected(by: arguments.scenarios)])
    }
    guard arguments.output.detail != .quiet else { return }
    Terminal.complain(emptyShardLine(arguments.scenarios))
  }

  /// The lists at the end of a report, and the summary.
  private func end(of report: RunReport, _ style: DiagnosticStyle) -> String {
    let slowest = arguments.slowestShown.map { humanSlowest(report, count: $0, style: style) }
    let coverage = report.coverage.map { humanCoverage($0, detail: arguments.output.detail) }
    return (slowest ?? "") + (coverage ?? "") + humanFlakyList(report, style: style)
      + humanSummary(report, style: style)
  }

  func complain(_ diagnostics: [Diagnostic], in sources: SourceMap = SourceMap()) {
    guard !diagnostics.isEmpty else { return }
    clearStatus()
    for diagnostic in diagnostics {
      Terminal.complain(render(diagnostic, in: sources, style: complaintStyle))
    }
  }

  private func unused(
    _ variables: [PlanInputs.Variable], _ outcome: RunOutcome
  ) -> [Diagnostic] {
    guard outcome.scenarioCount > 0 else { return [] }
    let known = outcome.declaredVariables.sorted()
    return variables.filter { !outcome.declaredVariables.contains($0.name) }
      .map { .unknownVariable($0.name, in: $0.file, known: known) }
  }

  private func show(_ text: String) {
    guard !text.isEmpty else { return }
    clearStatus()
    if Terminal.say(text) != .passed { outputProblem = outputProblem ?? lastSystemError() }
  }

  /// Returns whether all results could be shown, and complains if not.
  func wasShown() -> Bool {
    guard let outputProblem else { return true }
    complain([.unwritable("standard output", outputProblem)])
    return false
  }

  /// Shows the seed that repeats the order of this run.
  func showShuffle(_ seed: Int) {
    guard arguments.output.detail != .quiet else { return }
    Terminal.complain("in a random order; --shuffle=\(UInt64(bitPattern: Int64(seed))) repeats it")
  }

  /// Shows the seed that repeats the random values of this run.
  func showSeed(_ seed: Int) {
    guard arguments.output.detail != .quiet else { return }
    Terminal.complain(
      "with new random values; --seed \(UInt64(bitPattern: Int64(seed))) repeats them")
  }

  /// Shows that a scenario has begun that takes long.
  func show(_ scenario: String, takesAtLeast duration: Microseconds) {
    guard arguments.output.detail != .quiet else { return }
    clearStatus()
    Terminal.complain("\(visibleText(scenario)): takes at least \(durationText(duration))")
  }

  /// Shows how many scenarios are done, and which are under way, on one line of a terminal.
  func show(_ status: SuiteStatus) {
    guard showsStatus, wallClock() - lastStatus >= RunConsole.statusInterval else { return }
    lastStatus = wallClock()
    clearStatus()
    let text = statusText(
      status, failures: failures, elapsed: lastStatus - began, width: complaintStyle.width - 1)
    _ = writeAll(text, to: STDERR_FILENO)
    hasStatus = true
  }

  private func clearStatus() {
    guard hasStatus else { return }
    hasStatus = false
    _ = writeAll("\r\u{1B}[K", to: STDERR_FILENO)
  }
}

extension RunArguments {
  /// Returns whether a status line may appear. Lines that others write to the same terminal would
  /// follow it without a break.
  func mayShowStatus(outputIsTerminal: Bool) -> Bool {
    let isLogOnOutput = if case .output? = log { true } else { false }
    let isOutputBusy = isLogOnOutput || output.requests.contains { $0.isWrittenLineByLine }
    return output.detail != .quiet && !(isOutputBusy && outputIsTerminal)
  }
}

/// The real time before an estimate of the time that is left says something.
private let timeBeforeEstimates = 2_000_000

/// Returns the real time that is left if the scenarios to come are like those that are done, in
/// whole seconds; nil if it is too early to say.
func timeLeft(_ status: SuiteStatus, elapsed: Int) -> Int? {
  guard status.isComplete, status.done > 0, elapsed >= timeBeforeEstimates else { return nil }
  let left = Double(elapsed) / Double(status.done) * Double(status.planned - status.done)
  let seconds = (left / 1_000_000).rounded(.up)
  return seconds > 0 && seconds < 1e6 ? Int(seconds) : nil
}

/// Returns the line `12 of 340 scenarios, 1 failed, about 8s left: chat.scenario.yaml  A title, …`.
func statusText(_ status: SuiteStatus, failures: Int, elapsed: Int, width: Int) -> String {
  let more = status.isComplete ? "" : "+"
  let failed = failures == 0 ? "" : ", \(failures) failed"
  let left =
    timeLeft(status, elapsed: elapsed).map {
      ", about \(durationText(Microseconds($0) * 1_000_000)) left"
    } ?? ""
  let names = status.running.map(visibleText).joined(separator: ", ")
  let text =
    "\(status.done) of \(status.planned)\(more) scenarios\(failed)\(left)"
    + (names.isEmpty ? " …" : ": " + names)
  return text.count <= width ? text : String(text.prefix(max(0, width - 1))) + "…"
}

extension Diagnostic {
  static func leftAlone(_ count: Int, unread: Int, isLate: Bool) -> Diagnostic {
    let why =
      Interruption.wasAsked
      ? "the run was interrupted"
      : isLate ? "the time of `--deadline` is over" : "the run stopped at a failure"
    let scenarios = "\(counted(count, "scenario")) \(count == 1 ? "was" : "were") not run"
    let files = "\(counted(unread, "file")) \(unread == 1 ? "was" : "were") not read"
    let what = count == 0 ? files : unread == 0 ? scenarios : "\(scenarios), \(files)"
    return Diagnostic("left-alone", severity: .warning, "\(why): \(what)")
  }
}
