import Protocols
import World

/// The world of a client: a way to its server, time, and random numbers.
///
/// It is one object, because each part of a client keeps it: a copy of a structure would count the
/// references of all its functions.
package final class ClientEnvironment {
  /// The way to the server.
  package var way: RequestWay
  /// Schedules a call after this many microseconds, and returns a function that cancels it.
  package var schedule: (Int64, @escaping () -> Void) -> () -> Void
  /// Returns 64 random bits.
  package var next: () -> UInt64
  /// Completes each request that opens a connection before it is sent.
  package var address: (HTTPRequest) -> HTTPRequest
  /// Called with the head of each answer, and the request that it answers.
  package var answered: (HTTPResponse, HTTPRequest) -> Void = { _, _ in }
  /// Changes a request that a redirect sends to the same server once more.
  package var redirected: (HTTPRequest) -> HTTPRequest = { $0 }
  /// The most redirects in a row that are followed; with 0, a redirect is an answer like others.
  package var mostRedirects = ClientEnvironment.usualRedirects
  package static let usualRedirects = 10
  /// The longest time until a connection is open; nil for no limit.
  package var timeout: Int64?
  /// True if the way to the server is secured, nil if that is not known.
  package var isSecure: Bool?
  /// Returns the calendar time in seconds since 1970; nil if the client has none.
  package var calendarTime: () -> Int? = { nil }
  /// Returns the way to the other server that a redirect leads to; nil if there is none.
  package var route: (Redirect) -> ClientRoute? = { _ in nil }

  package init(
    connect: @escaping () -> any Transport,
    schedule: @escaping (Int64, @escaping () -> Void) -> () -> Void,
    next: @escaping () -> UInt64, address: @escaping (HTTPRequest) -> HTTPRequest = { $0 }
  ) {
    way = RequestWay(connect: connect)
    self.schedule = schedule
    self.next = next
    self.address = address
  }

  /// Returns a number from 0 up to 1.
  func unitInterval() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// The way to another server than the one that a client was made for.
package struct ClientRoute {
  package var way: RequestWay
  /// The value of the header `Host`.
  package var host: String
  package var isSecure: Bool?
  /// Completes the request before it is sent.
  package var address: (HTTPRequest) -> HTTPRequest

  package init(
    host: String, isSecure: Bool? = nil, connect: @escaping () -> any Transport,
    address: @escaping (HTTPRequest) -> HTTPRequest = { $0 }
  ) {
    self.host = host
    self.isSecure = isSecure
    way = RequestWay(connect: connect)
    self.address = address
  }
}

/// The reason why a client refuses a call.
public enum ConnectionRefusal: String, Error, Sendable, Equatable {
  case alreadyConnected
  case stillConnecting
  case notConnected
  /// The client was terminated.
  case terminated
}
