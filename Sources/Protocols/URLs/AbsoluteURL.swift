import Values

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
  /// The path of the unix socket that leads there, instead of host and port.
  package var socket: String?

  /// Why a text is no such URL.
  package struct Problem: Error, Equatable {
    package var message: String
  }

  /// Takes `http` and `https`, `ws` and `wss` for the same, and `unix` and `http+unix`.
  package static func read(_ text: String) -> Result<AbsoluteURL, Problem> {
    guard let colon = text.firstRange(of: "://") else {
      return failure("a URL begins with `http://` or `https://`, not `\(hidingCredentials(text))`")
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    switch scheme {
    case "http", "ws": return read(rest, isSecure: false)
    case "https", "wss": return read(rest, isSecure: true)
    case "unix": return socket(rest, path: "")
    case "http+unix":
      let name = rest.prefix { $0 != "/" }
      return socket(name, path: rest.dropFirst(name.count))
    default: return failure("a URL begins with `http://` or `https://`, not `\(scheme)://`")
    }
  }

  private static func read(
    _ rest: Substring, isSecure: Bool
  ) -> Result<AbsoluteURL, Problem> {
    let authority = rest.prefix { !"/?#".contains($0) }
    let path = rest.dropFirst(authority.count)
    guard path.allSatisfy({ $0 != "?" && $0 != "#" }) else {
      return failure(
        path.contains("@")
          ? codedCredentials : "the URL of an endpoint has no query and no fragment")
    }
    let found = place(authority, isSecure: isSecure)
    if case .failure = found, path.contains("@") { return failure(codedCredentials) }
    return found.map { place in
      var place = place
      place.path = self.path(path)
      return place
    }
  }

  private static let codedCredentials =
    "in the name and password of a URL, `/`, `?`, `#` and `%` are written `%2F`, `%3F`, `%23`"
    + " and `%25`"

  /// `unix:///run/app.sock`, or `http+unix://%2Frun%2Fapp.sock/v1` where paths begin with more.
  private static func socket(_ name: Substring, path: Substring) -> Result<AbsoluteURL, Problem> {
    let socket = URLText.decode(String(name), as: .path)
    guard socket.hasPrefix("/") || socket.hasPrefix("@"), socket.utf8.count > 1 else {
      return failure(
        "the URL of a unix socket is `unix:///run/app.sock` or"
          + " `http+unix://%2Frun%2Fapp.sock/v1`, with the whole path of the socket")
    }
    guard path.allSatisfy({ $0 != "?" && $0 != "#" }) else {
      return failure("the URL of an endpoint has no query and no fragment")
    }
    return .success(
      AbsoluteURL(
        isSecure: false, host: "localhost", port: 80, path: self.path(path), socket: socket))
  }

  /// `name:password` as it is sent, with a colon also where there is no password.
  package var login: String? {
    credentials.map { text in
      URLText.decode(text.contains(":") ? text : text + ":", as: .path)
    }
  }

  /// The credentials as a request carries them.
  package var authorization: String? {
    login.map { "Basic " + Base64.encode($0.utf8) }
  }

  /// The part of the credentials nobody may see, as it was written: the password, or the name
  /// where there is none, as tokens are given by some.
  package var secret: String? {
    guard let credentials else { return nil }
    guard let colon = credentials.firstIndex(of: ":") else { return credentials }
    let password = credentials[credentials.index(after: colon)...]
    return String(password.isEmpty ? credentials[..<colon] : password)
  }

  /// The URL as it may be shown, without credentials; one for a socket has the host it is sent.
  package var shown: String { "\(isSecure ? "https" : "http")://\(hostHeader)\(path)" }

  private static func hidingCredentials(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    return "***" + text[at...]
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
      return failure("the URL has no host: `\(hidingCredentials(String(authority)))`")
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
