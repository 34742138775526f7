import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The state that all `request` steps of a run share: cookies by endpoint, and the connections.
final class ScenarioClient {
  private let stage: Stage
  var plan: ScenarioPlan { stage.plan }
  let loop: RunLoop
  let recorder: EventRecorder
  let supervisor: ScriptSupervisor
  let connections: Connections
  let endpoints: EndpointDirectory
  private var jars: PerID<EndpointPlan, CookieJar>

  init(
    _ stage: Stage, _ loop: RunLoop, _ recorder: EventRecorder,
    _ supervisor: ScriptSupervisor, _ connections: Connections, _ endpoints: EndpointDirectory
  ) {
    self.stage = stage
    self.loop = loop
    self.recorder = recorder
    self.supervisor = supervisor
    self.connections = connections
    self.endpoints = endpoints
    jars = PerID(repeating: CookieJar(), for: stage.plan.endpoints)
  }

  func forgetCookies(of endpoint: EndpointID) { jars[endpoint] = CookieJar() }

  func takeCookies(from response: HTTPResponse, to request: HTTPRequest, of endpoint: EndpointID) {
    for line in response.headers.values("Set-Cookie") {
      guard let cookie = SetCookie(line) else { continue }
      jars[endpoint].store(
        cookie, host: request.headers["Host"] ?? "", path: HTTPTarget(request.target).path, now: now
      )
    }
  }

  /// The `Cookie` header of a request; those that are given come in place of others of their name.
  func cookies(
    for request: HTTPRequest, to endpoint: EndpointID, given: [QueryItem],
    without omitted: [String]
  ) -> String? {
    let isPlain =
      endpoints.remotes?.place(of: endpoint).map { !$0.isSecure }
      ?? plan.endpoints[endpoint].url?.lowercasedASCII.hasPrefix("http://") ?? false
    let kept = jars[endpoint].cookies(
      host: request.headers["Host"] ?? "", path: HTTPTarget(request.target).path,
      isSecure: !isPlain, now: now)
    let others = kept.filter { cookie in
      !omitted.contains(cookie.name) && !given.contains { $0.name == cookie.name }
    }
    let all = others.map { "\($0.name)=\($0.value)" } + given.map { "\($0.name)=\($0.value)" }
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// The endpoint that a redirect leads to, from the one that answered.
  func endpoint(
    at redirect: Redirect, from endpoint: EndpointID, host own: String?, isWritten: Bool
  ) -> EndpointID? {
    if let remotes = endpoints.remotes(of: endpoint) {
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
  private var now: Int { stage.now.seconds }
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
