import Diagnostics
import Glibc
import LiveWorld
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Secrets
import Synchronization
import Values
import Verdicts

/// A file whose scenarios were swept.
struct SweptFile: Sendable {
  var path: String
  var sources = SourceMap()
  var diagnostics: [Diagnostic] = []
  var mask = SecretMask()
  var scenarios: [SweptScenario] = []
}

/// A scenario, or one row of it, that was swept.
struct SweptScenario: Sendable {
  enum End: Sendable {
    case notSwept(reason: String)
    /// It fails without a disturbance.
    case failedUndisturbed(Verdict)
    /// The courses were only found.
    case listed(SweepResult)
    case swept(SweepResult)
  }

  var end: End
  var title: String
  /// The place and the title, as the command shows them.
  var name: String
  var line: Int
  var row: String?
  var tags: [String]
  var seed: Int
  var mask: SecretMask
  /// The warnings about what the scenario says of its sweep.
  var warnings: [Diagnostic] = []
  /// What is needed to write its courses as scenarios, if that is wanted and some failed. Other
  /// plans are not kept until the end.
  var pinned: (plan: ScenarioPlan, row: RowPlan?)?

  func report(_ verdict: Verdict) -> ScenarioReport {
    ScenarioReport(
      title: title, line: line, row: row, tags: tags, seed: seed, verdict: verdict, mask: mask)
  }
}

/// Sweeps files and their scenarios, several at once. All runs share the workers, so that a long
/// scenario at the end has all of them.
func sweep(
  _ files: [SuiteFile], _ arguments: SweepArguments, _ inputs: PlanInputs,
  _ configurations: Configurations
) -> [SweptFile] {
  let workers = Workers(arguments.jobs ?? processorCount())
  let sweep = FileSweep(arguments, inputs, configurations, workers)
  // The rest of the files is loaded in any case, and says how many courses were not tried.
  return resultsInOrder(of: files, by: workers) { sweep.swept($0) }
}

/// The way from a file to the outcomes of its courses.
private final class FileSweep: Sendable {
  private let arguments: SweepArguments
  private let inputs: PlanInputs
  private let configurations: Configurations
  private let options: SweepOptions
  private let workers: Workers
  /// Held while a scenario is swept in real time, which has more runs side by side than there are
  /// workers, and says how far it is.
  private let realTime = Mutex(())

  init(
    _ arguments: SweepArguments, _ inputs: PlanInputs, _ configurations: Configurations,
    _ workers: Workers
  ) {
    self.arguments = arguments
    self.inputs = inputs
    self.configurations = configurations
    self.workers = workers
    var options = SweepOptions()
    options.workers = workers
    options.pairs = arguments.pairs
    options.allPlaces = arguments.allPlaces
    options.listsOnly = arguments.lists
    let world = arguments.world
    options.world = world.asksRealEndpoints ? world.withProxies(of: inputs.environment) : world
    options.repeated.proxy = options.world.settings.proxies
    options.repeated.variables = arguments.variables.map { ($0.name, $0.value) }
    options.repeated.variableFiles = arguments.variableFiles
    options.repeated.environmentFiles = arguments.environmentFiles
    let limit = arguments.maxTime.map { TimeLimit(of: $0, then: 0) }
    options.isInterrupted = { Interruption.wasAsked || limit?.isReached == true }
    self.options = options
  }

  func swept(_ file: SuiteFile) -> SweptFile {
    if let crash = Supervision.crash(of: .init(file.path)) {
      return SweptFile(path: file.path, diagnostics: [.crashed(crash)])
    }
    switch file.read() {
    case .failure(let problem):
      return SweptFile(
        path: file.path, diagnostics: [Diagnostic.unreadable(file.path, problem.message)])
    case .success(let bytes):
      let loaded = Supervision.underWay(.init(file.path)) {
        loadScenarios(
          SourceFile(path: file.path, bytes: bytes), inputs: inputs, components: file.components,
          configuration: configurations.configuration(of: file.path))
      }
      var swept = SweptFile(
        path: file.path, sources: loaded.sources,
        diagnostics: file.wantedDiagnostics(of: loaded).sortedForReport(), mask: loaded.mask)
      let wanted = scenarios(of: loaded, in: file)
      swept.scenarios = resultsInOrder(of: wanted, by: workers) { plan, row in
        self.swept(plan, row, file.path, loaded)
      }
      return swept
    }
  }

