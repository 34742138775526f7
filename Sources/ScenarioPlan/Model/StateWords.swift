import TextSearch

/// The words that say of which kind a state is, where it is one of several: of a field that loads,
/// of a connection, and of why there is none any more.
package enum StateWords {
  package static let ofLoads = ["none", "loading", "loaded", "error"]
  package static let ofConnections = ["notConnected", "connecting", "connected", "disconnected"]
  package static let endsOfStreams = [
    "manuallyDisconnected", "terminated", "streamEnded", "streamError",
  ]
  package static let endsOfSockets = [
    "manuallyDisconnected", "terminated", "failedToConnect", "connectionLost",
  ]

  /// The reason of a failure, as a word or as the key of a map.
  package static let errorsOfConnections = [
    "idleTimeout", "eventTooLarge", "pongTimeout", "handshake", "receiveFailed",
    "unexpectedDisconnection", "reason", "status",
  ]

  /// Returns whether two words are kinds of one value.
  package static func areKinds(_ one: String, _ other: String) -> Bool {
    [ofLoads, ofConnections, endsOfStreams, endsOfSockets].contains {
      $0.contains(one) && $0.contains(other)
    }
  }
}
