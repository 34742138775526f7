import Events
import ScenarioPlan
import World

/// The parts of a run that its scripts use.
final class ScriptEnvironment {
  let shared: SharedPlan
  let inputs: RunInputs
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
    inputs = run.inputs
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
  var isEndless: Bool { inputs.isEndless }
}
