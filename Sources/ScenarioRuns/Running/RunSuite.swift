import Diagnostics
import Glibc
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import Synchronization
import Values
import Verdicts

/// The scenarios to run, and the way they run.
package struct Suite: Sendable {
  package var files: [SuiteFile]
  package var inputs: PlanInputs
  /// A seed in place of that of each scenario.
  package var seed: Int?
  /// The number of files that run at once.
  package var jobs: Int
  /// True if the first failure ends the suite.
  package var failsFast: Bool
  /// The number of times that a failed scenario runs again.
  package var retries: Int
  /// True if runs record their snapshots and replace the old ones.
  package var updatesSnapshots: Bool
  package var world: WorldKind
  /// The options that the command to repeat a failed scenario has as well.
  package var repeated = RepeatedOptions()
  /// The number of scenarios that run in real time at once. Nil means one for two processors: a
  /// scenario that waits for a processor is late.
  package var realTimeConcurrency: Int?
  /// Returns whether to stop; called before each scenario.
  package var isInterrupted: @Sendable () -> Bool

  package init(
    files: [SuiteFile], inputs: PlanInputs = PlanInputs(), seed: Int? = nil, jobs: Int = 1,
    failsFast: Bool = false, retries: Int = 0, updatesSnapshots: Bool = false,
    world: WorldKind = .mock, realTimeConcurrency: Int? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.files = files
    self.inputs = inputs
    self.seed = seed
    self.jobs = jobs
    self.failsFast = failsFast
    self.retries = retries
    self.updatesSnapshots = updatesSnapshots
    self.world = world
    self.realTimeConcurrency = realTimeConcurrency
    self.isInterrupted = isInterrupted
  }

  /// The seed of a scenario without one. It is fixed, so that a run is the same everywhere.
  package static let defaultSeed = 1
  /// The most files that are loaded before the first of them runs. Loading several in a row keeps
  /// the code in the processor's cache, which makes loading and running about a third faster.
  package static let largestBatch = 64
}

/// A file, and the choice of its scenarios.
package struct SuiteFile: Sendable {
  package var path: String
  package var wants: @Sendable (_ scenario: ScenarioPlan, _ row: RowPlan?, SourceMap) -> Bool

  package init(
    path: String,
    wants: @escaping @Sendable (ScenarioPlan, RowPlan?, SourceMap) -> Bool = { _, _, _ in true }
  ) {
    self.path = path
    self.wants = wants
  }
}

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
  package var plans: [ScenarioPlan] = []
  /// The names of its variables that may be given from outside.
  package var variableNames: [String] = []
  /// The snapshots that runs have recorded.
  package var snapshotChanges: [SnapshotChange] = []
  package var snapshotProblems: [SnapshotFileProblem] = []
  /// The number of scenarios that did not run because the suite was stopped.
  package var leftAlone = 0

  package init(path: String) { self.path = path }
}

/// The result of one scenario, or of one row of its table.
package struct ScenarioResult: Sendable {
  package var plan: ScenarioPlan
  package var row: RowPlan?
  package var seed: Int
  package var verdict: Verdict
  /// The duration in real time.
  package var wallMicroseconds: Int
}

/// Runs a suite on several threads. Files start in their order, and their results are reported in
/// the same order.
package func runSuite(_ suite: Suite, report: (FileResult) -> Void) {
  let work = SuiteWork(suite)
  let threads = (1..<max(1, min(suite.jobs, suite.files.count))).compactMap { _ in
    startThread { while work.takeBatch() {} }
  }
  // The caller's thread works as well, and is the only one that reports.
  while work.takeBatch() { work.handOver(report) }
  for thread in threads { pthread_join(thread, nil) }
  work.handOver(report)
}

/// The files of a suite that have not run yet, and the results that are not reported yet.
private final class SuiteWork: Sendable {
  private struct State {
    var nextFile = 0
    var nextReport = 0
    var results: [Int: FileResult] = [:]
    var hasFailed = false
  }

  private let suite: Suite
  private let batch: Int
  /// The places of scenarios that run in real time.
  private let places: RealTimeSlots
  private let state = Mutex(State())

