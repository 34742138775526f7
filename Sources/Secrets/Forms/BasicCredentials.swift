import Values

/// A user and a password, as the header `Authorization` has them: in Base64.
///
/// A trace shows them decoded if they contain a secret: `Basic ann:‹password›`. So a replay without
/// the secret, whose Base64 is another one, sends what the trace shows.
package struct BasicCredentials {
  /// The user, a colon and the password.
  package var text: String

  package init(text: String) { self.text = text }

  /// Reads a header; nil if it has no such credentials.
  package init?(encoded header: String) {
    guard let code = BasicCredentials.rest(of: header), let bytes = Base64.decode(code),
      let text = String(validating: bytes, as: UTF8.self), text.contains(":")
    else { return nil }
    self.text = text
  }

  /// Reads the text of a trace; nil if it shows no credentials with the place of a secret.
  package init?(shown header: String) {
    guard let text = BasicCredentials.rest(of: header) else { return nil }
    self.text = text
    // Base64 has no colon.
    guard text.contains(":"), hasPlaceholder else { return nil }
  }

  /// The part behind the colon.
  package var password: String {
    text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? ""
  }
  /// True if a secret, or its place, is in them.
  package var hasPlaceholder: Bool { text.contains("‹") }
  /// The header as a trace shows it.
  package var shown: String { BasicCredentials.scheme + text }
  /// The header as it is sent.
  package var encoded: String { BasicCredentials.scheme + Base64.encode(text.utf8) }

  private static let scheme = "Basic "

  /// Returns what follows the name of the scheme, which may have letters of any case.
  private static func rest(of header: String) -> String? {
    // Each text of a trace is asked, and nearly none begins so.
    guard let first = header.utf8.first, first | 0x20 == UInt8(ascii: "b"),
      header.utf8.count > scheme.utf8.count,
      header.prefix(scheme.count).lowercasedASCII == scheme.lowercasedASCII
    else { return nil }
    return String(header.dropFirst(scheme.count))
  }
}
