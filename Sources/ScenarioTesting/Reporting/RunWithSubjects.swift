import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TraceRecording
import Traces
import Values
import Verdicts
import VirtualTime

extension Stage {
  /// Runs a scenario with the objects of this stage, in virtual time, and returns the outcome.
  ///
  /// The main actor belongs to the run until it ends.
  @MainActor
  public func outcome(of scenario: Scenario) -> ScenarioOutcome {
    switch scenario.content {
    case .broken(let reasons): ScenarioOutcome(failing: scenario, reasons)
    case .ready(let plan, let row): run(plan, row, scenario)
    }
  }

  /// Runs a scenario and throws `ScenarioFailure` if it does not hold, for XCTest and others.
  @MainActor
  public func check(_ scenario: Scenario) throws {
    let outcome = outcome(of: scenario)
    if outcome.result == .failed { throw ScenarioFailure(outcome: outcome) }
  }

  @MainActor
  private func run(
    _ plan: SharedPlan, _ row: RowPlan?, _ scenario: Scenario
  ) -> ScenarioOutcome {
    let bindings = bindings
    if let reason = plan.plan.reasonToSkip(in: .mock, hasSubjects: !bindings.isEmpty) {
      return ScenarioOutcome(result: .skipped(reason), failures: [], trace: "")
    }
    if let problem = plan.plan.problemWithSubjects {
      return ScenarioOutcome(failing: scenario, [problem])
    }
    let executor = VirtualExecutor.shared
    executor.begin()
    defer { executor.end() }
    let subjects = LiveSubjects(
      bindings, plan.plan, row: row, seed: plan.plan.seed ?? seed)
    defer { subjects.end() }
    let mismatches = subjects.mismatches
    guard mismatches.isEmpty else {
      return ScenarioOutcome(failing: scenario, mismatches.map { .subject($0) })
    }
    let inputs = RunInputs(seed: plan.plan.seed ?? seed, row: row)
    let trace = TraceText(plan.plan, inputs, scenario.sources)
    let run = runScenario(
      plan, inputs: inputs, sources: scenario.sources, recorders: [trace.recorder],
      subjects: subjects)
    trace.recorder.finish(run.verdict, run.verdict.failures, in: scenario.sources)
    return ScenarioOutcome(run.verdict, of: scenario, trace: trace.text)
  }
}

extension ScenarioPlan {
  /// The reason why no object can play a part of this scenario; nil if it can.
  fileprivate var problemWithSubjects: Diagnostic? {
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
    var mask = TraceMask(plan.secrets, names: plan.secretNames, findsTokens: false)
    let facts = RunFacts(
      by: "ScenarioTesting \(programVersion)", row: inputs.row, seed: inputs.seed, world: "mock",
      isVirtual: true, side: .client)
    let header = TraceHeader(plan, facts, TracedFiles(sources), from: "", &mask)
    bytes += writer.write(header).bytes
    let places = PlaceTexts(sources, "")
    recorder = RunRecorder(
      plan, header, mask, place: { places.text(of: $0) }, write: { [unowned self] in write($0) })
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  private func write(_ line: TraceLine) {
    _ = writer.append(line, to: &bytes, splits: false)
  }
}
