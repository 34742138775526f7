/// A connection between two parties, whatever carries the bytes.
///
/// Each transport keeps these rules, and one suite of tests runs them over all transports:
/// - Events arrive one at a time, in order, and never from inside a call.
/// - Events wait until there is a handler. Bytes and their end also wait while `isReceiving` is
///   false; other events overtake them.
/// - A failure is the last event and arrives once. Bytes that the owner has not taken by then are
///   lost.
/// - After `close` and `abort` no event arrives.
/// - If `send` returns false while sending is possible, one `writable` follows.
package protocol Transport: AnyObject {
  /// The number of the connection, counted from one in the order of connecting.
  var connection: Int { get }

  /// The stage of connecting.
  var stage: ConnectionStage { get }

  /// True if some of what was sent is not known to have reached the other side's system. At the end
  /// of a connection, it then came to its end before it had received all.
  var hasUnconfirmedBytes: Bool { get }

  /// True if bytes or an end have come that no event has reported yet.
  var hasUnreportedInput: Bool { get }

  /// The owner's handler. Events that happen while there is none wait for it.
  var onEvent: ((TransportEvent) -> Void)? { get set }

  /// True if bytes are delivered. False holds arriving bytes back until the sender has to wait.
  var isReceiving: Bool { get set }

  /// Accepts all of the bytes. False asks the sender to wait for `writable`, or means that sending
  /// has ended.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool

  /// Ends sending: the other side receives what was sent, then `ended` or `halfClosed`, and may go
  /// on sending.
  func shutDownWriting()

  /// Ends the connection with a reset.
  func abort()

  /// Ends the connection: the other side receives what was sent, then `ended`. What it sends from
  /// then on is answered with a reset.
  func close()
}

/// How far a connection has come.
package enum ConnectionStage: Sendable, Equatable {
  case connecting
  /// The proxy was asked for the other side.
  case askingProxy
  /// The two sides agree on keys.
  case securing
  case open
}

extension Transport {
  package var stage: ConnectionStage { .open }
  package var hasUnconfirmedBytes: Bool { false }
  package var hasUnreportedInput: Bool { false }
}

/// The answer to a client of another process that wants to connect.
package enum ConnectAnswer {
  case allowed, refused, unreachable
}

/// An event on a connection.
package enum TransportEvent: Sendable, Equatable {
  /// The other side accepted the connection.
  case connected
  case received([UInt8])
  /// The other side sends no more.
  case ended
  /// The other side sends no more, and is known to read on. `ended` follows when it has left.
  case halfClosed
  /// Enough bytes have left; sending may go on.
  case writable
  /// The connection is gone. No event follows.
  case failed(TransportFailure)
}

/// A maker of connections: in memory here, over sockets elsewhere.
package protocol Network: AnyObject {
  /// Accepts connections under a name; false if the name is taken.
  func listen(at name: String, accept: @escaping (any Transport) -> Void) -> Bool

  func stopListening(at name: String)

  /// Asks before a program in virtual time connects to a listener.
  func ask(before name: String, _ answer: @escaping () -> ConnectAnswer)

  /// Starts connecting; an event reports whether it succeeded. Sending may begin at once.
  func connect(to name: String) -> any Transport

  /// Does the same for a WebSocket, which does not pass a proxy that handles requests.
  func connectForWebSocket(to name: String) -> any Transport

  /// Changes the link to a name. Offline, its connections break and no others are made. Latency in
  /// microseconds is added to each direction of present and later connections.
  func setLink(to name: String, isOnline: Bool, latency: Int64)

  /// Returns whether a client of another process made a connection, and links strike it.
  func isForeign(_ connection: Int) -> Bool

  /// Returns whether a client of this network holds its end of a connection.
  func hasOwnClient(on connection: Int) -> Bool

  /// True if something may still arrive that is not queued yet.
  var mayBringMore: Bool { get }

  /// True if bytes are on their way to a listener of this network, so that the instant is not over.
  var hasBytesUnderWay: Bool { get }

  /// True if bytes of clients are on their way in memory, and arrive at listeners.
  var bringsBytesToServers: Bool { get }

  /// True if bytes were accepted for sending that have not left this process yet.
  var hasUnsentBytes: Bool { get }

  /// Ends all listeners and connections without any event, because the run is over.
  func discardAll()
}

extension Network {
  package func ask(before name: String, _ answer: @escaping () -> ConnectAnswer) {}

  package func isForeign(_ connection: Int) -> Bool { false }

  package func hasOwnClient(on connection: Int) -> Bool { true }

  package var bringsBytesToServers: Bool { false }

  package func connectForWebSocket(to name: String) -> any Transport { connect(to: name) }
}
