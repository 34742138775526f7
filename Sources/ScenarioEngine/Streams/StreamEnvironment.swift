import Events
import ScenarioPlan
import Values
import World

/// The parts of a run that its streams use.
final class StreamEnvironment {
  let shared: SharedPlan
  let loop: RunLoop
  let recorder: EventRecorder
  let supervisor: ScriptSupervisor
  let stage: Stage
  let emitter: SourceEmitter
  let providers: Providers

  init(
    _ shared: SharedPlan, _ loop: RunLoop, _ recorder: EventRecorder,
    _ supervisor: ScriptSupervisor, _ stage: Stage, _ emitter: SourceEmitter,
    _ providers: Providers
  ) {
    self.shared = shared
    self.loop = loop
    self.recorder = recorder
    self.supervisor = supervisor
    self.stage = stage
    self.emitter = emitter
    self.providers = providers
  }

  var plan: ScenarioPlan { shared.plan }
  var scheduler: Scheduler { loop.scheduler }
  var cause: EventID? { recorder.cause }
  var isStopped: Bool { supervisor.isStopped }
  var isBuildingStage: Bool { emitter.isBuildingStage }
  var isFinished: PerID<SourcePlan, Bool> { emitter.isFinished }

  func caused<Result>(by cause: EventID?, _ body: () throws -> Result) rethrows -> Result {
    try recorder.caused(by: cause, body)
  }

  func note(_ kind: consuming Event.Kind) { recorder.record(kind) }
  func fail(_ problem: RunProblem) { supervisor.fail(problem) }
  func mayWork(_ count: Int) -> Bool { supervisor.mayWork(count, at: loop.now) }
  func emit(_ source: SourceID, _ value: Value) { emitter.emit(source, value) }
  func finish(_ source: SourceID, _ error: Value?) { emitter.finish(source, error) }
  func write(_ writes: [(node: NodeID, value: Value)]) { emitter.write(writes) }

  func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    try emitter.change(body)
  }

  @discardableResult
  func after(
    _ delay: Microseconds, phase: Scheduler.Phase, _ job: @escaping () -> Void
  ) -> Scheduler.TimerID {
    loop.after(delay, phase: phase, job)
  }

  func value(of slot: SlotID, locals: [Value], branch: BranchID) -> Value {
    stage.value(of: slot, locals: locals, branch: branch)
  }

  /// Evaluates data outside of any script.
  func initialValue(of data: DataPlan, _ arguments: [Value] = []) -> Value {
    supervisor.value(of: data, in: ValueReader(stage, arguments)) ?? .null
  }

  func length(of duration: DurationPlan?, _ locals: [Value]) -> Microseconds {
    supervisor.length(of: duration, in: ValueReader(stage, locals))
  }
}
