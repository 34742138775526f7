import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// The client of a scenario: all that sends requests shares its cookies and its connections.
final class ScenarioClient {
  /// A user of the scenario: the one that all clients share, or one with a name.
  final class Session {
    fileprivate var jar = CookieJar()
    /// The open connections by endpoint, once there is one.
    fileprivate var kept: PerID<EndpointPlan, KeptConnections?>

    fileprivate init(_ plan: ScenarioPlan) { kept = PerID(repeating: nil, for: plan.endpoints) }
  }

  /// How an endpoint is seen by cookies, in each world alike.
  private struct CookiePlace {
    var host: String
    var path = ""
    var isSecure = true
  }

  let run: RunParts
  let connections: Connections
  let messages: MessageMaker
  private var plan: ScenarioPlan { run.plan }
  private let shared: Session
  private var named: [String: Session] = [:]
  private var places: PerID<EndpointPlan, CookiePlace?>

  init(_ run: RunParts, _ connections: Connections, _ messages: MessageMaker) {
    self.run = run
    self.connections = connections
    self.messages = messages
    shared = Session(run.plan)
    places = PerID(repeating: nil, for: run.plan.endpoints)
  }

  /// Returns the session with a name; nil is the one that is shared.
  func session(named name: String?) -> Session {
    guard let name else { return shared }
    if let known = named[name] { return known }
    let session = Session(plan)
    named[name] = session
    return session
  }

  /// Returns the open connections of a session to an endpoint.
  func kept(for endpoint: EndpointID, in session: Session) -> KeptConnections {
    if let known = session.kept[endpoint] { return known }
    let made = connections.makeKept(for: endpoint)
    session.kept[endpoint] = made
    return made
  }

  func forgetCookies(of request: PreparedRequest) {
    let host = host(of: request.http, to: request.endpoint, request.addressing)
    request.session.jar.removeAll(for: host)
  }

  func takeCookies(
    from response: HTTPResponse, to request: HTTPRequest, at endpoint: EndpointID,
    _ addressing: Addressing, in session: Session
  ) {
    guard response.headers.contains("Set-Cookie") else { return }
    session.jar.store(
      response.headers, host: host(of: request, to: endpoint, addressing),
      path: path(of: request, to: endpoint, addressing), now: now)
  }

  /// Returns a request with the credentials and cookies that its endpoint gets. What the scenario
  /// wrote for one endpoint goes to no other.
  func completed(
    _ request: HTTPRequest, to endpoint: EndpointID, _ addressing: Addressing,
    as prepared: PreparedRequest
  ) -> HTTPRequest {
    var request = request
    if endpoint == prepared.endpoint, let who = prepared.authorization {
      request.headers.add("Authorization", who)
    }
    return withCookies(request, to: endpoint, addressing, as: prepared)
  }

  /// Returns a request with the cookies that it has now. A header of the scenario's own replaces
  /// them.
  func withCookies(
    _ request: HTTPRequest, to endpoint: EndpointID, _ addressing: Addressing,
    as prepared: PreparedRequest
  ) -> HTTPRequest {
    if endpoint == prepared.endpoint, prepared.http.headers.contains("Cookie") { return request }
    var request = request
    request.headers["Cookie"] = cookies(
      for: request, to: endpoint, addressing, in: prepared.session,
      given: endpoint == prepared.endpoint ? prepared.cookies : [],
      without: prepared.omittedCookies)
    return request
  }

  /// The `Cookie` header of a request; those that are given come in place of others of their name.
  private func cookies(
    for request: HTTPRequest, to endpoint: EndpointID, _ addressing: Addressing,
    in session: Session, given: [QueryItem], without omitted: [String]
  ) -> String? {
    var kept: [(name: String, value: String)] = []
    if !session.jar.isEmpty {
      let host = host(of: request, to: endpoint, addressing)
      kept = session.jar.cookies(
        host: host, path: path(of: request, to: endpoint, addressing),
        isSecure: place(of: endpoint).isSecure || isLoopback(host), now: now)
    }
    let others = kept.filter { cookie in
      !omitted.contains(cookie.name) && !given.contains { $0.name == cookie.name }
    }
    let all = others.map { "\($0.name)=\($0.value)" } + given.map { "\($0.name)=\($0.value)" }
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  private func host(
    of request: HTTPRequest, to endpoint: EndpointID, _ addressing: Addressing
  ) -> String {
    let written = addressing.keepsHost ? request.headers["Host"] : nil
    return written ?? place(of: endpoint).host
  }

  private func path(
    of request: HTTPRequest, to endpoint: EndpointID, _ addressing: Addressing
  ) -> String {
    let path = HTTPTarget(request.target).path
    return addressing.isComplete ? path : place(of: endpoint).path + path
  }

  private func place(of endpoint: EndpointID) -> CookiePlace {
    if let known = places[endpoint] { return known }
    let place = makePlace(of: endpoint)
    places[endpoint] = place
    return place
  }

  /// Cookies go by the endpoint's URL also where a mock plays it. An endpoint without one has a
  /// host of its own, which no domain of a cookie names.
  private func makePlace(of endpoint: EndpointID) -> CookiePlace {
    if let real = run.endpoints.remotes?.place(of: endpoint) {
      return CookiePlace(host: real.host, path: real.path, isSecure: real.isSecure)
    }
    if let address = plan.endpoints[endpoint].address,
      case .success(let text) = evaluate(address, in: ValueReader(run.stage)),
      case .success(let url) = AbsoluteURL.read(text.plainText)
    {
      return CookiePlace(host: url.hostHeader, path: url.path, isSecure: url.isSecure)
    }
    return CookiePlace(host: "endpoint \(endpoint.index)")
  }

  /// The endpoint that a redirect leads to, from the one that answered.
  func endpoint(
    at redirect: Redirect, from endpoint: EndpointID, host own: String?, isWritten: Bool
  ) -> EndpointID? {
    if let remotes = run.endpoints.remotes(of: endpoint) {
      let written = isWritten ? own : nil
      return remotes.endpoint(at: redirect, from: endpoint, writtenHost: written)
    }
    guard let host = redirect.host?.lowercasedASCII else { return endpoint }
    return host == own?.lowercasedASCII ? endpoint : plan.endpoint(at: host)
  }

  /// Returns how long a server asks to wait; nil if it does not.
  func retryAfter(of response: HTTPResponse) -> Microseconds? {
    // To read the time is an event of a trace, so that only those answers read it that need it.
    guard response.headers["Retry-After"] != nil else { return nil }
    return response.headers.retryAfter(now: now).map { $0 * 1_000_000 }
  }

  /// The calendar time in seconds since 1970.
  private var now: Int { run.stage.now.seconds }
}

extension ScenarioPlan {
  /// Returns the endpoint with this name, or with this host in its URL.
  func endpoint(at host: String) -> EndpointID? {
    let host = host.lowercasedASCII
    return endpoints.firstIndex {
      $0.name.lowercasedASCII == host || $0.url.flatMap(hostOf)?.lowercasedASCII == host
    }
  }
}

/// The host of a URL, with its port.
private func hostOf(_ url: String) -> String? {
  guard let scheme = url.firstIndex(of: ":"), url[scheme...].hasPrefix("://") else { return nil }
  return String(url[scheme...].dropFirst(3).prefix { $0 != "/" && $0 != "?" })
}
