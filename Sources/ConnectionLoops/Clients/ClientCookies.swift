import LiveConnections
import LiveWorld
import Protocols
import Synchronization

/// The cookies that servers have set, kept as a browser keeps them.
///
/// An ``HTTPClient`` has cookies of its own. Other clients send those that they are given, so that
/// a login by a request holds for an event stream and a WebSocket as well:
///
/// ```swift
/// let cookies = ClientCookies()
/// let client = HTTPClient(cookies: cookies)
/// let news = EventStreamClient("https://api.example.com/news", cookies: cookies)
/// ```
///
/// They live in memory. A cookie goes to the host that set it, or to all hosts of its `Domain`, by
/// its `Path` and until its end; a `Secure` one only to `https` and `wss`, and to this machine.
public final class ClientCookies: Sendable {
  private let jar = Mutex(CookieJar())

  /// Makes a place without cookies.
  public init() {}

  /// Removes all cookies, as at the end of a session.
  public func removeAll() { jar.withLock { $0 = CookieJar() } }

  func take(_ answer: HTTPResponse, to request: HTTPRequest, now: () -> Int) {
    guard answer.headers.contains("Set-Cookie") else { return }
    let (host, path, now) = (request.headers["Host"] ?? "", HTTPTarget(request.target).path, now())
    jar.withLock { $0.store(answer.headers, host: host, path: path, now: now) }
  }

  /// Returns a request with its cookies in place of those that it has.
  func added(to request: HTTPRequest, isSecure: Bool, now: () -> Int) -> HTTPRequest {
    var request = request
    request.headers["Cookie"] = nil
    guard jar.withLock({ !$0.isEmpty }) else { return request }
    let (host, path, now) = (request.headers["Host"] ?? "", HTTPTarget(request.target).path, now())
    let cookies = jar.withLock {
      $0.cookies(host: host, path: path, isSecure: isSecure || isLoopback(host), now: now)
    }
    if !cookies.isEmpty {
      let pairs = cookies.map { "\($0.name)=\($0.value)" }
      request.headers["Cookie"] = pairs.joined(separator: "; ")
    }
    return request
  }
}

extension ClientEnvironment {
  /// Sends each request of a client with its cookies, and keeps the cookies of the answers. A
  /// header `Cookie` of the client's own replaces them at its own server.
  func keep(_ cookies: ClientCookies, for server: ServerAddress, on world: (any WorldLoop)?) {
    let now = {
      guard let world else { return Int(calendarClock() / 1_000_000) }
      return world.calendarTime ?? (world as? VirtualLoop).map { Int($0.now.components.seconds) }
        ?? 0
    }
    var isSecure = server.isSecure
    var isComplete = false
    address = { [address] request in
      isSecure = server.isSecure
      isComplete = request.headers.contains("Cookie")
      return address(
        isComplete ? request : cookies.added(to: request, isSecure: isSecure, now: now))
    }
    answered = { cookies.take($0, to: $1, now: now) }
    redirected = { request in
      isComplete ? request : cookies.added(to: request, isSecure: isSecure, now: now)
    }
    route = { [route] redirect in
      guard var found = route(redirect) else { return nil }
      let address = found.address
      found.address = { request in
        (isSecure, isComplete) = (redirect.isSecure == true, false)
        return address(cookies.added(to: request, isSecure: isSecure, now: now))
      }
      return found
    }
  }
}
