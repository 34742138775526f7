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
  let scheduler = Scheduler()
  let world = RunWorld(scheduler: scheduler, network: MemoryNetwork(on: scheduler))
  let run = ScenarioRun(
    SharedPlan(plan), inputs: inputs, judge: judge, world: world, observer: observer,
    replaying: replay)
  return run.run()
}

extension ScenarioRun {
  /// Fills the stage's endpoints with those of the trace. Those that it does not have are mocks.
  func play(_ director: ReplayDirector, mocks environment: MockEnvironment) {
    let played = director.trace.played
    endpoints.fill(
      .replayed(
        PerID(
          plan.endpoints.withIDs.map { id, endpoint in
            played?.contains(id) ?? true
              ? .trace(ReplayServer(self, director, id))
              : .mock(MockServer(environment, id, endpoint))
          })))
  }
}

/// Runs a plan against the recorded clients of its endpoints, in virtual time, and returns
/// everything that happened.
package func replayServing(
  _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, observer: any RunObserver,
  replaying replay: Replay
) -> EventLog {
  let scheduler = Scheduler()
  let world = RunWorld(scheduler: scheduler, network: MemoryNetwork(on: scheduler))
  let stop = StopSwitch()
  var inputs = inputs
  let isInterrupted = inputs.isInterrupted
  inputs.isInterrupted = { stop.isOn || isInterrupted() }
  inputs.serving = replay.trace.visits?.serving
  let run = ScenarioRun(
    SharedPlan(plan), inputs: inputs, judge: judge, world: world, observer: observer,
    replaying: replay)
  run.buildStage()
  if let director = run.director { director.visitors?.start(director, run.supervisor, stop) }
  return run.serveToEnd()
}
