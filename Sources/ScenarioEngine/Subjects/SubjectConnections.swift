import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// The part that acts of a Swift client, which plays a connection.
package enum SubjectClient {
  case stream(EventStreamDriver)
  case socket(WebSocketDriver)

  var live: any LiveClient {
    switch self {
    case .stream(let driver): driver
    case .socket(let driver): driver
    }
  }
}

// The connections of Swift objects.
extension SubjectEnvironment {
  /// Returns the endpoint with this name, or with this host in its URL.
  package func endpoint(at host: String) -> EndpointID? { plan.endpoint(at: host) }

  /// Starts connecting to an endpoint. Network conditions, faults and recorders treat the line like
  /// that of a connection of the scenario.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - part: The name of the part that the object plays. A connection's own states are shown.
  package func connect(to endpoint: EndpointID, by part: String) -> any Transport {
    let connections = run.suppliers.connections
    let transport = CauseTrackingTransport(connections, to: endpoint, isWebSocket: false)
    let isConnection = plan.connections.withIDs.contains { id, connection in
      connection.name == part && run.subjects?.client(of: id) != nil
    }
    if !isConnection { connections.note(transport, to: endpoint, by: part) }
    return connections.tapped(transport, to: endpoint)
  }

  /// Returns a connection that fails, because there is no endpoint.
  package func refuseConnection() -> any Transport {
    RefusedTransport { [run] job in run.loop.after(0, phase: .source, job) }
  }
}

// The clients that play connections.
extension SubjectEnvironment {
  package func show(_ state: EventStreamState, of connection: ConnectionID) {
    run.suppliers.clients.show(stateValue(state), of: connection)
  }

  package func show(_ state: WebSocketState, of connection: ConnectionID) {
    run.suppliers.clients.show(stateValue(state), of: connection)
  }

  package func emit(_ event: ServerSentEvent, on connection: ConnectionID) {
    let plan = plan.connections[connection]
    run.suppliers.clients.emitArrived(arrivedValue(event, on: plan), on: plan)
  }

  package func emit(_ message: WebSocketPayload, on connection: ConnectionID) {
    run.suppliers.clients.emitArrived(messageValue(message), on: plan.connections[connection])
  }

  /// Ends the sources of a connection, whose client was ended for good.
  package func finish(_ connection: ConnectionID) {
    run.suppliers.clients.finish(plan.connections[connection])
  }
}
