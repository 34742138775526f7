import ScenarioPlan
import Values

/// Something between clients and endpoints that was not over when the run was.
package struct PendingOperation: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A client that stays connected.
    case connection(ConnectionID, ConnectionState)
    /// A request of ours, or, where endpoints are served, of a client from outside.
    case request(EndpointID, method: String, target: String, RequestState)
  }

  package enum ConnectionState: String, Sendable {
    case connecting, connected
    /// It was lost, and the client is about to come back.
    case pausing
  }

  package enum RequestState: String, Sendable {
    case unanswered
    /// It failed, and is about to be sent again.
    case pausing
  }

  package var kind: Kind
  /// Since when it stands so.
  package var since: Microseconds

  package init(_ kind: Kind, since: Microseconds) {
    self.kind = kind
    self.since = since
  }
}
