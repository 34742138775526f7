import Diagnostics
import LiveWorld
import Reports
import ScenarioRuns
import Values

/// The watcher of `run`: shows each result as soon as it is next, and keeps what reports need.
final class RunWatcher: SuiteWatcher {
  private let withTimes: Bool
  private let selected: SelectedFiles
  private let console: RunConsole
  private let events: EventReports
  private(set) var outcome: RunOutcome
  /// The current file, its texts, and its scenarios so far.
  private var head = FileReport(path: "", sources: SourceMap(), diagnostics: [], scenarios: [])
  private var sources = SourceMap()
  private var scenarios: [ScenarioReport] = []
  private(set) var coverage: Coverage?
  /// The most scenarios in real time that ran at once.
  private(set) var sideBySide = 0
  private var lostTraces: [UnwrittenFile] = []
  /// The number of calls, and of those that a process before this one has shown.
  private var calls = 0
  private let shown: Int
  /// The seed of this run, to be shown with the first scenario that has random values.
  var newSeed: Int?

  init(
    _ arguments: RunArguments, _ selected: SelectedFiles, _ console: RunConsole,
    shard: ReportShard?, shown: Int
  ) {
    self.shown = shown
    withTimes = arguments.showsWallTimes
    outcome = RunOutcome(arguments.failsOn)
    self.selected = selected
    coverage = arguments.options.notesParts ? Coverage() : nil
    self.console = console
    events = EventReports(
      arguments.output.requests, withTimes: arguments.showsWallTimes,
      withTimelines: arguments.htmlEvents != nil, shard: shard)
  }

  func began(_ file: FileResult) {
    if let seed = newSeed, file.plans.contains(where: { $0.plan.hasRandomValues }) {
      console.showSeed(seed)
      newSeed = nil
    }
    head = FileReport(headOf: file)
    sources = file.sources
    scenarios = []
    events.write(.file(head))
    console.begin(head, file.problem)
    noteShown()
  }

  /// Notes that all of a call was shown. What comes next is shown, if it was not before.
  private func noteShown() {
    calls += 1
    Terminal.isMuted = calls < shown
    Supervision.progress = max(calls, shown)
  }

  func ran(_ scenario: ScenarioResult) {
    coverage?.add(scenario.verdict.coverage)
    var scenario = scenario
    scenario.verdict.coverage = []
    let report = ScenarioReport(scenario, sources, withTimes: withTimes)
    scenarios.append(report)
    events.write(.scenario(report, head))
    console.show(report, in: head)
    noteShown()
  }

  func leftAlone(_ scenario: ScenarioResult) {
    var report = ScenarioReport(scenario, sources, withTimes: withTimes)
    report.isNotRun = true
    (report.seed, report.wall) = (nil, nil)
    scenarios.append(report)
    events.write(.scenario(report, head))
  }

  func ended(_ file: FileResult) {
    var report = head
    report.scenarios = scenarios
    report.snapshots = file.snapshotChanges.map(SnapshotNote.init)
    report.dropUnquotedTexts()
    let missing = selected.missing(in: file)
    outcome.add(file, report, missing)
    lostTraces += file.traceProblems
    console.show(report.snapshots, of: report)
    console.complain(missing + file.snapshotProblems.map { .unwritable($0.path, $0.message) })
    (sources, scenarios) = (SourceMap(), [])
    noteShown()
  }

  func takesLong(_ scenario: String, _ duration: Microseconds) {
    console.show(scenario, takesAtLeast: duration)
  }

  func working(_ status: SuiteStatus) { console.show(status) }

  func ranSideBySide(_ count: Int) { sideBySide = count }

  /// Ends the reports of events, and returns what could not be written.
  func end(with report: RunReport) -> [Diagnostic] {
    events.write(.ended(report))
    return events.problems.map { .unwritable($0.path, $0.reason) } + lostTracesProblem
  }

  /// The error about traces that could not be written. A full disk is one mistake.
  private var lostTracesProblem: [Diagnostic] {
    guard let first = lostTraces.first else { return [] }
    var problem = Diagnostic.unwritable(first.path, first.message)
    let others = lostTraces.count - 1
    if others > 0 {
      problem.notes = [.init("note", "\(counted(others, "more trace")) could not be written")]
    }
    return [problem]
  }

  /// Ends the record with the number of files that were not loaded.
  func end(unread: Int) { outcome.unread = unread }
}
