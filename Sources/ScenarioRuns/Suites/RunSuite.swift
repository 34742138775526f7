import LiveWorld
import ScenarioPlan
import Values

/// An observer of a suite that runs. It is called on the caller's thread, in the order of the files
/// and their scenarios.
package protocol SuiteWatcher: AnyObject {
  /// Called before the first scenario of a file; its result has no scenarios yet.
  func began(_ file: FileResult)
  func ran(_ scenario: ScenarioResult)
  /// Called for each scenario that does not run because the suite stopped at a failure.
  func leftAlone(_ scenario: ScenarioResult)
  /// Called with the whole result of a file.
  func ended(_ file: FileResult)
  /// Called when a scenario has begun that takes more than a minute of real time, with the time
  /// that its steps take at least. The order is that in which scenarios begin.
  func takesLong(_ scenario: String, _ duration: Microseconds)
  /// Called again and again while nothing can be reported.
  func working(_ status: SuiteStatus)
  /// Called at the end with the most scenarios in real time that ran side by side.
  func ranSideBySide(_ count: Int)
}

extension SuiteWatcher {
  package func leftAlone(_ scenario: ScenarioResult) {}
  package func ranSideBySide(_ count: Int) {}
}

/// The progress of a suite.
package struct SuiteStatus: Sendable {
  /// The number of scenarios and rows that are done, and of those known so far.
  package var done: Int
  package var planned: Int
  /// True if all files are loaded, so that all scenarios are known.
  package var isComplete: Bool
  /// The scenarios under way: `chat.scenario.yaml  Title [row]`.
  package var running: [String]
}

/// Runs a suite on several threads. Returns the number of files that were not loaded because the
/// suite was interrupted.
///
/// Scenarios start in the order of the files, and results are reported in the same order while the
/// suite runs.
@discardableResult
package func runSuite(_ suite: Suite, watcher: some SuiteWatcher) -> Int {
  var suite = suite
  suite.runSetups(watcher)
  let work = SuiteWork(suite)
  if !work.start() { work.work(as: 0) }
  var reporter = SuiteReporter(suite)
  while let reports = work.nextReports() {
    for report in reports { reporter.take(report, watcher) }
    if reports.isEmpty { watcher.working(work.status) }
  }
  watcher.ranSideBySide(work.mostInRealTime)
  let isAbandoned = work.isAbandoned
  let unread = work.unread
  if !isAbandoned { work.join() }
  suite.records.spares.removeAll()
  return unread
}

/// Runs a suite, and reports each file when all of it is done.
package func runSuite(_ suite: Suite, report: @escaping (FileResult) -> Void) {
  _ = runSuite(suite, watcher: FileWatcher(report))
}

private final class FileWatcher: SuiteWatcher {
  private let report: (FileResult) -> Void

  init(_ report: @escaping (FileResult) -> Void) { self.report = report }

  func began(_ file: FileResult) {}
  func ran(_ scenario: ScenarioResult) {}
  func ended(_ file: FileResult) { report(file) }
  func takesLong(_ scenario: String, _ duration: Microseconds) {}
  func working(_ status: SuiteStatus) {}
}

/// Puts the results of files together.
private struct SuiteReporter {
  private let suite: Suite
  private var current = FileResult(path: "")
  /// The place of the next result.
  private var place = SuiteQueue.Place(file: 0, run: 0)
  /// The row that came last. Until the next result it may be the last of its table.
  private var lastRow: ScenarioResult?
  /// The parts that the rows of its table have exercised until now.
  private var table: TableRows?

  init(_ suite: Suite) { self.suite = suite }

  mutating func take(_ report: SuiteReport, _ watcher: some SuiteWatcher) {
    switch report {
    case .takesLong(let scenario, let duration): watcher.takesLong(scenario, duration)
    case .began(let file, let index):
      place = SuiteQueue.Place(file: index, run: 0)
      suite.records.log?.advance(to: place)
      current = file.head
      watcher.began(current)
    case .ran(let result):
      take(result, watcher)
      advance()
    case .leftAlone(let result):
      current.leftAlone += 1
      if let result {
        endTable(watcher)
        watcher.leftAlone(result)
      }
      advance()
    case .ended:
      endTable(watcher)
      if suite.run.options.updatesSnapshots { recordSnapshots() }
      watcher.ended(current)
    }
  }

  /// Lets the lines of the next run through to the log.
  private mutating func advance() {
    place.run += 1
    suite.records.log?.advance(to: place)
  }

  private mutating func take(_ result: ScenarioResult, _ watcher: some SuiteWatcher) {
    if let lastRow, lastRow.plan.extent != result.plan.extent {
      endTable(watcher)
    } else {
      reportLast(watcher, endsTable: false)
    }
    if table == nil { table = TableRows(of: result.plan, isStrict: suite.isStrict) }
    table?.take(result.verdict)
    lastRow = result
    if result.row == nil { endTable(watcher) }
  }

  private mutating func endTable(_ watcher: some SuiteWatcher) {
    reportLast(watcher, endsTable: true)
    table = nil
  }

  private mutating func reportLast(_ watcher: some SuiteWatcher, endsTable: Bool) {
    guard var row = lastRow, let table else { return }
    lastRow = nil
    row.verdict = table.verdict(row.verdict, isLast: endsTable)
    report(row, watcher)
  }

  private mutating func report(_ result: ScenarioResult, _ watcher: some SuiteWatcher) {
    current.scenarios.append(result)
    if let problem = result.traceProblem { current.traceProblems.append(problem) }
    Supervision.underWay(result.plan.work(result.row, in: current.path), isSuspect: false) {
      watcher.ran(result)
    }
  }

  private mutating func recordSnapshots() {
    for plan in current.plans.map(\.plan) where plan.takesSnapshots {
      let verdicts = current.scenarios.filter { $0.plan.extent == plan.extent }.map(\.verdict)
      current.record(plan, verdicts, areAll: plan.columns.isEmpty ? 1 : plan.rows.count)
    }
  }
}
