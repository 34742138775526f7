import Events
import ScenarioPlan
import World

/// The suppliers of the stage with data from beyond its graph: connections, databases, providers
/// and lists.
///
/// A run makes it when something first needs it. A scenario of state alone never does, and would
/// spend a tenth of its time on making and freeing it.
final class Suppliers {
  let messages: MessageMaker
  let conditions: NetworkConditions
  let connections: Connections
  let client: ScenarioClient
  let clients: LiveClients
  let databases: LiveDatabases
  let providers: Providers
  let lists: LiveLists

  init(for run: ScenarioRun) {
    let inputs = run.inputs
    messages = MessageMaker(run.plan, readFile: inputs.readFile, run.chance)
    conditions = NetworkConditions(
      run.shared, line: inputs.line, run.loop, run.recorder, run.causes, run.stage, run.emitter,
      run.chance, replayed: run.director?.trace.replayedLinks(of: run.plan) ?? [],
      disturber: inputs.makeDisturber(run.recorder, run.world.scheduler))
    connections = Connections(
      run.shared, run.loop, run.causes, conditions, run.endpoints, run.taps)
    client = ScenarioClient(run.stage, run.recorder, run.supervisor, connections, messages)
    clients = LiveClients(client, run.emitter, run.chance)
    databases = LiveDatabases(run.loop, run.stage, run.emitter, run.supervisor, run.chance)
    providers = Providers(
      client, databases, run.emitter, run.stage, readFile: inputs.readFile, run.chance)
    lists = LiveLists(run.stage, run.emitter, providers)
    clients.subjects = run.subjects
    providers.subjects = run.subjects
    lists.subjects = run.subjects
  }

  /// Requests without an answer, and connections that stay.
  var pendingOperations: [PendingOperation] {
    clients.pendingOperations + connections.pendingOperations
  }

  /// Closes the connections to some endpoints without any event, since the run is over.
  func leave(where isLeft: (EndpointID) -> Bool) {
    clients.leave(where: isLeft)
    connections.leave(where: isLeft)
  }

  /// Lets go of what provides values and of the lines that bring them, since the run is over.
  func endAnswers() {
    providers.streams = nil
    databases.invalidate()
    conditions.forgetConnections()
  }
}