  init(_ suite: Suite) {
    self.suite = suite
    places = RealTimeSlots(suite.realTimeConcurrency ?? max(1, processorCount() / 2))
    // Small suites are shared out evenly; in large ones the last batches are too few to matter.
    batch = max(1, min(Suite.largestBatch, suite.files.count / (4 * max(1, suite.jobs))))
  }

  /// Loads the next few files and runs them. Returns false if there are none.
  func takeBatch() -> Bool {
    let first = state.withLock { state in
      state.nextFile += batch
      return state.nextFile - batch
    }
    guard first < suite.files.count else { return false }
    let files = suite.files[first..<min(first + batch, suite.files.count)]
    let loaded = files.map { load($0) }
    for (file, loaded) in zip(files.indices, loaded) {
      let result = run(loaded, of: suite.files[file])
      state.withLock { $0.results[file] = result }
    }
    return true
  }

  /// Reports the finished files, in their order.
  func handOver(_ report: (FileResult) -> Void) {
    while let result = nextInOrder() { report(result) }
  }

  private func nextInOrder() -> FileResult? {
    state.withLock { state in
      guard let result = state.results.removeValue(forKey: state.nextReport) else { return nil }
      state.nextReport += 1
      return result
    }
  }

  private var isStopped: Bool {
    suite.isInterrupted() || (suite.failsFast && state.withLock { $0.hasFailed })
  }

  private func load(_ file: SuiteFile) -> Result<LoadedFile, FileProblem> {
    readFile(file.path).map {
      loadScenarios(SourceFile(path: file.path, bytes: $0), inputs: suite.inputs)
    }
  }

  private func run(
    _ loaded: Result<LoadedFile, FileProblem>, of file: SuiteFile
  ) -> FileResult {
    var result = FileResult(path: file.path)
    switch loaded {
    case .failure(let problem): result.problem = problem
    case .success(let loaded):
      result.sources = loaded.sources
      result.diagnostics = loaded.diagnostics
      result.mask = loaded.mask
      result.plans = loaded.plans
      result.variableNames = loaded.plans.flatMap { $0.variableNames + $0.columns.map(\.name) }
      for plan in loaded.plans { run(plan, of: file, into: &result) }
    }
    return result
  }

  private func run(_ plan: ScenarioPlan, of file: SuiteFile, into result: inout FileResult) {
    let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
    let first = result.scenarios.count
    for row in rows where file.wants(plan, row, result.sources) {
      if isStopped {
        result.leftAlone += 1
        continue
      }
      let seed = suite.seed ?? plan.seed ?? Suite.defaultSeed
      let inputs = RunInputs(seed: seed, row: row, isInterrupted: suite.isInterrupted)
      let outcome =
        plan.runsInRealTime(in: suite.world)
        ? places.take { runOne(plan, inputs, of: suite, sources: result.sources) }
        : runOne(plan, inputs, of: suite, sources: result.sources)
      if outcome.verdict.outcome == .failed { state.withLock { $0.hasFailed = true } }
      result.scenarios.append(outcome)
    }
    if suite.updatesSnapshots, plan.takesSnapshots {
      result.record(plan, result.scenarios[first...].map(\.verdict), areAll: rows.count)
    }
  }
}

private func runOne(
  _ plan: ScenarioPlan, _ inputs: RunInputs, of suite: Suite, sources: SourceMap
) -> ScenarioResult {
  let began = wallClock()
  let verdict = runAgain(atMost: suite.retries, isInterrupted: inputs.isInterrupted) {
    runScenario(
      plan, inputs: inputs, sources: sources, in: suite.world,
      updatesSnapshots: suite.updatesSnapshots, repeating: suite.repeated
    ).verdict
  }
  return ScenarioResult(
    plan: plan, row: inputs.row, seed: inputs.seed, verdict: verdict,
    wallMicroseconds: wallClock() - began)
}

/// Returns microseconds of a clock that only goes forward; for reports, never for a scenario.
package func wallClock() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
}
