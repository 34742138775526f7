import Diagnostics
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import ScenarioSpec
import Values
import Verdicts

extension Suite {
  /// Runs the set-ups that scenarios of the suite need, each before those of the folders inside of
  /// its own, and reports each as an entry.
  package mutating func runSetups(_ watcher: some SuiteWatcher) {
    let setups = configurations.setups
    for (number, setup) in setups.enumerated() where hasScenario(below: number) {
      guard case .waiting = setup.state, !run.isInterrupted() else { continue }
      // Their lines in a log come before those of all scenarios.
      let place = SuiteQueue.Place(file: number - setups.count, run: 0)
      configurations.setups[number].state = run(setup, at: place, watcher)
      if failsFast, case .failed = configurations.setups[number].state { stop() }
    }
  }

  /// Returns whether a scenario is to run that needs a set-up.
  private func hasScenario(below setup: Int) -> Bool {
    files.contains { file in
      guard configurations.needs(setup, file.path) else { return false }
      let loaded = FileRuns(load(file), of: file)
      return loaded.runs.contains { run in
        run.plan.map { loaded.file.head.plans[$0].plan.reasonToSkip(in: world) == nil } ?? false
      }
    }
  }

  private func run(
    _ setup: Configurations.Setup, at place: SuiteQueue.Place, _ watcher: some SuiteWatcher
  ) -> Configurations.Setup.State {
    var head = FileResult(path: setup.path)
    guard let loaded = configurations.load(setup) else { return .failed }
    head.sources = loaded.sources
    head.diagnostics = loaded.diagnostics
    head.mask = loaded.mask
    head.plans = loaded.plans.map(SharedPlan.init)
    head.variableNames = loaded.plans.flatMap(\.variableNames)
    records.log?.advance(to: place)
    watcher.began(head)
    var state = Configurations.Setup.State.failed
    if let plan = head.plans.first {
      let (result, captured) = judged(plan, LoadedSuiteFile(head), at: place, setup)
      head.scenarios = [result]
      watcher.ran(result)
      if let captured, !result.isFailure { state = .captured(captured) }
    }
    watcher.ended(head)
    return state
  }

  private func judged(
    _ plan: SharedPlan, _ file: LoadedSuiteFile, at place: SuiteQueue.Place,
    _ setup: Configurations.Setup
  ) -> (ScenarioResult, [String: Value]?) {
    if let reason = configurations.reasonNotToRun(setup.path) {
      let verdict = Verdict(.skipped(reason: reason))
      return (ScenarioResult(plan, nil, seed: 0, verdict, wallMicroseconds: 0), nil)
    }
    let work = plan.plan.work(nil, in: setup.path)
    let name = Supervision.name(
      of: plan.plan, nil, in: setup.path, file.head.sources, file.head.mask)
    let seed = seed(of: plan.plan)
    // Others need what it captures, so that it runs again in each process.
    if Supervision.crash(of: work) != nil,
      let verdict = Supervision.verdict(on: work, named: name, at: plan.plan.range)
    {
      return (ScenarioResult(plan, nil, seed: seed, verdict, wallMicroseconds: 0), nil)
    }
    var inputs = run
    inputs.seed = seed
    inputs.options.disturbances = []
    let names = traceNames
    var captured: [String: Value]?
    var result = inputs.limited(to: maxTime, then: finallyTime) { inputs in
      let run = SuiteRun(
        plan, inputs, self, file, at: place, traces: names.records, good: names.good)
      let result = Supervision.underWay(work) { run.judged() }
      captured = run.captured
      return result
    }
    result = result.naming(deadline)
    let missing = setup.names.first { captured?[$0.name.value] == nil }
    if let missing, result.verdict.outcome == .passed {
      result.verdict.outcome = .failed
      result.verdict.failures = [.notCaptured(missing.name)]
    }
    return (result, captured)
  }

  /// The names of the traces of runs, and of the good runs beside scenarios.
  var traceNames: (records: TraceNames, good: TraceNames) {
    let paths = (pathsInOrder ?? files.map(\.path)) + configurations.setups.map(\.path)
    let good = TraceNames(of: paths, in: nil)
    return (records.folder.map { TraceNames(of: paths, in: $0) } ?? good, good)
  }
}

extension Diagnostic {
  fileprivate static func notCaptured(_ name: Located<String>) -> Diagnostic {
    Diagnostic(
      "setup-without-capture", "the set-up has ended without a value for `\(name.value)`",
      labels: [.init(name.range)],
      help: "capture it in each run of the set-up; scenarios may read it")
  }
}
