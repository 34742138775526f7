import TextSearch
import Values

/// The parts of a text that names of secrets, such as `‹token›` or `‹token#1›`, divide it into.
///
/// A trace has these names in place of secrets, and so has an archive once its tokens are hidden. A
/// scenario has a variable in their place: the name alone would be sent as if it were the secret.
struct PlaceholderText {
  enum Part: Equatable {
    case text(String)
    /// A name with its marks.
    case placeholder(String)
  }

  private(set) var parts: [Part] = []

  init(_ text: String) {
    var rest = Substring(text)
    var plain = ""
    while let open = rest.firstRange(of: "‹") {
      let behind = rest[open.upperBound...]
      plain += rest[..<open.lowerBound]
      if let close = behind.firstRange(of: "›"), isName(behind[..<close.lowerBound]) {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.placeholder(String(rest[open.lowerBound..<close.upperBound])))
        rest = rest[close.upperBound...]
      } else {
        plain += rest[open]
        rest = behind
      }
    }
    plain += rest
    if !plain.isEmpty { parts.append(.text(plain)) }
  }

  /// The names with their marks.
  var placeholders: [String] {
    parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } }
  }
}

/// Returns whether a text between the marks is a name, as `api.password` or `token#1` are. Others
/// stand between such marks where a language quotes with them.
private func isName(_ text: Substring) -> Bool {
  let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
  guard let name = parts.first, let first = name.unicodeScalars.first,
    first == "_" || first.properties.isAlphabetic
  else { return false }
  let isNumbered = parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy(\.isNumber)
  return isNumbered
    && name.unicodeScalars.allSatisfy {
      $0 == "_" || $0 == "." || $0 == "-" || $0.properties.isAlphabetic
        || ("0"..."9").contains($0)
    }
}

extension String {
  /// True if the text is the name of a secret and nothing else.
  var isPlaceholder: Bool { PlaceholderText(self).parts == [.placeholder(self)] }

  /// The text with names in letters that a header may hold: `‹token#1›` is `token-1`. A short one
  /// gets longer, since a secret with fewer letters is not hidden inside of words.
  var withPlainPlaceholders: String {
    guard contains("‹") else { return self }
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
