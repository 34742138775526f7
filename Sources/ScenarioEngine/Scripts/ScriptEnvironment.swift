import Events
import ScenarioPlan
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
  let messages: MessageMaker
  let clients: LiveClients
  let providers: Providers
  let lists: LiveLists
  let databases: LiveDatabases
  let conditions: NetworkConditions
  /// Nil if nobody records the run.
  let taps: TrafficTaps?
  let progress: ScriptProgress
  let connections: Connections
  let endpoints: EndpointDirectory
  /// Nil where no programs run.
  let programs: LivePrograms?
  /// Nil if nothing on the stage follows anything.
  let streams: LiveStreams?
  /// The Swift objects that play parts of the stage; nil if there are none.
  let subjects: (any StageSubjects)?
  private(set) lazy var actions = ActionRuns(
    shared, loop, recorder, supervisor, ScriptMaker(self), subjects)
  private(set) lazy var client = ScenarioClient(
    stage, loop, recorder, supervisor, connections, endpoints)

  init(_ run: ScenarioRun) {
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
    messages = run.messages
    clients = run.clients
    providers = run.providers
    lists = run.lists
    databases = run.databases
    conditions = run.conditions
    taps = run.taps
    progress = run.progress
    connections = run.connections
    endpoints = run.endpoints
    streams = run.streams
    subjects = run.subjects
    programs = run.programs
  }

  var plan: ScenarioPlan { shared.plan }
}
