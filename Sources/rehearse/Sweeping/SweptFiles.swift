import Diagnostics
import Glibc
import LiveWorld
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Secrets
import Synchronization
import Verdicts

/// A file whose scenarios are swept.
struct SweptFile: Sendable {
  var path: String
  var sources = SourceMap()
  var diagnostics: [Diagnostic] = []
  var mask = SecretMask()
}

/// A scenario, or one row of it, that is about to be swept.
struct SweptRow: Sendable {
  var plan: SharedPlan
  var row: RowPlan?
  var path: String
  var sources: SourceMap
  /// The mask of the file.
  var mask: SecretMask
  /// The number of its file, and its own there.
  var place: (file: Int, row: Int)

  var range: SourceRange { row?.range ?? plan.plan.range }

  /// The place and the title, by which a crash of one of its runs is reported.
  var nameOfCrash: String { Supervision.name(of: plan.plan, row, in: path, sources, mask) }

  func seed(_ arguments: SweepArguments) -> Int {
    arguments.seed.map { Int(truncatingIfNeeded: $0) } ?? plan.plan.seed ?? Suite.defaultSeed
  }

  func scenario(_ end: SweptCase.End, _ arguments: SweepArguments) -> SweptCase {
    let plan = plan.plan
    let mask = mask.adding(plan.secretTexts(of: row))
    let line = sources.line(of: range)
    let name = visibleText(mask.masked("\(path):\(line)  \(plan.title)"))
    var scenario = SweptCase(
      end: end, title: plan.title, name: name, line: line, row: row?.id, tags: plan.tags,
      seed: seed(arguments), mask: mask)
    if case .swept(let result) = end, arguments.pins, !result.groups.isEmpty {
      scenario.pinned = (plan, row)
    }
    return scenario
  }
}

/// A scenario, or one row of it, that was swept.
struct SweptCase: Sendable {
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
  /// The parts that are needed to write its courses as scenarios, if the option is set and some
  /// failed. Other plans are not kept until the end.
  var pinned: (plan: ScenarioPlan, row: RowPlan?)?

  func report(_ verdict: Verdict) -> ScenarioReport {
    var report = ScenarioReport(
      title: title, line: line, row: row, tags: tags, seed: seed, verdict: verdict, mask: mask)
    if case .swept(let result) = end {
      report.sweep = SweepCounts(result)
      (report.timeline, report.courses) = (result.timeline, result.courses)
    }
    return report
  }
}

/// Sweeps files and their scenarios, several at once. All runs share the workers, so that a long
/// scenario at the end has all of them.
func sweep(
  _ files: [SuiteFile], _ arguments: SweepArguments, _ inputs: PlanInputs,
  _ configurations: Configurations, _ output: SweepOutput
) {
  let sweep = FileSweep(arguments, inputs, configurations, output)
  let waiting = sweep.sweepInVirtualTime(files)
  sweep.sweepInRealTime(waiting)
}

/// The way from files to the outcomes of their courses.
private final class FileSweep: Sendable {
  private let arguments: SweepArguments
  private let inputs: PlanInputs
  private let configurations: Configurations
  private let output: SweepOutput
  private let options: SweepOptions
  private let workers: Workers

  init(
    _ arguments: SweepArguments, _ inputs: PlanInputs, _ configurations: Configurations,
    _ output: SweepOutput
  ) {
    self.arguments = arguments
    self.inputs = inputs
    self.configurations = configurations
    self.output = output
    workers = Workers(arguments.jobs ?? processorCount())
    var options = SweepOptions()
    options.workers = workers
    options.scope = arguments.scope
    let world = arguments.world
    options.world = world.asksRealEndpoints ? world.withProxies(of: inputs.environment) : world
    options.repeated = arguments.inputs.repeated(proxy: options.world.settings.proxies)
    let limit = arguments.maxTime.map { RunDeadline(of: $0, then: 0) }
    options.isInterrupted = { Interruption.wasAsked || limit?.isReached == true }
    self.options = options
  }

  /// Sweeps all scenarios but those in real time, which it returns.
  func sweepInVirtualTime(_ files: [SuiteFile]) -> [SweptRow] {
    // The rest of the files is loaded in any case, and says how many courses were not tried.
    resultsInOrder(of: Array(files.enumerated()), by: workers) { number, file in
      self.rows(of: file, number)
    }.flatMap(\.self)
  }

  private func rows(of file: SuiteFile, _ number: Int) -> [SweptRow] {
    if let crash = Supervision.crash(of: .init(file.path)) {
      output.begin(SweptFile(path: file.path, diagnostics: [.crashed(crash)]), number, rows: 0)
      return []
    }
    switch file.read() {
    case .failure(let problem):
      let swept = SweptFile(
        path: file.path, diagnostics: [Diagnostic.unreadable(file.path, problem.message)])
      output.begin(swept, number, rows: 0)
      return []
    case .success(let bytes):
      let loaded = Supervision.underWay(.init(file.path)) {
        loadScenarios(
          SourceFile(path: file.path, bytes: bytes), inputs: inputs, components: file.components,
          configuration: configurations.configuration(of: file.path))
      }
      let swept = SweptFile(
        path: file.path, sources: loaded.sources,
        diagnostics: file.wantedDiagnostics(of: loaded).sortedForReport(), mask: loaded.mask)
      let rows = rows(of: loaded, in: file, number)
      output.begin(swept, number, rows: rows.count)
      return resultsInOrder(of: rows, by: workers) { self.sweptUnlessInRealTime($0) }
        .compactMap(\.self)
    }
  }

