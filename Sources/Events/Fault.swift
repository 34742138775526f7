import ScenarioPlan
import Values

/// Something that went wrong on the way to or from an endpoint, because the scenario lets it.
package struct Fault: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case refused, dropped, reset, stalled, corrupted, duplicated
    case delayed(Microseconds)
  }

  package var endpoint: EndpointID
  /// Which attempt to connect to the endpoint, from 1.
  package var connection: Int
  /// Whether what was struck was on the way to the server; nil where nothing was on its way yet.
  package var isToServer: Bool?
  package var kind: Kind

  package init(endpoint: EndpointID, connection: Int, isToServer: Bool?, kind: Kind) {
    self.endpoint = endpoint
    self.connection = connection
    self.isToServer = isToServer
    self.kind = kind
  }
}
