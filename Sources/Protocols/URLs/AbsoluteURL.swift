import TextSearch
import Values

/// The URL of a server: its place, its security, and the prefix of its paths.
package struct AbsoluteURL: Sendable, Equatable {
  package var isSecure: Bool
  /// A name or an address, without the brackets of an IPv6 address.
  package var host: String
  package var port: UInt16
  /// The prefix of paths: empty, or a path without a slash at its end.
  package var path: String
  /// The credentials `name:password`, still encoded as they were written.
  package var credentials: String?
  /// The path of the unix socket, in place of host and port.
  package var socket: String?

  /// The reason why a text is not such a URL.
  package struct Problem: Error, Equatable {
    package var message: String
  }

  /// Parses a URL. `http` and `ws`, `https` and `wss` mean the same; `unix` and `http+unix` are
  /// accepted too.
  package static func read(_ text: String) -> Result<AbsoluteURL, Problem> {
    UsualURL.read(text).map { .success($0) } ?? readAny(text)
  }

  /// Parses a URL of any form.
  static func readAny(_ text: String) -> Result<AbsoluteURL, Problem> {
    guard let colon = text.firstRange(of: "://") else {
      return failure("a URL begins with `http://` or `https://`, not `\(hidingCredentials(text))`")
    }
    let scheme = text[..<colon.lowerBound].lowercasedASCII
    let rest = text[colon.upperBound...]
    switch scheme {
    case "http", "ws": return read(rest, isSecure: false)
    case "https", "wss": return read(rest, isSecure: true)
    case "unix": return socket(rest, path: "")
    case "http+unix":
      let end = rest.utf8.firstIndex(where: isSlash) ?? rest.endIndex
      return socket(rest[..<end], path: rest[end...])
    default: return failure("a URL begins with `http://` or `https://`, not `\(scheme)://`")
    }
  }

  private static func read(
    _ rest: Substring, isSecure: Bool
  ) -> Result<AbsoluteURL, Problem> {
    // All that separates is ASCII. Whole characters would take ten times as long to find.
    let end = rest.utf8.firstIndex { isSlash($0) || beginsQueryOrFragment($0) }
    let authority = rest[..<(end ?? rest.endIndex)]
    let path = rest[authority.endIndex...]
    guard !path.utf8.contains(where: beginsQueryOrFragment) else {
      return failure(
        path.utf8.contains(atSign)
          ? codedCredentials : "the URL of an endpoint has no query and no fragment")
    }
    let found = place(authority, isSecure: isSecure)
    if case .failure = found, path.utf8.contains(atSign) { return failure(codedCredentials) }
    return found.map { place in
      var place = place
      place.path = self.path(path)
      return place
    }
  }

  private static let codedCredentials =
    "in the name and password of a URL, `/`, `?`, `#` and `%` are written `%2F`, `%3F`, `%23`"
    + " and `%25`"

  /// Parses `unix:///run/app.sock`, or `http+unix://%2Frun%2Fapp.sock/v1` with a prefix of paths.
  private static func socket(_ name: Substring, path: Substring) -> Result<AbsoluteURL, Problem> {
    let socket = URLText.decode(String(name), as: .path)
    guard socket.hasPrefix("/") || socket.hasPrefix("@"), socket.utf8.count > 1 else {
      return failure(
        "the URL of a unix socket is `unix:///run/app.sock` or"
          + " `http+unix://%2Frun%2Fapp.sock/v1`, with the whole path of the socket")
    }
    guard !path.utf8.contains(where: beginsQueryOrFragment) else {
      return failure("the URL of an endpoint has no query and no fragment")
    }
    return .success(
      AbsoluteURL(
        isSecure: false, host: "localhost", port: 80, path: self.path(path), socket: socket))
  }

  /// The credentials `name:password` as they are sent, with a colon even without a password.
  package var login: String? {
    credentials.map { text in
      URLText.decode(text.contains(":") ? text : text + ":", as: .path)
    }
  }

  /// The header value with the credentials.
  package var authorization: String? {
    login.map { "Basic " + Base64.encode($0.utf8) }
  }

  /// The secret part of the credentials, as it was written: the password, or a name without a
  /// password, as some servers use for tokens.
  package var secret: String? {
    guard let credentials else { return nil }
    guard let colon = credentials.firstIndex(of: ":") else { return credentials }
    let password = credentials[credentials.index(after: colon)...]
    return String(password.isEmpty ? credentials[..<colon] : password)
  }

  /// The URL for display, without credentials; one of a socket shows the host that is sent.
  package var shown: String { "\(isSecure ? "https" : "http")://\(hostHeader)\(path)" }

  private static func hidingCredentials(_ text: String) -> String {
    guard let at = text.utf8.lastIndex(of: atSign) else { return text }
    return "***" + text[at...]
  }

  /// The value of the header `Host`: the port only if it is not the default.
  package var hostHeader: String {
    let name = host.contains(byte: UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// The value `host:port`, as proxies expect it.
  package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  private static func path(_ text: Substring) -> String {
    let last = text.utf8.lastIndex { !isSlash($0) }
    return last.map { String(text[...$0]) } ?? ""
  }

  private static func place(
    _ authority: Substring, isSecure: Bool
  ) -> Result<AbsoluteURL, Problem> {
    var rest = authority
    var credentials: String?
    if let at = authority.utf8.lastIndex(of: atSign) {
      credentials = String(authority[..<at])
      rest = authority[authority.utf8.index(after: at)...]
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
    let bytes = text.utf8
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let after = text[bytes.index(after: end)...]
      guard after.isEmpty || after.utf8.first == colon else { return nil }
      let host = text[bytes.index(after: text.startIndex)..<end]
      return (
        String(host), after.isEmpty ? nil : after[after.utf8.index(after: after.startIndex)...]
      )
    }
    guard let end = bytes.lastIndex(of: colon) else { return (String(text), nil) }
    return (String(text[..<end]), text[bytes.index(after: end)...])
  }

  private static func failure(_ message: String) -> Result<AbsoluteURL, Problem> {
    .failure(Problem(message: message))
  }
}

private let atSign = UInt8(ascii: "@")
private let colon = UInt8(ascii: ":")

private func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") }

private func beginsQueryOrFragment(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
}
