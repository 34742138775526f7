import Events
import ScenarioPlan
import Values
import World

/// What mocks need of the run that they are part of.
struct MockEnvironment {
  let loop: RunLoop
  let recorder: EventRecorder
  let supervisor: ScriptSupervisor
  let stage: Stage
  let emitter: SourceEmitter
  let causes: ConnectionCauses
  let messages: MessageMaker
  let judge: any Judge
  let scripts: ScriptMaker
  /// Set where clients may come that are not ours.
  let serving: Serving?
  /// How long the head of such a client's request may take to arrive.
  let requestHeadTimeout: Microseconds

  var isServing: Bool { serving != nil }
  var isEndless: Bool { serving == .untilInterrupted }
}
