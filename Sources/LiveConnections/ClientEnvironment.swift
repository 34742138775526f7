import Protocols
import World

/// What a client needs of the world: a way to its server, time, and chance.
package struct ClientEnvironment {
  /// Starts connecting to the server; sending may begin at once.
  package var connect: () -> any Transport
  /// Calls back after so many microseconds, unless what it returns is called before.
  package var schedule: (Int64, @escaping () -> Void) -> () -> Void
  /// 64 bits of chance.
  package var next: () -> UInt64
  /// Each request that opens a connection, as it is to go out.
  package var address: (HTTPRequest) -> HTTPRequest
  /// True if the way to the server is secured, where that is known; redirects keep to it.
  package var isSecure: Bool?

  package init(
    connect: @escaping () -> any Transport,
    schedule: @escaping (Int64, @escaping () -> Void) -> () -> Void,
    next: @escaping () -> UInt64, address: @escaping (HTTPRequest) -> HTTPRequest = { $0 }
  ) {
    self.connect = connect
    self.schedule = schedule
    self.next = next
    self.address = address
  }

  /// A number from 0 up to 1.
  func unitInterval() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// Why a client does not do what it was told.
public enum ConnectionRefusal: String, Error, Sendable, Equatable {
  case alreadyConnected
  case stillConnecting
  case notConnected
  /// It was ended for good.
  case terminated
}
