/// The place of the documentation, for links from a terminal.
public enum DocumentationPlace: Sendable, Equatable {
  /// The URL of a site that `docs/site/build` made.
  case site(String)
  /// The path of the folder with the pages in Markdown.
  case folder(String)

  /// Returns the URL of the page about a diagnostic.
  public func link(to id: DiagnosticID) -> String {
    switch self {
    case .site(let url):
      (url.hasSuffix("/") ? url : url + "/") + documentationPage(of: id)
    case .folder(let path):
      "file://" + percentEncoded(path) + "/" + documentationPage(of: id, extension: "md")
    }
  }
}

/// Returns the page about a diagnostic, relative to the root of the documentation. Terminals and
/// JSON get their links from here.
public func documentationPage(of id: DiagnosticID, extension: String = "html") -> String {
  // A heading's anchor has no dots, and `changed-in-0.2` has one.
  "reference/diagnostics.\(`extension`)#\(id.rawValue.filter { $0 != "." })"
}

/// Returns a path as a part of a URL. Everything but letters, digits and `/-._~` is encoded.
func percentEncoded(_ path: String) -> String {
  let digits = Array("0123456789ABCDEF")
  return path.utf8.map { byte in
    let letter = Character(Unicode.Scalar(byte))
    let isPlain = byte < 128 && (letter.isLetter || letter.isNumber || "/-._~".contains(letter))
    return isPlain ? String(letter) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
  }.joined()
}

extension DiagnosticStyle {
  /// Returns text that is a link to the page of a diagnostic, if the output shows links (OSC 8).
  func linked(_ text: String, to id: DiagnosticID) -> String {
    guard let documentation else { return text }
    return hyperlink(text, to: documentation.link(to: id))
  }
}