  /// Returns the scenarios of a file that are swept, each with a row of its table if it has one.
  private func scenarios(
    of loaded: LoadedFile, in file: SuiteFile
  ) -> [(plan: SharedPlan, row: RowPlan?)] {
    loaded.plans.flatMap { plan in
      let shared = SharedPlan(plan)
      let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
      return rows.filter { file.wants(plan, $0, loaded.sources) }.map { (shared, $0) }
    }
  }

  private func swept(
    _ shared: SharedPlan, _ row: RowPlan?, _ path: String, _ loaded: LoadedFile
  ) -> SweptScenario {
    let plan = shared.plan
    let mask = loaded.mask.adding(plan.secretTexts(of: row))
    let line = loaded.sources.line(of: row?.range ?? plan.range)
    let seed =
      arguments.seed.map { Int(truncatingIfNeeded: $0) } ?? plan.seed ?? Suite.defaultSeed
    let name = visibleText(mask.masked("\(path):\(line)  \(plan.title)"))
    func scenario(_ end: SweptScenario.End) -> SweptScenario {
      SweptScenario(
        end: end, title: plan.title, name: name, line: line, row: row?.id, tags: plan.tags,
        seed: seed, mask: mask)
    }
    if let reason = plan.reasonNotToSweep(in: options.world) {
      return scenario(.notSwept(reason: reason))
    }
    let place = Supervision.name(of: plan, row, in: path, loaded.sources, mask)
    if let verdict = Supervision.verdict(
      on: .init(place), named: place, at: row?.range ?? plan.range)
    {
      return scenario(.failedUndisturbed(verdict))
    }
    var inputs = RunInputs(seed: seed, row: row)
    inputs.showsCredentials = arguments.showsCredentials
    // Its runs are under way on several threads, each with its course.
    let result = Supervision.underWay(.init(place), isSuspect: false) { [inputs] in
      self.result(of: shared, inputs, loaded.sources, name, place)
    }
    Supervision.addDone(.init(place))
    guard result.good.outcome == .passed else {
      return scenario(.failedUndisturbed(result.good))
    }
    if arguments.lists { return scenario(.listed(result)) }
    var swept = scenario(.swept(result))
    swept.warnings = plan.warningsOfSweep
    if arguments.pins, !result.groups.isEmpty { swept.pinned = (plan, row) }
    return swept
  }

  private func result(
    of shared: SharedPlan, _ inputs: RunInputs, _ sources: SourceMap, _ name: String,
    _ place: String
  ) -> SweepResult {
    var options = options
    options.name = place
    guard shared.plan.runsInRealTime(in: arguments.world) else {
      return sweepScenario(shared, inputs: inputs, sources: sources, options: options)
    }
    return realTime.withLock { _ in
      sweepScenario(
        shared, inputs: inputs, sources: sources,
        options: optionsInRealTime(options, called: name))
    }
  }

  /// Returns the options for a scenario in real time. Runs mostly wait, so that more of them go
  /// side by side than there are processors.
  private func optionsInRealTime(_ options: SweepOptions, called name: String) -> SweepOptions {
    var options = options
    options.jobs = arguments.jobs ?? 2 * processorCount()
    let progress = SweepProgress(
      name, showsForecast: arguments.detail != .quiet,
      showsStatus: isatty(STDERR_FILENO) != 0 && arguments.detail != .quiet)
    options.onForecast = { progress.begin($0) }
    options.onRunEnded = { progress.countRun() }
    return options
  }
}
