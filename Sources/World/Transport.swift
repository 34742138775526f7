/// The one door for bytes: a connection between two parties, whatever carries it.
///
/// Everything that happens on it arrives as an event, one at a time, never from inside a call.
package protocol Transport: AnyObject {
  /// The number of the connection, counted from one in the order of connecting.
  var connection: Int { get }

  /// Who is told what happens. What arrives before there is one waits for it.
  var onEvent: ((TransportEvent) -> Void)? { get set }

  /// False holds arriving bytes back, until they fill the way from the sender.
  var isReceiving: Bool { get set }

  /// Hands over bytes; all of them are taken. False asks to wait for `writable` with the next ones.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool

  /// Says goodbye: the other side sees the end of what was sent, and may go on sending.
  func shutDownWriting()

  /// Leaves without a goodbye: the other side sees a reset.
  func abort()

  /// Leaves: the other side sees the end of what was sent; what it sends from now on is reset.
  func close()
}

/// What happens on a connection.
package enum TransportEvent: Sendable, Equatable {
  /// The other side accepted the connection.
  case connected
  case received([UInt8])
  /// The other side will send no more.
  case ended
  /// Enough was delivered to go on sending.
  case writable
  /// The connection is gone; nothing follows.
  case failed(TransportFailure)
}

/// Where connections are made: in memory here, over sockets elsewhere.
package protocol Network: AnyObject {
  /// Waits for connections under a name; false when somebody already does.
  func listen(at name: String, accept: @escaping (any Transport) -> Void) -> Bool

  func stopListening(at name: String)

  /// Starts connecting; whether it succeeded is an event. Sending may begin at once.
  func connect(to name: String) -> any Transport

  /// The same for a WebSocket, which a proxy that takes requests does not let through.
  func connectForWebSocket(to name: String) -> any Transport

  /// Changes the way to a name: offline, its connections break and no others are made; latency is
  /// added to each direction of those that there are and will be.
  func setLink(to name: String, isOnline: Bool, latency: Int64)

  /// Whether something may still arrive that is not queued yet.
  var mayBringMore: Bool { get }

  /// Whether something was sent to a listener of this network that it has not been told of yet, so
  /// that the instant is not over.
  var hasBytesUnderWay: Bool { get }

  /// Whether something was handed over for sending that has not left this process yet.
  var hasUnsentBytes: Bool { get }

  /// Lets go of all listeners and connections without telling anybody: the run is over.
  func discardAll()
}

extension Network {
  package func connectForWebSocket(to name: String) -> any Transport { connect(to: name) }
}
