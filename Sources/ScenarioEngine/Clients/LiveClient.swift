import Events
import LiveConnections
import Values

/// A client that stays connected, with any of the protocols.
protocol LiveClient: AnyObject {
  func connect() throws(ConnectionRefusal)
  func disconnect()
  func terminate()
  /// Sends a message; only a WebSocket can.
  func send(_ payload: Value) throws(ConnectionRefusal)
  /// The operation that is still pending; nil if there is none.
  var pendingState: PendingOperation.ConnectionState? { get }
  /// Lets go of everything without notifying anybody here.
  func leave()
  /// Lets go of everything without notifying anybody.
  func invalidate()
}

extension EventStreamDriver: LiveClient {
  func leave() { invalidate() }

  func send(_ payload: Value) throws(ConnectionRefusal) { throw .notConnected }

  var pendingState: PendingOperation.ConnectionState? {
    switch state {
    case .notConnected: nil
    case .connecting: .connecting
    case .connected: .connected
    case .disconnected: isWaitingToRetry ? .pausing : nil
    }
  }
}

extension WebSocketDriver: LiveClient {
  func send(_ payload: Value) throws(ConnectionRefusal) {
    if case .bytes(let bytes) = payload {
      try send(.binary(bytes))
    } else {
      try send(.text(payloadText(payload)))
    }
  }

  var pendingState: PendingOperation.ConnectionState? {
    switch state {
    case .notConnected: nil
    case .connecting: .connecting
    case .connected: .connected
    case .disconnected: isWaitingToRetry ? .pausing : nil
    }
  }
}
