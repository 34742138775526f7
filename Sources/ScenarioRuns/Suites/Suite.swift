import Diagnostics
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import Values
import World

/// The scenarios to run, and the way they run.
package struct Suite: Sendable {
  package var files: [SuiteFile]
  package var inputs: PlanInputs
  package var configurations = Configurations.none
  /// A seed in place of that of each scenario.
  package var seed: Int?
  /// The seed of scenarios without one, in place of the usual one.
  package var newSeed: Int?
  /// The number of scenarios that run at once.
  package var jobs: Int
  /// True if the first failure ends the suite.
  package var failsFast: Bool
  /// The number of times that a failed scenario runs again.
  package var retries: Int
  package var world: WorldKind
  package var records = RunRecords()
  /// The options that the command to repeat a failed scenario has as well.
  package var repeated = RepeatedOptions()
  /// True if `jobs` was chosen, and holds for scenarios in real time as well.
  package var hasFixedJobs: Bool
  /// The inputs of each run, which has a seed and a row of its own. Suite and runs are interrupted
  /// by the same.
  package var run: RunInputs
  /// True if what a scenario never exercises fails it.
  package var isStrict = false
  /// The number of times that each scenario runs, each time with the next seed.
  package var repetitions = 1
  /// The seed by which files and scenarios are shuffled; nil leaves them in their order.
  package var shuffleSeed: Int?
  /// The files in the order in which they were named, which the names of traces follow; nil if they
  /// run in that order.
  private(set) var pathsInOrder: [String]?
  /// The most real time of one scenario.
  package var maxTime: Microseconds?
  /// The end of the whole suite.
  private(set) var deadline: RunDeadline?
  /// The time for `finally` of a scenario that has reached its `maxTime`.
  package var finallyTime: Microseconds = 5_000_000
  /// The results that outlive a crash of the process; nil if there are no such results.
  package var kept: KeptResults?

  package init(
    files: [SuiteFile], inputs: PlanInputs = PlanInputs(), seed: Int? = nil, jobs: Int = 1,
    failsFast: Bool = false, retries: Int = 0, world: WorldKind = .mock,
    hasFixedJobs: Bool = false, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) {
    self.files = files
    self.inputs = inputs
    self.seed = seed
    self.jobs = jobs
    self.failsFast = failsFast
    self.retries = retries
    self.world = world
    self.hasFixedJobs = hasFixedJobs
    run = RunInputs(seed: Suite.defaultSeed, isInterrupted: isInterrupted)
  }

  /// Puts files and scenarios in a random order.
  package mutating func shuffle(by seed: Int) {
    shuffleSeed = seed
    pathsInOrder = files.map(\.path)
    var random = SeededRandom(seed: UInt64(bitPattern: Int64(seed)))
    files.shuffle(using: &random)
  }

  /// Ends the suite as an interruption does when a limit of time is reached.
  package mutating func end(at limit: RunDeadline) {
    deadline = limit
    run.end(at: limit)
  }

  /// Ends the suite before its next scenario.
  mutating func stop() { run.isInterrupted = { true } }

  func seed(of plan: ScenarioPlan) -> Int { seed ?? plan.seed ?? newSeed ?? Suite.defaultSeed }

  func load(_ file: SuiteFile) -> Result<LoadedFile, FileProblem> {
    if let crash = Supervision.crash(of: .init(file.path)) {
      return .failure(FileProblem(message: "the program crashed with \(crash.signal) in it"))
    }
    return Supervision.underWay(.init(file.path)) { loadAlone(file) }
  }

  private func loadAlone(_ file: SuiteFile) -> Result<LoadedFile, FileProblem> {
    var inputs = inputs
    if case .trace = world { inputs.allowsUnsetSecrets = true }
    return file.read().map {
      loadScenarios(
        SourceFile(path: file.path, bytes: $0), inputs: inputs, components: file.components,
        configuration: configurations.configuration(of: file.path))
    }
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
  /// The text, if it came from a pipe, which can be read only once.
  package var pipedText: [UInt8]?
  /// Notes what is read for the file, if changes are to be noticed.
  package var reads: FileReads?
  package var wants: Choice
  /// The choice among scenarios with errors. Their tags may be unknown, so only their place counts.
  package var wantsBroken: Choice

  package typealias Choice =
    @Sendable (_ scenario: ScenarioPlan, _ row: RowPlan?, SourceMap) -> Bool

  package init(
    path: String, wants: @escaping Choice = { _, _, _ in true },
    wantsBroken: @escaping Choice = { _, _, _ in true }
  ) {
    self.path = path
    self.wants = wants
    self.wantsBroken = wantsBroken
  }

  /// Returns the bytes of the file, or of standard input.
  package func read() -> Result<[UInt8], FileProblem> {
    if let pipedText { return .success(pipedText) }
    reads?.willRead(path)
    return readFile(path)
  }

  /// The files that it uses.
  package var components: ComponentFiles { reads?.files ?? .onDisk }

  /// Returns the selected rows of a scenario with errors.
  package func wantedRows(of broken: BrokenScenario, _ sources: SourceMap) -> [RowPlan?] {
    broken.rows.filter { wantsBroken(broken.outline, $0, sources) }
  }

  /// Returns the diagnostics of a loaded file without those of scenarios that are not selected.
  package func wantedDiagnostics(of loaded: LoadedFile) -> [Diagnostic] {
    if loaded.broken.isEmpty { return loaded.diagnostics }
    var (wanted, others): ([Diagnostic], [Diagnostic]) = ([], [])
    for broken in loaded.broken {
      if wantedRows(of: broken, loaded.sources).isEmpty {
        others += broken.errors
      } else {
        wanted += broken.errors
      }
    }
    if others.isEmpty { return loaded.diagnostics }
    return loaded.diagnostics.filter { wanted.contains($0) || !others.contains($0) }
  }
}
