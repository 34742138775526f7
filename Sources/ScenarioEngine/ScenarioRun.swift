import Events
import ScenarioPlan
import Values
import World

/// Runs a plan to its end in a world, which is the run's own, and returns everything that happened.
///
/// The judge sees each event as it is logged and decides when the script may go on. The role says
/// whether the steps, clients outside, a trace or a recording drive the run.
package func runScenario(
  _ plan: SharedPlan, as role: RunRole = .test, inputs: RunInputs, judge: any Judge,
  in world: RunWorld = .simulated(), observer: (any RunObserver)? = nil,
  subjects: (any StageSubjects)? = nil
) -> EventLog {
  if case .judged(let recording, let nextPiece) = role {
    return judgeRecording(
      recording, by: plan.plan, inputs: inputs, judge: judge, nextPiece: nextPiece)
  }
  let parts = RunParts(
    plan, role: role, inputs: inputs, judge: judge, world: world, observer: observer,
    subjects: subjects)
  return ScenarioRun(parts).run()
}

/// A run of a scenario from its beginning to its end. Its parts do the work.
final class ScenarioRun {
  let parts: RunParts
  /// True once the steps have come to their end without a failure.
  private(set) var haveStepsHeld = false
  /// The pending waits when the steps stopped at a failure.
  var standstill: Standstill?

  init(_ parts: RunParts) { self.parts = parts }

  func run() -> EventLog {
    let visitors = parts.director?.visitors
    // A recorded program may ask a mock before it is ready.
    if !parts.role.hasClientsOutside { visitors?.start(parts) }
    buildStage()
    if case .served(let service) = parts.role {
      guard service.whenReady() else { return close() }
      parts.loop.obeyCommands = { [unowned self] in obey(service.takeCommands()) }
    }
    if parts.role.hasClientsOutside { visitors?.start(parts) }
    if parts.isEndless { serve() } else { runSteps() }
    if parts.serving == .untilStopped, haveStepsHeld { parts.loop.serve() }
    runFinally()
    if parts.role.hasClientsOutside { drainConnections() }
    return end()
  }

  func buildStage() {
    if !parts.inputs.options.disturbances.isEmpty { parts.planOutages() }
    if parts.loop.isInRealTime { parts.recorder.record(.run(.inRealTime)) }
    if parts.streams != nil || !parts.plan.follows.isEmpty || !parts.plan.starts.isEmpty {
      parts.emitter.follow(by: parts.streams) { [unowned self] in sendFollowing($0, $1) }
    }
    parts.emitter.buildStage {
      let secrets = parts.stage.evaluateVariables(parts.supervisor)
      if !secrets.isEmpty { parts.recorder.record(.run(.secretsKnown(secrets))) }
      if !parts.plan.databases.isEmpty { parts.suppliers.databases.open() }
      parts.stage.build(parts.emitter, parts.supervisor, playedBy: parts.subjects)
      if !parts.plan.endpoints.isEmpty { parts.startServers() }
    }
    parts.startPrograms()
    let actsByItself = !parts.role.hasClientsOutside
    parts.emitter.buildStage {
      parts.streams?.start()
      if !parts.plan.lists.isEmpty { parts.suppliers.lists.start(loading: actsByItself) }
      if !parts.plan.connections.isEmpty { parts.suppliers.clients.start() }
    }
    parts.subjects?.begin(on: SubjectEnvironment(parts))
    if actsByItself { parts.emitter.sendActionsAtStart() }
    parts.loop.settle()
    parts.emitter.sampleInvariants()
  }

  /// Sends an action that no step sends. An object that plays a whole component decides by itself
  /// what its actions follow.
  private func sendFollowing(_ action: ActionID, _ payload: Value) {
    if let subjects = parts.subjects, subjects.governs(parts.plan.actions[action].reactor) {
      return
    }
    parts.actions.send(action, payload)
  }

  func runSteps() {
    runScript(parts.plan.steps)
    noteFailuresOfSubjects()
    parts.programs?.reportUnexpectedExits()
    noteStandstill()
    haveStepsHeld = !parts.supervisor.isStopped
    if haveStepsHeld {
      parts.recorder.record(.run(.stepsEnded))
    } else if !parts.supervisor.isInterrupted {
      parts.endpoints.remotes?.driftChecker?.noteWhatDidNotCome()
    }
  }

  private func noteFailuresOfSubjects() {
    guard let subjects = parts.subjects, !parts.supervisor.isInterrupted else { return }
    for failure in subjects.failures(hasFailed: parts.supervisor.isStopped) {
      parts.supervisor.stop()
      parts.recorder.record(.run(.failed(.subject(failure))))
    }
  }

  /// Runs `finally` regardless of the end of the steps. Its assertions see only its own events.
  func runFinally() {
    guard let finally = parts.plan.finally, parts.director?.guide.isOver != true else { return }
    if parts.supervisor.isInstantEndless { parts.loop.leaveEndlessInstant() }
    parts.supervisor.beginFinally()
    parts.recorder.record(.run(.finallyBegan))
    runScript(finally)
  }

  func runScript(_ frame: FramePlan) {
    let script = ScriptRun(parts, frame: frame, role: .steps(branch: .main))
    script.onEnd = { [unowned parts] outcome in
      if case .failed(let failure) = outcome { parts.supervisor.fail(failure.problem) }
    }
    parts.loop.run(script)
  }

  /// Logs how the run stands at its end, frees everything, and returns the log.
  func end() -> EventLog {
    if haveStepsHeld, !parts.supervisor.isStopped { parts.programs?.awaitLastEnds() }
    let ours = parts.suppliersMade?.pendingOperations ?? []
    parts.endPrograms()
    parts.loop.noteLag()
    note(ours)
    if parts.inputs.notesActions {
      parts.recorder.record(
        .run(
          .actionsAtEnd(
            ended: parts.actions.endedActions.sorted(),
            running: parts.actions.runningActions.sorted())))
    }
    return close()
  }

  func close() -> EventLog {
    parts.recorder.record(
      .run(.ended(unused: parts.unusedParts, standstill: standstill, parts: parts.stageParts)))
    parts.release()
    return parts.recorder.log
  }

  /// Adds the operations to the log that are still pending: connections that stay, requests without
  /// an answer, and requests that wait for their next attempt.
  private func note(_ ours: [PendingOperation]) {
    let ends = ours + (parts.isServing ? parts.endpoints.mocks.flatMap(\.pendingOperations) : [])
    if !ends.isEmpty { parts.recorder.record(.run(.pendingAtEnd(ends))) }
  }
}
