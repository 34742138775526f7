import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

/// The run of a scenario of a suite, or of one row of its table.
final class SuiteRun {
  private let shared: SharedPlan
  private let inputs: RunInputs
  private let suite: Suite
  private let file: LoadedSuiteFile
  private let place: SuiteQueue.Place
  private let traceNames: TraceNames
  private let goodNames: TraceNames
  /// The reason why the trace could not be written.
  private var traceProblem: UnwrittenFile?
  /// The path of the trace that was kept.
  private var trace: String?
  /// The timeline to report: that of the last try that failed, else that of the run.
  private var timeline: RunTimeline?
  /// The good run that was there before a failed run was recorded in its place.
  private var good: GoodRun?
  /// How late the machine was in any of the runs; nil in virtual time.
  private var lag: Microseconds?
  /// The values that the run of a set-up has captured.
  private(set) var captured: [String: Value]?

  init(
    _ plan: SharedPlan, _ inputs: RunInputs, _ suite: Suite, _ file: LoadedSuiteFile,
    at place: SuiteQueue.Place, traces traceNames: TraceNames, good goodNames: TraceNames
  ) {
    self.goodNames = goodNames
    shared = plan
    self.inputs = inputs
    self.suite = suite
    self.file = file
    self.place = place
    self.traceNames = traceNames
  }

  private var plan: ScenarioPlan { shared.plan }

  func judged() -> ScenarioResult {
    let began = wallClock()
    var verdict = runAgain(atMost: suite.retries, isInterrupted: inputs.isInterrupted) {
      (suite.records.isWanted || keepsTimeline) && plan.reasonToSkip(in: suite.world) == nil
        ? recordedVerdict() : plainVerdict([])
    }
    if verdict.outcome == .failed, suite.records.timelines == .failed, isSameEachTime,
      !inputs.isInterrupted()
    {
      timeline = recordedTimeline()
    }
    if verdict.outcome == .failed, !inputs.isInterrupted(), let good = good ?? goodRun() {
      good.explain(
        &verdict, plan, inputs, RunFacts(of: plan, inputs, suite), file.head.sources)
    }
    var result = ScenarioResult(
      shared, inputs.row, seed: inputs.seed, verdict, wallMicroseconds: wallClock() - began)
    result.traceProblem = traceProblem
    result.trace = trace
    result.timeline = timeline
    result.lag = lag
    return result
  }

  private func plainVerdict(_ recorders: [RunRecorder]) -> Verdict {
    let run = runScenario(
      shared, inputs: inputs, sources: file.head.sources, in: suite.world,
      recorders: recorders, repeating: suite.repeated)
    captured = run.captured
    if let found = run.lag { lag = max(lag ?? 0, found) }
    return run.verdict
  }

  private func tracePath(_ names: TraceNames) -> String {
    names.path(of: plan, titled: file.traceTitles, inputs.row, in: file.head.sources)
  }

  /// The good run that was recorded beside the scenario. Only a run that is the same each time, and
  /// that changes no database, is compared with one.
  private func goodRun() -> GoodRun? {
    plan.hasOnlyMocks(in: suite.world) ? GoodRun(at: tracePath(goodNames)) : nil
  }

  private var isSameEachTime: Bool { plan.isSameEachTime(in: suite.world) }

  /// True if the timeline is recorded while the scenario runs. A run that is the same each time
  /// is recorded only when it has failed, by doing it again: most runs pass.
  private var keepsTimeline: Bool {
    switch suite.records.timelines {
    case .none: false
    case .failed: !isSameEachTime
    case .all: true
    }
  }

  private func recordedTimeline() -> RunTimeline {
    let recording = TimelineRecording(plan, inputs, suite, file)
    let verdict = plainVerdict([recording.recorder])
    recording.recorder.finish(verdict, verdict.failures, in: file.head.sources)
    return recording.timeline(verdict)
  }

  private func recordedVerdict() -> Verdict {
    let path = suite.records.traces == .none ? "" : tracePath(traceNames)
    let recording = RunRecording(
      plan, inputs, suite, file, at: place, path: path, keepsTimeline: keepsTimeline)
    var verdict = plainVerdict(recording.recorders)
    // The recorded run may replace it.
    if verdict.outcome == .failed { good = good ?? goodRun() }
    recording.finish(&verdict, wasInterrupted: inputs.isInterrupted())
    traceProblem = recording.problem ?? traceProblem
    trace = recording.problem == nil ? recording.keptTrace : nil
    if verdict.outcome == .failed || (suite.records.timelines == .all && timeline == nil) {
      timeline = recording.keptTimeline(verdict) ?? timeline
    }
    return verdict
  }
}

extension ScenarioPlan {
  /// True if another run with the same inputs has the same events.
  func isSameEachTime(in world: WorldKind) -> Bool {
    hasOnlyMocks(in: world) && programs.isEmpty
  }

  fileprivate func hasOnlyMocks(in world: WorldKind) -> Bool {
    worlds(in: world).areMocks && !isInRealTime && databases.isEmpty
  }
}
