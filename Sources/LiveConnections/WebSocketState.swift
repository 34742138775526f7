/// How a WebSocket client stands.
public enum WebSocketState: Sendable, Equatable {
  /// As it begins; it is never told, since nothing has happened.
  case notConnected
  case connecting
  /// With the subprotocol the server chose.
  case connected(subprotocol: String?)
  case disconnected(WebSocketEnd)
}

/// Why a WebSocket client is disconnected.
public enum WebSocketEnd: Sendable, Equatable {
  case manuallyDisconnected
  /// For good.
  case terminated
  case failedToConnect(WebSocketError)
  case connectionLost(WebSocketError)
}

/// What went wrong with a WebSocket.
public enum WebSocketError: Error, Sendable, Equatable {
  /// The server answered the handshake with another status than 101.
  case status(Int, reason: String)
  /// The answer broke a rule of the handshake, under its stable name.
  case handshake(String)
  case connection(ConnectionFailure)
  /// The request could not be made.
  case request(String)
  /// The server said goodbye; 1005 stands for no code.
  case unexpectedDisconnection(code: Int, reason: String)
  /// Frames broke a rule of the protocol, under its stable name.
  case receiveFailed(String)
  case pongTimeout
  case idleTimeout
}
