import Glibc
import LiveWorld
import ScenarioPlan

/// An observer of a suite that runs. It is called on the caller's thread, in the order of the files
/// and their scenarios.
package protocol SuiteWatcher: AnyObject {
  /// Called before the first scenario of a file; its result has no scenarios yet.
  func began(_ file: FileResult)
  func ran(_ scenario: ScenarioResult)
  /// Called with the whole result of a file.
  func ended(_ file: FileResult)
  /// Called again and again while nothing can be reported.
  func working(_ status: SuiteStatus)
}

/// The progress of a suite.
package struct SuiteStatus: Sendable {
  /// The number of scenarios and rows that are done, and of those known so far.
  package var done: Int
  package var planned: Int
  /// True if all files are loaded, so that all scenarios are known.
  package var isWhole: Bool
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
  let work = SuiteWork(suite)
  let threads = (0..<max(1, suite.jobs)).compactMap { worker in
    startThread { work.work(as: worker) }
  }
  if threads.isEmpty { work.work(as: 0) }
  var reporter = SuiteReporter(suite)
  while let reports = work.nextReports() {
    for report in reports { reporter.take(report, watcher) }
    if reports.isEmpty { watcher.working(work.status) }
  }
  let isAbandoned = work.isAbandoned
  let unread = work.unread
  for thread in threads where !isAbandoned { pthread_join(thread, nil) }
  return unread
}

/// Runs a suite, and reports each file when all of it is done.
package func runSuite(_ suite: Suite, report: (FileResult) -> Void) {
  withoutActuallyEscaping(report) { report in
    _ = runSuite(suite, watcher: FileWatcher(report))
  }
}

private final class FileWatcher: SuiteWatcher {
  private let report: (FileResult) -> Void

  init(_ report: @escaping (FileResult) -> Void) { self.report = report }

  func began(_ file: FileResult) {}
  func ran(_ scenario: ScenarioResult) {}
  func ended(_ file: FileResult) { report(file) }
  func working(_ status: SuiteStatus) {}
}

/// Puts the results of files together.
private struct SuiteReporter {
  private let suite: Suite
  private var current = FileResult(path: "")

  init(_ suite: Suite) { self.suite = suite }

  mutating func take(_ report: SuiteReport, _ watcher: some SuiteWatcher) {
    switch report {
    case .began(let file):
      current = file.head
      watcher.began(current)
    case .ran(let result):
      current.scenarios.append(result)
      watcher.ran(result)
    case .leftAlone: current.leftAlone += 1
    case .ended:
      if suite.updatesSnapshots { recordSnapshots() }
      watcher.ended(current)
    }
  }

  private mutating func recordSnapshots() {
    for plan in current.plans where plan.takesSnapshots {
      let verdicts = current.scenarios.filter { $0.plan.extent == plan.extent }.map(\.verdict)
      current.record(plan, verdicts, areAll: plan.columns.isEmpty ? 1 : plan.rows.count)
    }
  }
}
