import ScenarioPlan
import Values

/// An operation between clients and endpoints that was still open at the end of the run.
package struct PendingOperation: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A client that stays connected.
    case connection(ConnectionID, ConnectionState)
    /// A client of a Swift object that plays no connection, by the part that the object plays.
    case client(of: String, EndpointID, ConnectionState)
    /// An own request or, if endpoints are served, a request of a client from outside.
    case request(EndpointID, method: String, target: String, RequestState)
  }

  package enum ConnectionState: String, Sendable {
    case connecting, connected
    /// It was lost, and the client waits to reconnect.
    case pausing
  }

  package enum RequestState: String, Sendable {
    case unanswered
    /// It failed, and waits for its next attempt.
    case pausing
  }

  package var kind: Kind
  /// The time from which it was in this state.
  package var since: Microseconds

  package init(_ kind: Kind, since: Microseconds) {
    self.kind = kind
    self.since = since
  }
}
