import Events
import ScenarioPlan
import Values
import World

/// A trace whose inputs are played, and what compares the run with it.
package struct Replay {
  package var trace: ReplayedTrace
  package var guide: any ReplayGuide

  package init(_ trace: ReplayedTrace, _ guide: any ReplayGuide) {
    self.trace = trace
    self.guide = guide
  }
}

/// Runs a plan against the inputs of a trace, in virtual time, and returns everything that
/// happened.
package func replayScenario(
  _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, observer: any RunObserver,
  replaying replay: Replay
) -> EventLog {
  let parts = RunParts(
    SharedPlan(plan), inputs: inputs, judge: judge, observer: observer, replaying: replay)
  return ScenarioRun(parts).run()
}

/// Runs a plan against what its programs did in a trace, in virtual time, and returns everything
/// that happened. No program is started.
package func replayPrograms(
  _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, observer: any RunObserver,
  replaying replay: Replay
) -> EventLog {
  let (run, stop) = ScenarioRun.visited(
    plan, inputs, judge, observer, replay, servesOthers: replay.trace.visits?.serving != nil)
  // A program may ask a mock before it is ready.
  run.startVisitors(stop)
  return run.run()
}

/// Runs a plan against the recorded clients of its endpoints, in virtual time, and returns
/// everything that happened.
package func replayServing(
  _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, observer: any RunObserver,
  replaying replay: Replay
) -> EventLog {
  let (run, stop) = ScenarioRun.visited(plan, inputs, judge, observer, replay, servesOthers: false)
  run.buildStage()
  run.startVisitors(stop)
  return run.serveToEnd()
}

extension ScenarioRun {
  /// Makes a run with recorded clients, and the switch by which they end it.
  ///
  /// - Parameter servesOthers: True if the scenario has steps and clients of its own beside them.
  fileprivate static func visited(
    _ plan: ScenarioPlan, _ inputs: RunInputs, _ judge: any Judge, _ observer: any RunObserver,
    _ replay: Replay, servesOthers: Bool
  ) -> (ScenarioRun, StopSwitch) {
    var world = RunWorld.simulated()
    world.servesOthers = servesOthers
    let stop = StopSwitch()
    var inputs = inputs
    let isInterrupted = inputs.isInterrupted
    inputs.isInterrupted = { stop.isOn || isInterrupted() }
    inputs.serving = replay.trace.visits?.serving
    let parts = RunParts(
      SharedPlan(plan), inputs: inputs, judge: judge, world: world, observer: observer,
      replaying: replay)
    return (ScenarioRun(parts), stop)
  }

  fileprivate func startVisitors(_ stop: StopSwitch) {
    if let director = parts.director {
      director.visitors?.start(director, parts.supervisor, stop)
    }
  }
}
