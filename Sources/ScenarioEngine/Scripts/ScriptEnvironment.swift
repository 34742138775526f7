import Events
import ScenarioPlan
import TextSearch
import World

/// The parts of a run that its scripts use.
final class ScriptEnvironment {
  let shared: SharedPlan
  let isEndless: Bool
  let isServing: Bool
  let playsRecording: Bool
  /// The row as part of files' names.
  let rowName: String?
  let loop: RunLoop
  let recorder: EventRecorder
  let supervisor: ScriptSupervisor
  let judge: any Judge
  let stage: Stage
  let emitter: SourceEmitter
  /// Nil if nobody records the run.
  let taps: TrafficTaps?
  let progress: ScriptProgress
  let endpoints: EndpointDirectory
  /// Nil where no programs run.
  let programs: LivePrograms?
  /// Nil if nothing on the stage follows anything.
  let streams: LiveStreams?
  /// The Swift objects that play parts of the stage; nil if there are none.
  let subjects: (any StageSubjects)?
  /// Makes what supplies the stage with data from beyond its graph, unless that was done.
  private unowned let run: ScenarioRun
  /// Nil until an action is sent.
  private var actionsSent: ActionRuns?

  init(_ run: ScenarioRun) {
    self.run = run
    shared = run.shared
    isEndless = run.inputs.isEndless
    isServing = run.inputs.serving != nil
    playsRecording = run.inputs.playsRecording
    rowName = run.inputs.rowName
    loop = run.loop
    recorder = run.recorder
    supervisor = run.supervisor
    judge = run.judge
    stage = run.stage
    emitter = run.emitter
    taps = run.taps
    progress = run.progress
    endpoints = run.endpoints
    streams = run.streams
    subjects = run.subjects
    programs = run.programs
  }

  var plan: ScenarioPlan { shared.plan }
  var suppliers: Suppliers { run.suppliers }
  var actions: ActionRuns { actionsSent ?? makeActions() }

  private func makeActions() -> ActionRuns {
    let actions = ActionRuns(shared, loop, recorder, supervisor, ScriptMaker(self), subjects)
    actionsSent = actions
    return actions
  }

  /// Breaks the circles between actions and their scripts.
  func invalidate() { actionsSent?.invalidate() }
}
