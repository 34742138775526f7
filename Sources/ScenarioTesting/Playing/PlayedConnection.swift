import ConnectionLoops
import Events
import Protocols
import Publishers
import ScenarioEngine
import ScenarioPlan

/// A Swift client that plays a connection.
enum PlayedConnection {
  case stream(EventStreamClient)
  case socket(WebSocketClient)

  /// The client, as errors name it.
  var description: String {
    switch self {
    case .stream(let client):
      switch client.format {
      case .events: "an `EventStreamClient` of events"
      case .lines: "an `EventStreamClient` of lines"
      }
    case .socket: "a `WebSocketClient`"
    }
  }

  var driver: SubjectClient {
    switch self {
    case .stream(let client): .stream(client.driver)
    case .socket(let client): .socket(client.driver)
    }
  }

  /// Returns whether the client speaks the protocol of a connection.
  func fits(_ kind: ConnectionPlan.Kind) -> Bool {
    switch (self, kind) {
    case (.stream(let client), .eventStream): client.format == .events
    case (.stream(let client), .lines): client.format == .lines
    case (.socket, .webSocket): true
    case (.stream, .webSocket), (.socket, .eventStream), (.socket, .lines): false
    }
  }

  /// Shows the states and the output of the client as those of the connection.
  @MainActor
  func follow(in world: SubjectWorld, as connection: ConnectionID) -> [AnyCancellable] {
    switch self {
    case .stream(let client):
      [
        client.statePublisher.sink { world.environment?.show($0, of: connection) },
        client.eventPublisher.sink(
          receiveCompletion: { _ in world.environment?.finish(connection) },
          receiveValue: { world.environment?.emit($0, on: connection) }),
      ]
    case .socket(let client):
      [
        client.statePublisher.sink { world.environment?.show($0, of: connection) },
        client.messagePublisher.sink(
          receiveCompletion: { _ in world.environment?.finish(connection) },
          receiveValue: { world.environment?.emit(WebSocketPayload($0), on: connection) }),
      ]
    }
  }
}

extension ConnectionPlan.Kind {
  /// The protocol, as errors name it.
  var description: String {
    switch self {
    case .eventStream: "an event stream"
    case .lines: "a stream of lines"
    case .webSocket: "a WebSocket"
    }
  }
}

// The clients that play connections.
extension LiveSubjects {
  func client(of connection: ConnectionID) -> SubjectClient? { connections[connection]?.driver }

  /// Follows the clients, in the order of the document.
  func followConnections() -> [AnyCancellable] {
    connections.sorted { $0.key < $1.key }.flatMap { $0.value.follow(in: world, as: $0.key) }
  }

  /// The clients that speak another protocol than the connection that they play.
  var unfitConnections: [SubjectFailure] {
    connections.sorted { $0.key < $1.key }.compactMap { id, client in
      let connection = plan.connections[id]
      return client.fits(connection.kind) ? nil : .unfit(client, as: connection)
    }
  }
}
