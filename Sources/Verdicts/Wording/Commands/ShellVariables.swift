import Secrets
import TextSearch

/// Returns a word of a command as a shell reads it, with a variable for each credential whose name
/// stands in the text: `"Authorization: Bearer $ACCESS_TOKEN"`.
func commandWord(_ text: String) -> String {
  let parts = textAndCredentials(text)
  guard parts.contains(where: { $0.variable != nil }) else { return shellQuoted(text) }
  let texts = parts.filter { $0.variable == nil }.map(\.text)
  if texts.allSatisfy(\.staysInDoubleQuotes) {
    let inner = parts.enumerated().map { index, part in
      guard let name = part.variable else { return part.text }
      let next = index + 1 < parts.count ? parts[index + 1].text.first : nil
      return next.map { $0.isLetter || $0.isNumber || $0 == "_" } == true
        ? "${\(name)}" : "$\(name)"
    }
    return "\"\(inner.joined())\""
  }
  return parts.map { part in part.variable.map { "\"$\($0)\"" } ?? shellQuoted(part.text) }.joined()
}

extension String {
  /// True if a shell reads the text in double quotes as it is.
  fileprivate var staysInDoubleQuotes: Bool {
    unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "\u{7f}" && !"\"\\$`!".unicodeScalars.contains($0)
    }
  }
}
