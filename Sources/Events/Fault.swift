import ScenarioPlan
import Values

/// A fault of the scenario that struck on the way to or from an endpoint.
package struct Fault: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case refused, dropped, reset, stalled, corrupted, duplicated
    case delayed(Microseconds)
  }

  package var endpoint: EndpointID
  /// The number of the attempt to connect to the endpoint, from 1.
  package var connection: Int
  /// True if it struck on the way to the server; nil if nothing was on its way yet.
  package var isToServer: Bool?
  package var kind: Kind

  package init(endpoint: EndpointID, connection: Int, isToServer: Bool?, kind: Kind) {
    self.endpoint = endpoint
    self.connection = connection
    self.isToServer = isToServer
    self.kind = kind
  }
}
