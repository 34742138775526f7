import LiveConnections
import Protocols

/// A client of requests and whole answers. A connection that the server keeps open serves the next
/// request.
///
/// ```swift
/// let client = HTTPClient()
/// let users: [User] = try await client.value(from: "https://api.example.com/users")
/// ```
///
/// Requests at the same time have a connection each. A request whose connection ends before the
/// server can have taken it is sent again, on a new one. A request that changes nothing, such as a
/// GET, is also sent again if the server may have taken it.
///
/// Cookies that answers set are sent with the next requests, also of copies of the client. They are
/// kept as long as the client; with `cookies: nil`, none are.
public struct HTTPClient: Sendable {
  private let loop: any ClientLoop
  private let world: (any WorldLoop)?
  private let limits: RequestDriver.Limits
  private let transport: TransportMaker?
  private let servers: KeptServers?
  private let cookies: ClientCookies?

  /// Makes a client. A request that takes longer than `timeout` throws `timedOut`; nil waits
  /// without a limit. A body of more bytes than `largestBody` throws `tooLarge`. An unused
  /// connection is kept open for `keepAlive`, or less if the server says so; nil closes each one
  /// after its answer. The `cookies` can be shared with others. A `transport` takes the place of
  /// the loop's own network, and has a connection for each request.
  public init(
    on loop: any ClientLoop = ConnectionLoop.shared, timeout: Duration? = .seconds(60),
    largestBody: Int = 64 << 20, keepAlive: Duration? = .seconds(15),
    cookies: ClientCookies? = ClientCookies(), transport: TransportMaker? = nil
  ) {
    self.loop = loop
    self.cookies = cookies
    world = loop as? any WorldLoop
    limits = RequestDriver.Limits(time: timeout?.wholeMicroseconds, bytes: largestBody)
    self.transport = transport
    let keeps = transport == nil && world?.keepsConnections == true
    servers = keeps ? keepAlive.map { KeptServers(on: loop, $0) } : nil
  }

  /// Returns the answer to a request, of any status. Redirects are followed, without credentials to
  /// another server. If the task is cancelled, the request ends.
  public nonisolated(nonsending) func response(
    to request: ClientRequest
  ) async throws(ClientError) -> ClientResponse {
    if Task.isCancelled { throw .cancelled }
    let call = PendingCall(loop, world, limits)
    let addressed = try AddressedRequest(request, schemes: ["http", "https"])
    loop.perform { [self] in call.begin(addressed, transport, servers, cookies) }
    return try await call.reply.value { [loop] in loop.perform { call.cancel() } }
  }

  /// Returns the JSON of a successful answer as a value of a type.
  ///
  /// Throws `status` for an answer with another status than 200 to 299, and `undecodable` if the
  /// body does not fit the type.
  public func value<Decoded: Decodable & Sendable>(
    _ type: Decoded.Type = Decoded.self, from request: ClientRequest
  ) async throws(ClientError) -> Decoded {
    var request = request
    if request.headers["Accept"] == nil { request.headers.add("Accept", "application/json") }
    let response = try await response(to: request)
    guard response.isSuccessful else { throw ClientError.status(response) }
    do {
      return try response.decoded(as: type)
    } catch {
      throw .undecodable(response, problem: "\(error)")
    }
  }
}

/// One request on its loop.
private final class PendingCall: @unchecked Sendable {
  let reply = Reply<ClientResponse>()
  private let loop: any ClientLoop
  private let world: (any WorldLoop)?
  private let limits: RequestDriver.Limits

  // Only jobs of the loop use these.
  private var driver: RequestDriver?
  private var forgetStop: (() -> Void)?
  private var isOver = false

  init(
    _ loop: any ClientLoop, _ world: (any WorldLoop)?, _ limits: RequestDriver.Limits
  ) {
    self.loop = loop
    self.world = world
    self.limits = limits
  }

  func begin(
    _ request: AddressedRequest, _ transport: TransportMaker?, _ servers: KeptServers?,
    _ cookies: ClientCookies?
  ) {
    if isOver { return }
    if loop.isStopped {
      reply.answer(.failure(.loopStopped))
      return
    }
    var http = request.http
    if servers == nil, !http.headers.contains("Connection") {
      http.headers.add("Connection", "close")
    }
    let environment = ClientEnvironment(
      loop, request.server, transport, world: world, cookies: cookies
    ) {
      servers?.connections(to: $0)
    }
    let driver = RequestDriver(environment: environment, http, limits) { [self] outcome in
      end(outcome.map { ClientResponse($0) }.mapError { ClientError($0, nil) })
    }
    self.driver = driver
    forgetStop = loop.whenStopped { [self] in end(.failure(.loopStopped)) }
    driver.begin()
  }

  func cancel() { end(.failure(.cancelled)) }

  private func end(_ outcome: Result<ClientResponse, ClientError>) {
    isOver = true
    forgetStop?()
    forgetStop = nil
    driver?.cancel()
    driver = nil
    reply.answer(outcome)
  }
}
