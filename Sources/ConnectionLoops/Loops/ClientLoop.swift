import LiveConnections
import Protocols
import TextSearch
import World

/// The place where clients work: a serial executor with a clock and random numbers.
///
/// `ConnectionLoop` has sockets and real time. `VirtualLoop` has servers in memory and virtual
/// time. A loop of your own has no network: its clients are given a `ClientTransport`.
public protocol ClientLoop: SerialExecutor {
  /// True from `stop` on. Then no connection is made.
  var isStopped: Bool { get }

  /// Runs a job on the loop, after the jobs that were given before. It may be called on any thread.
  func perform(_ job: @escaping @Sendable () -> Void)

  /// Runs a job on the loop after a delay, and returns a function that cancels it. Both are called
  /// on the loop.
  func schedule(after delay: Duration, _ job: @escaping () -> Void) -> () -> Void

  /// Returns 64 random bits, for the keys that mask frames and for jitter. It is called on the
  /// loop.
  func randomBits() -> UInt64

  /// Runs a job when the loop is stopped, and returns a function that forgets it. Both are called
  /// on the loop.
  func whenStopped(_ job: @escaping () -> Void) -> () -> Void
}

/// A loop with a network of its own.
package protocol WorldLoop: ClientLoop {
  /// The calendar time in seconds since 1970; nil in virtual time.
  var calendarTime: Int? { get }
  /// True if a connection may serve more than one request. It is false where connecting takes no
  /// time, so that a server that is replaced counts at once.
  var keepsConnections: Bool { get }

  /// Starts connecting.
  func transport(to server: ServerAddress) -> any Transport

  /// Returns a request as it is sent to a server.
  func addressed(_ request: HTTPRequest, to server: ServerAddress) -> HTTPRequest
}

extension WorldLoop {
  package func addressed(_ request: HTTPRequest, to server: ServerAddress) -> HTTPRequest {
    request
  }
}

/// The server of a URL.
public struct ServerAddress: Sendable, Hashable {
  /// A name or an address, without the brackets of an IPv6 address.
  public var host: String
  /// The port, also if it is the usual one.
  public var port: UInt16
  /// True for `https` and `wss`.
  public var isSecure: Bool

  /// Makes an address.
  public init(host: String, port: UInt16, isSecure: Bool = false) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
  }

  init(_ url: AbsoluteURL) { self.init(host: url.host, port: url.port, isSecure: url.isSecure) }

  /// The value of the header `Host`: the port only if it is not the usual one.
  public var hostHeader: String {
    let name = host.contains(byte: UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : name + ":" + String(port)
  }
}

extension ClientEnvironment {
  /// The environment of a client on a loop. Without transports of its own it uses those of the
  /// loop.
  ///
  /// - Parameters:
  ///   - world: The loop, if it has a network of its own. A client of many requests asks that once.
  ///   - kept: Returns the open connections to a server, for a client that keeps them.
  package convenience init(
    _ loop: any ClientLoop, _ server: ServerAddress, _ makeTransport: TransportMaker? = nil,
    world: (any WorldLoop)?, cookies: ClientCookies? = nil,
    kept: @escaping (ServerAddress) -> KeptConnections? = { _ in nil }
  ) {
    let connect = { (server: ServerAddress) -> any Transport in
      if let makeTransport { return TransportAdapter(makeTransport(server), on: loop) }
      return world?.transport(to: server) ?? TransportAdapter(MissingTransport(), on: loop)
    }
    self.init(
      connect: { connect(server) },
      schedule: { loop.schedule(after: .microseconds($0), $1) }, next: { loop.randomBits() },
      address: { world?.addressed($0, to: server) ?? $0 })
    isSecure = server.isSecure
    way.kept = { kept(server) }
    way.waitForReset = { [schedule] job in _ = schedule(RequestWay.momentOfReset, job) }
    calendarTime = { world?.calendarTime }
    route = { redirect in
      guard let host = redirect.host, let isSecure = redirect.isSecure,
        case .success(let url) = AbsoluteURL.read("\(isSecure ? "https" : "http")://\(host)")
      else { return nil }
      let server = ServerAddress(url)
      var route = ClientRoute(
        host: url.hostHeader, isSecure: isSecure, connect: { connect(server) },
        address: { world?.addressed($0, to: server) ?? $0 })
      route.way.kept = { kept(server) }
      return route
    }
    if let cookies { keep(cookies, for: server, on: world) }
  }
}
