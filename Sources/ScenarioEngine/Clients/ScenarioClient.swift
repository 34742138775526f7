import Events
import Protocols
import ScenarioPlan
import Values
import World

/// What the `request` steps of a run have in common: cookies, by endpoint, and boundaries.
final class ScenarioClient {
  private unowned let run: ScenarioRun
  private var jars: PerID<EndpointPlan, CookieJar>
  private var chance: SeededRandom

  init(_ run: ScenarioRun) {
    self.run = run
    jars = PerID(repeating: CookieJar(), for: run.plan.endpoints)
    chance = run.chance.stream("multipart")
  }

  /// A line that no part of the body has in it.
  func boundary(for parts: [Multipart.Part]) -> String {
    while true {
      let number = String(chance.next(), radix: 16)
      let boundary = "rehearsal-" + String(repeating: "0", count: 16 - number.count) + number
      let mark = Array(boundary.utf8)
      if !parts.contains(where: { $0.body.contains(mark) }) { return boundary }
    }
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
    for request: HTTPRequest, to endpoint: EndpointID, given: [QueryItem]
  ) -> String? {
    let isPlain =
      run.remotes?.place(of: endpoint).map { !$0.isSecure }
      ?? run.plan.endpoints[endpoint].url?.lowercased().hasPrefix("http://") ?? false
    let kept = jars[endpoint].cookies(
      host: request.headers["Host"] ?? "", path: HTTPTarget(request.target).path,
      isSecure: !isPlain, now: now)
    let others = kept.filter { cookie in !given.contains { $0.name == cookie.name } }
    let all = others.map { "\($0.name)=\($0.value)" } + given.map { "\($0.name)=\($0.value)" }
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// The endpoint that a redirect leads to, from the one that answered.
  func endpoint(
    at redirect: Redirect, from endpoint: EndpointID, host own: String?
  ) -> EndpointID? {
    if let remotes = run.remotes { return remotes.endpoint(at: redirect, from: endpoint) }
    guard let host = redirect.host?.lowercased() else { return endpoint }
    if host == own?.lowercased() { return endpoint }
    return run.plan.endpoints.firstIndex { plan in
      plan.name.lowercased() == host || plan.url.flatMap(hostOf)?.lowercased() == host
    }
  }

  /// In seconds since 1970.
  private var now: Int {
    run.plan.clock.seconds + Int(run.scheduler.now / 1_000_000)
  }
}

/// The host of a URL, with its port.
private func hostOf(_ url: String) -> String? {
  guard let scheme = url.firstIndex(of: ":"), url[scheme...].hasPrefix("://") else { return nil }
  return String(url[scheme...].dropFirst(3).prefix { $0 != "/" && $0 != "?" })
}

extension [UInt8] {
  fileprivate func contains(_ mark: [UInt8]) -> Bool {
    guard count >= mark.count else { return false }
    return (0...(count - mark.count)).contains { self[$0...].starts(with: mark) }
  }
}
