import Events
import ScenarioEngine
import ScenarioPlan
import TextSearch
import TraceRecording
import Verdicts
import World

/// A judge of a rehearsal, which shows no credentials of others.
protocol RehearsalJudge: Judge {
  /// Hides the credentials of those outside of the scenario, at most so many.
  func hideCredentials(of outside: OutsideParties, most: Int?)
}

extension ScenarioJudge: RehearsalJudge {}
extension SweepJudge: RehearsalJudge {}

/// A run of a scenario, put together: what drives it, who judges it, what records it, and what
/// watches its traffic.
///
/// Tests, disturbed runs, sweeps, served scenarios, replays and judged traces are all put together
/// here. They differ in their judge and in the role of the run.
struct Rehearsal<RunJudge: RehearsalJudge> {
  let shared: SharedPlan
  let inputs: RunInputs
  let judge: RunJudge
  /// Nil if no rule of a protocol is watched.
  let watcher: TrafficWatcher?
  private let recording: RecordingJudge?
  private let observer: (any RunObserver)?

  /// - Parameters:
  ///   - outside: Those whose credentials are hidden, unless credentials are to be shown.
  ///   - rules: The rules of protocols that the run may break.
  init(
    of shared: SharedPlan, inputs: RunInputs, judge: RunJudge,
    hiding outside: @autoclosure () -> OutsideParties, recorders: [RunRecorder] = [],
    watching rules: WatchedRules? = nil
  ) {
    self.shared = shared
    self.inputs = inputs
    self.judge = judge
    if !inputs.options.showsCredentials { judge.hideCredentials(of: outside(), most: nil) }
    let recording = recorders.isEmpty ? nil : RecordingJudge(judge, recorders)
    self.recording = recording
    watcher = rules.map { TrafficWatcher(shared, $0, next: recording) }
    observer = rules?.endpoints.isAny == true ? watcher : recording
  }

  /// Runs the scenario to its end, and returns everything that happened.
  func run(
    as role: RunRole = .test, in world: RunWorld = .simulated(),
    subjects: (any StageSubjects)? = nil
  ) -> EventLog {
    ScenarioEngine.runScenario(
      shared, as: role, inputs: inputs, judge: recording ?? judge, in: world,
      observer: observer, subjects: subjects)
  }
}
