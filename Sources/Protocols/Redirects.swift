/// Where an answer leads on to.
package struct Redirect: Sendable, Equatable {
  /// With its port; nil for the host that answered.
  package var host: String?
  package var target: String

  /// Nil for an answer that leads nowhere.
  package init?(_ response: HTTPResponse, to request: HTTPRequest) {
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.headers["Location"], !location.isEmpty
    else { return nil }
    let text = String(location.prefix { $0 != "#" })
    guard let authority = Redirect.authority(in: text) else {
      host = nil
      target = Redirect.resolve(text, against: request.target)
      return
    }
    host = String(authority.host)
    target = authority.rest.hasPrefix("/") ? authority.rest : "/" + authority.rest
  }

  /// The request that follows: 303 is asked with GET, 301 and 302 as well where it was POST.
  package static func method(after status: Int, _ method: String) -> String {
    switch status {
    case 303: method == "HEAD" ? method : "GET"
    case 301, 302: method == "POST" ? "GET" : method
    default: method
    }
  }

  private static func authority(in text: String) -> (host: Substring, rest: String)? {
    var rest = text[...]
    if let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) {
      rest = rest.dropFirst(scheme.count)
    } else if text.hasPrefix("//") {
      rest = rest.dropFirst(2)
    } else {
      return nil
    }
    let host = rest.prefix { $0 != "/" && $0 != "?" }
    return (host, String(rest.dropFirst(host.count)))
  }

  /// A reference within the same host, as RFC 3986 resolves it.
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
