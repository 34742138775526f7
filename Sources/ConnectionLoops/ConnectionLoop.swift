import Glibc
import LiveConnections
import LiveWorld
import Protocols
import World

/// An event loop for clients that stay connected, on real sockets and in real time. Everything runs
/// on the thread that calls `run`.
///
/// Clients are made here and used from that thread only: in their callbacks, and between two runs.
/// They live as long as the loop does.
public final class ConnectionLoop {
  /// The reason why a client cannot be made.
  public enum Problem: Error, Sendable, Equatable {
    /// The system has no file descriptors left.
    case noDescriptors
    /// The URL is invalid, or belongs to another kind of client.
    case unusableURL(String)
  }

  private let scheduler = Scheduler()
  private let loop: EventLoop
  private let network: SocketNetwork
  private let security: TLSContext
  private var chance: SeededRandom
  private var clients = 0

  /// Makes a loop. Certificates in `trustedFile` are trusted in addition to those of the system.
  public init(trustedFile: String? = nil) throws(Problem) {
    guard let loop = EventLoop(scheduler) else { throw .noDescriptors }
    self.loop = loop
    network = SocketNetwork(on: loop)
    var settings = TLSClientSettings()
    settings.trustedFile = trustedFile
    security = TLSContext(settings)
    var seed: UInt64 = 0
    // The keys that mask frames must not be predictable.
    _ = getentropy(&seed, MemoryLayout<UInt64>.size)
    chance = SeededRandom(seed: seed)
  }

  deinit { network.discardAll() }

  /// Makes a client of a stream of events; it does nothing until `connect`. The header fields are
  /// added to those of every stream, and replace equal ones of the URL. With a body, the method is
  /// usually `POST`.
  ///
  /// `idle` is the longest silence in microseconds, also while connecting; then the client
  /// disconnects. Without it, the client waits for a silent server without a limit.
  public func eventStream(
    _ url: String, method: String = "GET", headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], retry: RetryPolicy? = nil, idle: Int64? = nil
  ) throws(Problem) -> EventStreamClient {
    let place = try place(of: url, schemes: ["http", "https"])
    var fields = place.headers(headers)
    if !fields.contains("Host") { fields.lines.insert(HTTPHeader("Host", place.host), at: 0) }
    let request = HTTPRequest(method: method, target: place.target, headers: fields, body: body)
    return EventStreamClient(environment: place.environment, retry: retry, idle: idle) {
      [request] in
      .success(request)
    }
  }

  /// Makes a WebSocket client; it does nothing until `connect`. `idle` works as for a stream of
  /// events. If `ping` is nil, no pings are sent.
  public func webSocket(
    _ url: String, protocols: [String] = [], headers: [(name: String, value: String)] = [],
    ping: PingPolicy? = PingPolicy(), idle: Int64? = nil
  ) throws(Problem) -> WebSocketClient {
    let place = try place(of: url, schemes: ["ws", "wss"])
    let request = WebSocketClient.Request(
      host: place.host, target: place.target, protocols: protocols,
      headers: place.headers(headers))
    return WebSocketClient(environment: place.environment, ping: ping, idle: idle) {
      .success(request)
    }
  }

  /// Runs until `isEnough` returns true, or until nothing can happen any more.
  public func run(until isEnough: () -> Bool) {
    while !isEnough() {
      if scheduler.runNext(upTo: scheduler.now) { continue }
      guard scheduler.nextDue != nil || network.mayBringMore else { return }
      loop.poll(until: scheduler.nextDue)
    }
  }

  /// Runs for this many microseconds.
  public func run(for microseconds: Int64) {
    var isOver = false
    let timer = scheduler.schedule(after: microseconds, phase: .completion) { isOver = true }
    run(until: { isOver })
    scheduler.cancel(timer)
  }
}

// The addresses of clients.
extension ConnectionLoop {
  private struct Place {
    var host: String
    var target: String
    /// The authorization for the URL's name and password.
    var authorization: String?
    var environment: ClientEnvironment

    /// Returns the caller's header fields, completed by those of the URL.
    func headers(_ given: [(name: String, value: String)]) -> HTTPHeaders {
      var headers = HTTPHeaders(given.map { HTTPHeader($0.name, $0.value) })
      if let authorization, !headers.contains("Authorization") {
        headers.add("Authorization", authorization)
      }
      return headers
    }
  }

  private func place(of text: String, schemes: [String]) throws(Problem) -> Place {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard schemes.contains(scheme) else {
      throw .unusableURL("a URL here begins with `\(schemes[0])://` or `\(schemes[1])://`: \(text)")
    }
    // A fragment is never sent.
    let text = String(text.prefix { $0 != "#" })
    let query = text.firstIndex(of: "?")
    switch AbsoluteURL.read(String(text[..<(query ?? text.endIndex)])) {
    case .failure(let problem): throw .unusableURL(problem.message)
    case .success(let url):
      let path = url.path.isEmpty ? "/" : url.path
      return Place(
        host: url.hostHeader, target: path + (query.map { String(text[$0...]) } ?? ""),
        authorization: url.authorization,
        environment: environment(to: url))
    }
  }

  private func environment(to url: AbsoluteURL) -> ClientEnvironment {
    clients += 1
    let name = "client \(clients)"
    network.destinations[name] = Destination(
      .internet(host: url.host, port: url.port),
      security: url.isSecure ? TLSClient(host: url.host, context: security) : nil)
    let draws = Draws(chance.stream(name))
    var environment = ClientEnvironment(
      connect: { [network] in network.connect(to: name) },
      schedule: { [scheduler] delay, job in
        let timer = scheduler.schedule(after: delay, phase: .source, job)
        return { scheduler.cancel(timer) }
      }, next: { draws.next() })
    environment.isSecure = url.isSecure
    environment.route = { [weak self] redirect in self?.route(to: redirect) }
    return environment
  }

  private func route(to redirect: Redirect) -> ClientRoute? {
    guard let host = redirect.host, let isSecure = redirect.isSecure,
      case .success(let url) = AbsoluteURL.read("\(isSecure ? "https" : "http")://\(host)")
    else { return nil }
    let connect = environment(to: url).connect
    return ClientRoute(host: url.hostHeader, isSecure: isSecure, connect: connect)
  }
}

/// The random numbers of one client.
private final class Draws {
  private var chance: SeededRandom

  init(_ chance: SeededRandom) { self.chance = chance }

  func next() -> UInt64 { chance.next() }
}
