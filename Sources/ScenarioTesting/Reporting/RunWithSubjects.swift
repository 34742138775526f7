import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TraceRecording
import Traces
import Verdicts
import VirtualTime
import World

extension Stage {
  /// Runs a scenario with the objects of this stage, in virtual time, and returns the outcome.
  ///
  /// The main actor belongs to the run until it ends. Disturbances are named as a sweep names them,
  /// such as `lose answer 1 of api, connection 1`. A run with them is judged as a sweep judges it.
  @MainActor
  public func outcome(of scenario: Scenario, disturb names: [String] = []) -> ScenarioOutcome {
    switch scenario.content {
    case .broken(let reasons): ScenarioOutcome(failing: scenario, reasons)
    case .ready(let plan, let row): run(plan, row, scenario, names)
    }
  }

  /// Runs a scenario and throws `ScenarioFailure` if it does not hold, for XCTest and others.
  @MainActor
  public func check(_ scenario: Scenario, disturb names: [String] = []) throws {
    let outcome = outcome(of: scenario, disturb: names)
    if outcome.result == .failed { throw ScenarioFailure(outcome: outcome) }
  }

  @MainActor
  private func run(
    _ plan: SharedPlan, _ row: RowPlan?, _ scenario: Scenario, _ names: [String]
  ) -> ScenarioOutcome {
    let isDisturbed = !names.isEmpty || !plan.plan.disturbances.isEmpty
    let reason =
      isDisturbed
      ? plan.plan.reasonNotToDisturb(hasSubjects: !bindings.isEmpty)
      : plan.plan.reasonToSkip(in: .mock, hasSubjects: !bindings.isEmpty)
    if let reason { return ScenarioOutcome(skipped: reason) }
    if let problem = plan.plan.problemWithSubjects {
      return ScenarioOutcome(failing: scenario, [problem])
    }
    var inputs = RunInputs(seed: plan.plan.seed ?? seed, row: row)
    for name in names {
      guard let disturbance = Disturbance(name: name) else {
        return ScenarioOutcome(
          failing: scenario, [.unknownDisturbance(name, at: plan.plan.range)])
      }
      inputs.options.disturbances.append(disturbance)
    }
    let subjects = PlayedCourses(bindings, plan.plan, inputs)
    return isDisturbed
      ? runDisturbed(plan, inputs, scenario, subjects)
      : runUndisturbed(plan, inputs, scenario, subjects)
  }

  @MainActor
  private func runUndisturbed(
    _ plan: SharedPlan, _ inputs: RunInputs, _ scenario: Scenario, _ courses: PlayedCourses
  ) -> ScenarioOutcome {
    let subjects = courses.make()
    defer { courses.end() }
    let mismatches = subjects.mismatches
    guard mismatches.isEmpty else {
      return ScenarioOutcome(failing: scenario, mismatches.map { .subject($0) })
    }
    let trace = TraceText(plan.plan, inputs, scenario.sources)
    let run = runScenario(
      plan, inputs: inputs, sources: scenario.sources, recorders: [trace.recorder],
      subjects: subjects)
    return trace.outcome(run.verdict.repeated(by: repeatingLine()), of: scenario)
  }

  @MainActor
  private func runDisturbed(
    _ plan: SharedPlan, _ inputs: RunInputs, _ scenario: Scenario, _ courses: PlayedCourses
  ) -> ScenarioOutcome {
    let mismatches = courses.mismatches
    guard mismatches.isEmpty else { return ScenarioOutcome(failing: scenario, mismatches) }
    let trace = TraceText(plan.plan, inputs, scenario.sources)
    let run = ScenarioRuns.runDisturbed(
      plan, inputs, scenario.sources, recorders: [trace.recorder], subjects: courses)
    return trace.outcome(run.verdict, of: scenario)
  }
}

extension Verdict {
  /// Returns the verdict with the line that runs the objects again. The command of the scenario
  /// alone would play its parts as they are written.
  fileprivate func repeated(by line: String) -> Verdict {
    var verdict = self
    for failure in verdict.failures.indices {
      for note in verdict.failures[failure].notes.indices
      where verdict.failures[failure].notes[note].name == Diagnostic.Fact.rerun {
        verdict.failures[failure].notes[note] = .init(Diagnostic.Fact.rerun, line)
      }
    }
    return verdict
  }
}

extension ScenarioPlan {
  /// The reason why no object can play a part of this scenario; nil if it can.
  var problemWithSubjects: Diagnostic? {
    if !VirtualExecutor.isAvailable {
      return Diagnostic.subject(
        SubjectFailure(.mismatch, VirtualTimeError.notAvailable.description, at: range))
    }
    guard isInRealTime else { return nil }
    return Diagnostic.subject(
      SubjectFailure(
        .mismatch, "this scenario runs in real time, and Swift objects play in virtual time",
        at: range, help: "remove `realTime`"))
  }
}

/// The trace of a run, as text.
private final class TraceText {
  private var bytes: [UInt8] = []
  private var writer = TraceWriter()
  private(set) var recorder: RunRecorder!

  init(_ plan: ScenarioPlan, _ inputs: RunInputs, _ sources: SourceMap) {
    var mask = TraceMask(
      plan, from: OutsideParties(objectsOf: plan, inputs.row, sources))
    let facts = RunFacts(
      by: "ScenarioTesting \(programVersion)", row: inputs.row, seed: inputs.seed, world: "mock",
      isVirtual: true, side: .client)
    let files = TracedFiles(sources)
    var header = TraceHeader(plan, facts, files, from: "", &mask)
    let steps = TracedSteps(sources).steps(of: plan)
    header.steps = steps.listed
    bytes += writer.write(header).bytes
    let places = PlaceTexts(files, "", steps)
    recorder = RunRecorder(
      plan, header, mask, places: places, write: { [unowned self] in write($0) })
  }

  private var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Ends the trace, and returns the outcome of its run.
  func outcome(_ verdict: Verdict, of scenario: Scenario) -> ScenarioOutcome {
    recorder.finish(verdict, verdict.failures, in: scenario.sources)
    return ScenarioOutcome(verdict, of: scenario, trace: text)
  }

  private func write(_ line: TraceLine) {
    _ = writer.append(line, to: &bytes, splits: false)
  }
}
