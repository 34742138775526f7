import Diagnostics
import ScenarioEngine
import ScenarioPlan
import TextSearch
import Traces
import Verdicts

// Other steps from a recorded moment on.
extension ReplayedTraceFile {
  /// Replays the trace up to an event, and runs the scenario with the steps of a file behind the
  /// step that was under way then. The trace is its world: nothing is compared any more.
  func goOn(
    with steps: String, from event: Int, _ noise: NoiseFile, _ one: inout ReplayedCase,
    _ result: inout ReplayedFile
  ) {
    if case .failure(let problem) = readFile(steps) {
      result.diagnostics = [.unreadableTrace(visibleText(steps), problem.message)]
      return
    }
    if run.lacksSteps {
      var problem = Diagnostic.traceWithoutSteps(run.place, in: file)
      problem.severity = .error
      result.diagnostics = [problem]
      return
    }
    guard comes(to: event, inputs(one.seed), noise, &one, result) else { return }
    let loaded = scenario.continued(after: stepsBegun(by: event), with: steps, run.header, options)
    guard let loaded else { return }
    let text = result.sources.files[Int(file)]
    (result.sources, result.mask) = (loaded.sources, loaded.mask)
    _ = result.sources.add(text)
    let plan = loaded.plans.first { $0.range == self.plan.range }
    guard let plan, !loaded.diagnostics.hasErrors else {
      result.diagnostics = loaded.diagnostics.filter { $0.severity == .error }
      return
    }
    (one.plan, one.row) = (plan, run.row(of: plan))
    play(plan, from: event, with: steps, noise, &one, result)
  }

  /// The number of steps of the scenario that had begun when an event came.
  private func stepsBegun(by event: Int) -> Int {
    var count = 0
    for entry in run.entries {
      if entry.number > event { break }
      guard let step = entry.line.step else { continue }
      let path = step.prefix { $0 != " " }.split(separator: "/")
      if path.count > 1, path[0] == "steps", let number = Int(path[1]) {
        count = max(count, number + 1)
      }
    }
    return count
  }

  private func play(
    _ plan: ScenarioPlan, from event: Int, with steps: String, _ noise: NoiseFile,
    _ one: inout ReplayedCase, _ result: ReplayedFile
  ) {
    var inputs = inputs(one.seed)
    inputs.row = one.row
    let world = TraceWorld(result.path, run, noise.places, changing: ChangedAnswers([:]))
    let judged = runScenario(
      plan.changed { $0.only = [] }, inputs: inputs, sources: result.sources, in: .trace(world))
    one.verdict = judged.verdict
    guard one.verdict.outcome == .failed, !one.verdict.failures.isEmpty else { return }
    let words = ["--until", String(event), "--then", shellQuoted(fileOperand(steps))]
    let command = rerun(result.path, words)
    one.verdict.failures[0].notes.removeAll { $0.name == Diagnostic.Fact.rerun }
    one.verdict.failures[0].notes.append(.init(Diagnostic.Fact.rerun, command))
  }
}
