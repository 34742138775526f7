import Protocols
import TextSearch

/// A request that opens a connection, and the way to its server. Redirects change both.
struct RoutedRequest {
  private(set) var http: HTTPRequest
  private(set) var way: RequestWay
  private var isSecure: Bool?
  private var redirects: RedirectFollower

  init(_ request: HTTPRequest, _ environment: ClientEnvironment) {
    http = request
    (way, isSecure) = (environment.way, environment.isSecure)
    redirects = RedirectFollower(limit: environment.mostRedirects)
  }

  /// The next action after an answer.
  enum Next {
    /// The answer is no redirect that is followed.
    case stay
    /// The request is to be sent again, as it is now.
    case send
    /// The redirect leads nowhere, for this reason.
    case fail(String)
  }

  /// Takes an answer, and goes on to where it leads.
  mutating func take(_ answer: HTTPResponse, _ environment: ClientEnvironment) -> Next {
    environment.answered(answer, http)
    guard environment.mostRedirects > 0 else { return .stay }
    switch redirects.decide(after: answer, to: http) {
    case .stay: return .stay
    case .missingLocation: return .fail("missingLocation")
    case .tooMany: return .fail("tooManyRedirects")
    case .follow(let redirect, let next):
      http = next
      if leavesServer(redirect) {
        guard leave(redirect, environment) else { return .fail("otherServer") }
      } else {
        http = environment.redirected(http)
      }
      return .send
    }
  }

  private func leavesServer(_ redirect: Redirect) -> Bool {
    let host = redirect.host?.lowercasedASCII
    let isElsewhere = host != nil && host != http.headers["Host"]?.lowercasedASCII
    let isSameWay = isSecure == nil || [nil, isSecure].contains(redirect.isSecure)
    return isElsewhere || !isSameWay
  }

  /// Goes to another server, which gets no credentials of this one; false if there is no way there.
  private mutating func leave(_ redirect: Redirect, _ environment: ClientEnvironment) -> Bool {
    var redirect = redirect
    redirect.isSecure = redirect.isSecure ?? isSecure
    redirect.host = redirect.host ?? http.headers["Host"]
    guard let route = environment.route(redirect) else { return false }
    (way, isSecure) = (route.way, route.isSecure)
    http.leave(for: route.host)
    http.target = redirect.path
    http = route.address(http)
    return true
  }
}
