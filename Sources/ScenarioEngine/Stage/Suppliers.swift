import Events
import ScenarioPlan

/// The suppliers of the stage with data from beyond its graph: connections, databases, providers
/// and lists.
///
/// A run makes it when something first needs it. A scenario of state alone never does.
final class Suppliers {
  let messages: MessageMaker
  let conditions: NetworkConditions
  let connections: Connections
  let client: ScenarioClient
  let clients: LiveClients
  let databases: LiveDatabases
  let providers: Providers
  let lists: LiveLists

  init(_ run: RunParts) {
    messages = MessageMaker(run.plan, readFile: run.inputs.readFile, run.chance)
    conditions = NetworkConditions(run)
    connections = Connections(run, conditions)
    client = ScenarioClient(run, connections, messages)
    clients = LiveClients(run, client)
    databases = LiveDatabases(run)
    providers = Providers(run, client, databases)
    lists = LiveLists(run, providers)
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
    databases.invalidate()
    conditions.forgetConnections()
  }
}
