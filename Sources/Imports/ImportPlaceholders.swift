import Secrets
import TextSearch

/// The parts of a text that names of secrets, such as `‹token›` or `‹token#1›`, divide it into.
///
/// A trace has these names in place of secrets, and so has an archive once its tokens are hidden. A
/// scenario has a variable in their place: the name alone would be sent as if it were the secret.
///
/// People quote with the same signs. So the names of a flow have other marks, which no text has.
struct PlaceholderText {
  enum Part: Equatable {
    case text(String)
    /// A name with its marks.
    case placeholder(String)
  }

  /// Two characters for private use, which mean nothing to anybody else.
  private static let (open, close) = ("\u{10FFF0}", "\u{10FFF1}")

  private(set) var parts: [Part] = []

  /// Reads a text of a flow.
  init(_ text: String) {
    self.init(text, PlaceholderText.open, PlaceholderText.close) { _ in true }
  }

  private init(
    _ text: String, _ open: String, _ close: String, _ isName: (Substring) -> Bool
  ) {
    var rest = Substring(text)
    var plain = ""
    while let start = rest.firstRange(of: open) {
      let behind = rest[start.upperBound...]
      plain += rest[..<start.lowerBound]
      if let end = behind.firstRange(of: close), isName(behind[..<end.lowerBound]) {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.placeholder(String(rest[start.lowerBound..<end.upperBound])))
        rest = rest[end.upperBound...]
      } else {
        plain += rest[start]
        rest = behind
      }
    }
    plain += rest
    if !plain.isEmpty { parts.append(.text(plain)) }
  }

  /// Returns a text of a recording as a flow has it: with its own marks around names of secrets.
  static func marked(_ text: String, _ isName: (String) -> Bool) -> String {
    guard text.contains("‹") else { return text }
    return PlaceholderText(text, "‹", "›") { isName(String($0)) }.parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let name): open + name.dropFirst().dropLast() + close
      }
    }.joined()
  }

  /// True if a text of a flow has a name of a secret.
  static func isMarked(_ text: String) -> Bool { text.contains(open) }

  /// The names with their marks.
  var placeholders: [String] {
    parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
  }
}

extension String {
  /// True if the text is the name of a secret and nothing else.
  var isPlaceholder: Bool { PlaceholderText(self).parts == [.placeholder(self)] }

  /// The text with names in letters that a header may hold: `‹token#1›` is `token-1`. A short one
  /// gets longer, since a secret with fewer letters is not hidden inside of words.
  var withPlainPlaceholders: String {
    guard PlaceholderText.isMarked(self) else { return self }
    return PlaceholderText(self).parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let name): plainName(name)
      }
    }.joined()
  }
}

private func plainName(_ placeholder: String) -> String {
  let name = placeholder.dropFirst().dropLast().replacing("#", with: "-")
  return name.count < SecretMask.shortestInsideWords ? "secret-" + name : name
}
