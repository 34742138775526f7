import Events
import ScenarioPlan
import Values
import World

/// The parts of a run that its mocks use.
final class MockEnvironment {
  let loop: RunLoop
  let recorder: EventRecorder
  let supervisor: ScriptSupervisor
  let stage: Stage
  let emitter: SourceEmitter
  let causes: ConnectionCauses
  let messages: MessageMaker
  let judge: any Judge
  let scripts: ScriptMaker
  let taps: TrafficTaps?
  /// The players of clients that are not ours, if a trace of such a conversation is replayed.
  let visitors: Visitors?
  /// The Swift objects that play parts of the stage; nil if there are none.
  let subjects: (any StageSubjects)?
  let conditions: NetworkConditions
  /// Makes a name of the network lead to a URL; nil where there are no sockets.
  let reachBehind: ((_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL>)?
  /// Set where clients may come that are not ours.
  let serving: Serving?
  /// The time within which the head of such a client's request must arrive.
  let requestHeadTimeout: Microseconds
  /// True in a run that something disturbs.
  let isDisturbed: Bool

  init(
    _ loop: RunLoop, _ recorder: EventRecorder, _ supervisor: ScriptSupervisor, _ stage: Stage,
    _ emitter: SourceEmitter, _ causes: ConnectionCauses, _ suppliers: Suppliers,
    _ judge: any Judge, _ scripts: ScriptMaker, _ inputs: RunInputs,
    _ taps: TrafficTaps?, _ visitors: Visitors?, _ subjects: (any StageSubjects)?,
    reachBehind: ((_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL>)?
  ) {
    self.subjects = subjects
    conditions = suppliers.conditions
    self.loop = loop
    self.recorder = recorder
    self.supervisor = supervisor
    self.stage = stage
    self.emitter = emitter
    self.causes = causes
    messages = suppliers.messages
    self.judge = judge
    self.scripts = scripts
    self.taps = taps
    self.visitors = visitors
    self.reachBehind = reachBehind
    serving = inputs.serving
    requestHeadTimeout = inputs.requestHeadTimeout
    isDisturbed = !inputs.disturbances.isEmpty
  }

  var isServing: Bool { serving != nil }

  var isEndless: Bool { serving == .untilInterrupted }
}
