import TextSearch
import Values

/// A cookie of a server with its parsed attributes (RFC 6265).
package struct SetCookie: Sendable, Equatable {
  package var name: String
  package var value: String
  /// The value as it returns to the server: with its quotes.
  package var written: String
  package var path: String?
  /// The domain in lower case and without a leading dot.
  package var domain: String?
  /// Seconds from now on; zero or less ends the cookie at once.
  package var maxAge: Int?
  /// The time of expiry, in seconds since 1970.
  package var expires: Int?
  package var isSecure = false
  package var isHTTPOnly = false
  package var sameSite: String?

  package init(name: String, value: String) {
    self.name = name
    self.value = value
    written = value
  }

  /// Parses a line; nil if it sets nothing.
  package init?(_ line: String) {
    let pieces = line.split(separator: ";", omittingEmptySubsequences: false)
    guard let (name, value) = pair(pieces[0]), !name.isEmpty else { return nil }
    self.init(name: name, value: SetCookie.unquoted(value))
    written = value
    for piece in pieces.dropFirst() {
      let (name, value) = pair(piece) ?? (trimmed(piece), "")
      take(name.lowercasedASCII, value)
    }
  }

  /// Returns a value as servers read it, without its quotes.
  package static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
  }

  private mutating func take(_ attribute: String, _ value: String) {
    switch attribute {
    case "path": path = value.hasPrefix("/") ? value : nil
    case "domain":
      let name = value.hasPrefix(".") ? String(value.dropFirst()) : value
      domain = name.isEmpty ? nil : name.lowercasedASCII
    case "max-age": maxAge = Int(value)
    case "expires": expires = HTTPDate.seconds(value)
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = value
    default: break
    }
  }
}

private func pair(_ text: Substring) -> (String, String)? {
  guard let equals = text.firstIndex(of: "=") else { return nil }
  return (trimmed(text[..<equals]), trimmed(text[text.index(after: equals)...]))
}

private func trimmed(_ text: Substring) -> String {
  let inner = text.drop { $0 == " " || $0 == "\t" }
  let trailing = inner.reversed().prefix { $0 == " " || $0 == "\t" }.count
  return String(inner.dropLast(trailing))
}
