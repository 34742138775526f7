/// A URL of a server: where it is, whether the way there is secured, and what paths begin with.
package struct AbsoluteURL: Sendable, Equatable {
  package var isSecure: Bool
  /// A name or an address, without the brackets an IPv6 address is written in.
  package var host: String
  package var port: UInt16
  /// Empty, or a path without a slash at its end.
  package var path: String
  /// `name:password`, still coded as it was written.
  package var credentials: String?

  /// Why a text is no such URL.
  package struct Problem: Error, Equatable {
    package var message: String
  }

  /// Takes `http` and `https`, and `ws` and `wss` for the same.
  package static func read(_ text: String) -> Result<AbsoluteURL, Problem> {
    guard let colon = text.firstRange(of: "://") else {
      return failure("a URL begins with `http://` or `https://`, not `\(text)`")
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard ["http", "https", "ws", "wss"].contains(scheme) else {
      return failure("a URL begins with `http://` or `https://`, not `\(scheme)://`")
    }
    let rest = text[colon.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    guard rest.dropFirst(authority.count).allSatisfy({ $0 != "?" && $0 != "#" }) else {
      return failure("the URL of an endpoint has no query and no fragment: `\(text)`")
    }
    let isSecure = scheme == "https" || scheme == "wss"
    return place(authority, isSecure: isSecure).map { place in
      var place = place
      place.path = path(rest.dropFirst(authority.count))
      return place
    }
  }

  /// What stands in the header `Host`: the port only where it is not the usual one.
  package var hostHeader: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// `host:port`, as proxies are asked for it.
  package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  private static func path(_ text: Substring) -> String {
    var path = text
    while path.last == "/" { path.removeLast() }
    return String(path)
  }

  private static func place(
    _ authority: Substring, isSecure: Bool
  ) -> Result<AbsoluteURL, Problem> {
    var rest = authority
    var credentials: String?
    if let at = authority.lastIndex(of: "@") {
      credentials = String(authority[..<at])
      rest = authority[authority.index(after: at)...]
    }
    guard let (host, portText) = hostAndPort(rest), !host.isEmpty else {
      return failure("the URL has no host: `\(authority)`")
    }
    var port: UInt16 = isSecure ? 443 : 80
    if let portText {
      guard let number = UInt16(portText), number > 0 else {
        return failure("a port is a number from 1 to 65535, not `\(portText)`")
      }
      port = number
    }
    return .success(
      AbsoluteURL(
        isSecure: isSecure, host: host, port: port, path: "", credentials: credentials))
  }

  private static func hostAndPort(_ text: Substring) -> (host: String, port: Substring?)? {
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let after = text[text.index(after: end)...]
      guard after.isEmpty || after.first == ":" else { return nil }
      let host = text[..<end].dropFirst()
      return (String(host), after.isEmpty ? nil : after.dropFirst())
    }
    guard let colon = text.lastIndex(of: ":") else { return (String(text), nil) }
    return (String(text[..<colon]), text[text.index(after: colon)...])
  }

  private static func failure(_ message: String) -> Result<AbsoluteURL, Problem> {
    .failure(Problem(message: message))
  }
}
