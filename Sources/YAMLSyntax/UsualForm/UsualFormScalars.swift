import Diagnostics

/// Scalars that end in the line in which they begin.
extension UsualFormReader {
  mutating func readScalar(isFlow: Bool) throws(UnusualForm) -> YAMLScalar {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): try readQuoted(by: current)
    default: try readPlain(isFlow: isFlow)
    }
  }

  private mutating func readPlain(isFlow: Bool) throws(UnusualForm) -> YAMLScalar {
    let start = position
    guard beginsPlain else { throw UnusualForm() }
    // The place after the last byte that is no blank.
    var end = start
    while try !endsPlain(isFlow: isFlow) {
      position += 1
      if bytes[position - 1] != UInt8(ascii: " ") { end = position }
    }
    position = end
    return YAMLScalar(text: text(start, end), style: .plain, range: range(start, end))
  }

  private var beginsPlain: Bool {
    switch current {
    case UInt8(ascii: "-"), UInt8(ascii: "."):
      // The first of its line could be a mark of documents.
      return position > lineStart && !isBlankOrEnd(byte(at: position + 1))
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"),
      UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"), UInt8(ascii: "|"),
      UInt8(ascii: ">"), UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
      return false
    default: return !isAtEnd
    }
  }

  @inline(__always)
  private func endsPlain(isFlow: Bool) throws(UnusualForm) -> Bool {
    switch current {
    case UInt8(ascii: "\n"), 0: return true
    case UInt8(ascii: ":"): return try endsPlainAtColon(isFlow: isFlow)
    case UInt8(ascii: "#"): return bytes[position - 1] == UInt8(ascii: " ")
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"):
      return isFlow
    case UInt8(ascii: "\t"), UInt8(ascii: "\r"): throw UnusualForm()
    default: return false
    }
  }

  private func endsPlainAtColon(isFlow: Bool) throws(UnusualForm) -> Bool {
    let next = byte(at: position + 1)
    switch next {
    case UInt8(ascii: ","), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"):
      if isFlow { throw UnusualForm() }
      return false
    default: return isBlankOrEnd(next)
    }
  }

  private mutating func readQuoted(by quote: UInt8) throws(UnusualForm) -> YAMLScalar {
    let start = position
    let escape = quote == UInt8(ascii: "'") ? quote : UInt8(ascii: "\\")
    position += 1
    // The text up to the last escape, and the place of the text after it.
    var (before, rest) = ("", position)
    while current != quote || quote == escape && byte(at: position + 1) == quote {
      if current < UInt8(ascii: " "), current != UInt8(ascii: "\t") { throw UnusualForm() }
      if current == escape {
        guard let escaped = escapedCharacter else { throw UnusualForm() }
        before += text(rest, position) + escaped
        position += 1
        rest = position + 1
      }
      position += 1
    }
    let text = before.isEmpty ? text(rest, position) : before + text(rest, position)
    position += 1
    return YAMLScalar(
      text: text, style: quote == escape ? .singleQuoted : .doubleQuoted,
      range: range(start, position))
  }

  /// The character that is written with an escape here; nil for the rare ones.
  private var escapedCharacter: String? {
    switch byte(at: position + 1) {
    case UInt8(ascii: "'"): current == UInt8(ascii: "'") ? "'" : nil
    case UInt8(ascii: "\""): "\""
    case UInt8(ascii: "\\"): "\\"
    case UInt8(ascii: "/"): "/"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }
}