  /// Returns the scenarios of a file that are swept, each with a row of its table if it has one.
  private func rows(of loaded: LoadedFile, in file: SuiteFile, _ number: Int) -> [SweptRow] {
    let wanted = loaded.plans.flatMap { plan in
      let shared = SharedPlan(plan)
      let rows: [RowPlan?] = plan.columns.isEmpty ? [nil] : plan.rows
      return rows.filter { file.wants(plan, $0, loaded.sources) }.map { (shared, $0) }
    }
    return wanted.enumerated().map { place, wanted in
      SweptRow(
        plan: wanted.0, row: wanted.1, path: file.path, sources: loaded.sources, mask: loaded.mask,
        place: (file: number, row: place))
    }
  }

  private func sweptUnlessInRealTime(_ row: SweptRow) -> SweptRow? {
    if let reason = row.plan.plan.reasonNotToSweep(in: options.world) {
      finish(row, .notSwept(reason: reason))
      return nil
    }
    let name = row.nameOfCrash
    if let verdict = Supervision.verdict(on: .init(name), named: name, at: row.range) {
      finish(row, .failedUndisturbed(verdict))
      return nil
    }
    if row.plan.plan.runsInRealTime(in: arguments.world) { return row }
    finish(
      row,
      result: sweepScenario(
        row.plan, inputs: inputs(of: row), sources: row.sources, options: options(of: row)))
    return nil
  }

  private func inputs(of row: SweptRow) -> RunInputs {
    var inputs = RunInputs(seed: row.seed(arguments), row: row.row)
    inputs.options.showsCredentials = arguments.showsCredentials
    return inputs
  }

  private func options(of row: SweptRow) -> SweepOptions {
    var options = options
    options.name = row.nameOfCrash
    let isShown = arguments.output.requests.contains { $0.format == .html }
    options.timelines = isShown && !arguments.scope.listsOnly ? row.mask : nil
    return options
  }

  private func finish(_ row: SweptRow, result: SweepResult) {
    guard result.good.outcome == .passed else {
      return finish(row, .failedUndisturbed(result.good))
    }
    finish(row, arguments.scope.listsOnly ? .listed(result) : .swept(result))
  }

  private func finish(_ row: SweptRow, _ end: SweptCase.End) {
    output.finish(row.scenario(end, arguments), row.place)
  }
}

// In real time, runs mostly wait, so that more of them go side by side than there are processors.
// The runs without a disturbance of all rows come first, and then the courses of all rows.
extension FileSweep {
  private static let runsOfEachProcessor = 3

  func sweepInRealTime(_ rows: [SweptRow]) {
    if rows.isEmpty { return }
    let jobs = arguments.jobs ?? FileSweep.runsOfEachProcessor * processorCount()
    let places = RunPlaces(jobs)
    let workers = Workers(jobs)
    let prepared = resultsInOrder(of: rows, by: workers) { row in
      var options = self.options(of: row)
      options.places = places
      return PreparedSweep(
        row.plan, inputs: self.inputs(of: row), sources: row.sources, options: options)
    }
    let pool = RowPool(prepared) { place, result in
      self.finish(rows[place], result: result)
      self.output.progress.countRow()
    }
    if !arguments.scope.listsOnly {
      output.progress.begin(forecast(of: prepared, jobs), rows: rows.count)
    }
    _ = resultsInOrder(of: pool.batches, by: workers, isInterrupted: options.isInterrupted) {
      pool.run($0)
      self.output.progress.countCourse()
    }
    pool.finishRest()
  }

  private func forecast(of sweeps: [PreparedSweep], _ jobs: Int) -> SweepForecast {
    var forecast = SweepForecast(jobs: min(jobs, sweeps.reduce(0) { $0 + $1.count }))
    for sweep in sweeps where sweep.count > 0 { forecast.add(sweep.count, sweep.lengths) }
    return forecast
  }
}

/// The courses of several rows, which share the workers. A row is finished with its last course.
private final class RowPool: Sendable {
  struct Batch: Sendable {
    var row: Int
    var number: Int
  }

  private struct Row: Sendable {
    var outcomes: [Int: [SweepOutcome]] = [:]
    var left: Int
    var isFinished = false
  }

  /// The courses in the order of the rows, so that the first row ends first.
  let batches: [Batch]
  private let sweeps: [PreparedSweep]
  private let finish: @Sendable (_ row: Int, SweepResult) -> Void
  private let rows: Mutex<[Row]>

  init(_ sweeps: [PreparedSweep], finish: @escaping @Sendable (Int, SweepResult) -> Void) {
    self.sweeps = sweeps
    self.finish = finish
    batches = sweeps.enumerated().flatMap { row, sweep in
      sweep.batches.indices.map { Batch(row: row, number: $0) }
    }
    rows = Mutex(sweeps.map { Row(left: $0.batches.count) })
    for row in sweeps.indices where sweeps[row].batches.isEmpty { conclude(row) }
  }

  func run(_ batch: Batch) {
    let outcomes = sweeps[batch.row].outcomes(ofBatch: batch.number)
    let isLast = rows.withLock { rows in
      rows[batch.row].outcomes[batch.number] = outcomes
      rows[batch.row].left -= 1
      return rows[batch.row].left == 0
    }
    if isLast { conclude(batch.row) }
  }

  /// Finishes the rows whose courses were not all tried.
  func finishRest() { for row in sweeps.indices { conclude(row) } }

  private func conclude(_ row: Int) {
    let outcomes: [SweepOutcome]? = rows.withLock { rows in
      if rows[row].isFinished { return nil }
      rows[row].isFinished = true
      return sweeps[row].batches.indices.flatMap { rows[row].outcomes[$0] ?? [] }
    }
    if let outcomes { finish(row, sweeps[row].result(of: outcomes)) }
  }
}
