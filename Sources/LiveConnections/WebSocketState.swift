/// The state of a WebSocket client.
public enum WebSocketState: Sendable, Equatable {
  /// The initial state; it is never reported.
  case notConnected
  case connecting
  /// The connection is open, with the subprotocol that the server chose.
  case connected(subprotocol: String?)
  case disconnected(WebSocketEnd)

  /// True while there is a connection, or an attempt to make one.
  var isOpenOrOpening: Bool {
    switch self {
    case .connecting, .connected: true
    case .notConnected, .disconnected: false
    }
  }
}

/// The reason why a WebSocket client is disconnected.
public enum WebSocketEnd: Sendable, Equatable {
  case manuallyDisconnected
  /// The client was terminated.
  case terminated
  case failedToConnect(WebSocketError)
  case connectionLost(WebSocketError)
}

/// An error of a WebSocket.
public enum WebSocketError: Error, Sendable, Equatable {
  /// The server answered the handshake with a status other than 101.
  case status(Int, reason: String)
  /// The answer broke a rule of the handshake, under its stable name.
  case handshake(String)
  case connection(ConnectionFailure)
  /// The request could not be made.
  case request(String)
  /// The server sent a close frame; 1005 stands for no code.
  case unexpectedDisconnection(code: Int, reason: String)
  /// Frames broke a rule of the protocol, under its stable name.
  case receiveFailed(String)
  /// Several pings in a row got no answer in time.
  case pongTimeout
  /// Nothing arrived for longer than the client waits.
  case idleTimeout
  /// The loop of the client was stopped.
  case loopStopped
}
