import TextSearch

/// The target of a redirect.
package struct Redirect: Sendable, Equatable {
  /// The host with its port; nil for the host that answered.
  package var host: String?
  /// True if the way there is secured; nil if the redirect does not say it.
  package var isSecure: Bool?
  package var target: String

  /// The target without a host.
  package var path: String { String(target.dropFirst(Redirect.origin(of: target).count)) }

  static let statuses = [301, 302, 303, 307, 308]

  /// Makes the redirect of an answer; nil if the answer is none.
  package init?(_ response: HTTPResponse, to target: String) {
    guard Redirect.statuses.contains(response.status),
      let location = response.headers["Location"], !location.isEmpty
    else { return nil }
    let text = URLText.encodeForbidden(String(location.prefix { $0 != "#" }))
    let origin = Redirect.origin(of: target)
    guard let authority = Redirect.authority(in: text) else {
      let base = String(target.dropFirst(origin.count))
      self.target = origin + Redirect.resolve(text, against: base)
      return
    }
    host = String(authority.host)
    isSecure = authority.isSecure
    let path = authority.rest.hasPrefix("/") ? authority.rest : "/" + authority.rest
    self.target = origin.isEmpty ? path : "http://" + authority.host + path
  }

  /// Returns the part before the path, if a request goes through a proxy.
  private static func origin(of target: String) -> String {
    guard let authority = authority(in: target), !target.hasPrefix("/") else { return "" }
    return String(target.dropLast(authority.rest.count))
  }

  /// Returns the method of the next request: GET after 303, and after 301 and 302 to a POST.
  static func method(after status: Int, _ method: String) -> String {
    switch status {
    case 303: method == "HEAD" ? method : "GET"
    case 301, 302: method == "POST" ? "GET" : method
    default: method
    }
  }

  private struct Authority {
    var host: Substring
    var isSecure: Bool?
    var rest: String
  }

  private static func authority(in text: String) -> Authority? {
    var rest = text[...]
    var isSecure: Bool?
    if let scheme = ["http://", "https://"].first(where: { text.lowercasedASCII.hasPrefix($0) }) {
      rest = rest.dropFirst(scheme.count)
      isSecure = scheme == "https://"
    } else if text.hasPrefix("//") {
      rest = rest.dropFirst(2)
    } else {
      return nil
    }
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    return Authority(host: host, isSecure: isSecure, rest: String(rest.dropFirst(host.count)))
  }

  /// Resolves a reference within the same host, by RFC 3986.
  private static func resolve(_ reference: String, against base: String) -> String {
    let basePath = base.prefix { $0 != "?" }
    if reference.hasPrefix("?") { return String(basePath) + reference }
    let path = reference.prefix { $0 != "?" }
    let query = reference.dropFirst(path.count)
    if path.hasPrefix("/") { return withoutDots(String(path)) + String(query) }
    let folder = basePath.lastIndex(of: "/").map { String(basePath[...$0]) } ?? "/"
    return withoutDots(folder + String(path)) + String(query)
  }

  private static func withoutDots(_ path: String) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var kept: [Substring] = []
    for (place, segment) in segments.enumerated() {
      let isLast = place == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }
}

extension HTTPRequest {
  /// Goes on to another host, which gets nothing that was meant for the one before.
  package mutating func leave(for host: String) {
    drop(["host", "cookie", "authorization", "proxy-authorization"])
    headers.lines.insert(HTTPHeaderLine("Host", host), at: 0)
  }

  /// Drops the body, and the headers that describe it.
  fileprivate mutating func dropBody() {
    body = []
    drop(["content-type", "content-length", "transfer-encoding", "content-encoding"])
  }

  private mutating func drop(_ names: [String]) {
    headers.lines.removeAll { names.contains($0.name.lowercasedASCII) }
  }
}

/// Decides after each answer whether another request follows it.
///
/// Where a redirect may lead is for the client to say: it knows which servers it reaches.
package struct RedirectFollower: Sendable {
  package enum Decision: Sendable, Equatable {
    /// The answer is no redirect.
    case stay
    /// The answer is a redirect and does not say where to.
    case missingLocation
    /// The client has followed as many redirects as it may.
    case tooMany(Redirect)
    /// The next request, as the server that answered would get it.
    case follow(Redirect, HTTPRequest)
  }

  private let limit: Int
  private var followed = 0

  package init(limit: Int) { self.limit = limit }

  /// - Parameter target: What the request was sent to, if it says something else itself.
  package mutating func decide(
    after response: HTTPResponse, to request: HTTPRequest, at target: String? = nil
  ) -> Decision {
    guard Redirect.statuses.contains(response.status) else { return .stay }
    guard let redirect = Redirect(response, to: target ?? request.target) else {
      return .missingLocation
    }
    guard followed < limit else { return .tooMany(redirect) }
    followed += 1
    var next = request
    next.target = redirect.target
    next.method = Redirect.method(after: response.status, request.method)
    if next.method != request.method || response.status == 303 { next.dropBody() }
    return .follow(redirect, next)
  }
}
