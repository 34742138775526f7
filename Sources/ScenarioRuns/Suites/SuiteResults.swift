import Diagnostics
import Glibc
import LiveWorld
import ScenarioPlan
import Secrets
import Traces
import Values
import Verdicts

/// The result of one file.
package struct FileResult: Sendable {
  package var path: String
  /// The reason why the file could not be read.
  package var problem: FileProblem?
  package var sources = SourceMap()
  package var diagnostics: [Diagnostic] = []
  /// The filter that hides the file's secrets.
  package var mask = SecretMask([])
  package var scenarios: [ScenarioResult] = []
  /// All of its scenarios without errors, also those that did not run.
  package var plans: [SharedPlan] = []
  /// True if some of its scenarios have errors, also if they were not selected.
  package var hasBroken = false
  /// The names of its variables that may be given from outside.
  package var variableNames: [String] = []
  /// The snapshots that runs have recorded.
  package var snapshotChanges: [SnapshotChange] = []
  package var snapshotProblems: [UnwrittenFile] = []
  /// The traces that could not be written.
  package var traceProblems: [UnwrittenFile] = []
  /// The number of scenarios that did not run because the suite was stopped.
  package var leftAlone = 0

  package init(path: String) { self.path = path }
}

/// The result of one scenario, or of one row of its table.
package struct ScenarioResult: Sendable {
  package var plan: ScenarioPlan { shared.plan }
  private let shared: SharedPlan
  package var row: RowPlan?
  package var seed: Int
  package var verdict: Verdict
  /// The duration in real time.
  package var wallMicroseconds: Int
  /// How late the machine was in real time; nil if nobody has measured it.
  var lag: Microseconds?
  /// The course of the run, if the report is to show it.
  package var timeline: RunTimeline?

  /// The path of the trace of the run, if it was kept.
  package var trace: String?
  /// The reason why the trace of the run could not be written.
  var traceProblem: UnwrittenFile?

  init(
    _ plan: SharedPlan, _ row: RowPlan?, seed: Int, _ verdict: Verdict, wallMicroseconds: Int
  ) {
    shared = plan
    self.row = row
    self.seed = seed
    self.verdict = verdict
    self.wallMicroseconds = wallMicroseconds
  }

  /// The mask for all that is known of the run.
  package var mask: SecretMask {
    plan.secretMask(of: row).adding(verdict.secrets).hiding(credentials: verdict.credentials)
  }

  /// True if the scenario has errors.
  package var isBroken: Bool { verdict.obstacle == .scenario }

  /// True if it ends a suite that ends at the first failure.
  var isFailure: Bool {
    switch verdict.outcome {
    case .failed, .couldNotRun: true
    case .passed, .flaky, .skipped: false
    }
  }
}

/// Returns the machine's calendar time in milliseconds since 1970, for the heads of reports.
package func calendarMilliseconds() -> Int { Int(calendarClock() / 1000) }

/// Returns microseconds of a clock that only goes forward; for reports, never for a scenario.
package func wallClock() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
}
