/// Escapes in double quotes that are those of another language.
extension SyntaxComplaint {
  /// Says how the text is written that has an escape which YAML does not know.
  var helpForEscape: String? {
    if problem.text == "found invalid Unicode character escape code" {
      // The problem is behind the first backslash and its letter.
      return escape(ofHalvesAt: problem.offset - 2, in: source).map { "write `\($0)`" }
    }
    guard problem.text == "found unknown escape character" else { return nil }
    return textInSingleQuotes.map { "write `\($0)`: single quotes read no escapes" }
      ?? "write two backslashes for one"
  }

  /// The text in quotes that do not read escapes; nil if it has such quotes or other escapes.
  private var textInSingleQuotes: String? {
    guard let start = problem.contextOffset, source[start] == UInt8(ascii: "\"") else { return nil }
    var end = start + 1
    while end < source.count, source[end] != UInt8(ascii: "\"") {
      let isEscaped = source[end] == UInt8(ascii: "\\")
      // What these stand for cannot be written otherwise here.
      if isEscaped, end + 1 < source.count, "\\\"nt\n".utf8.contains(source[end + 1]) { return nil }
      if "\n'".utf8.contains(source[end]) { return nil }
      end += 1
    }
    guard end < source.count else { return nil }
    return "'" + String(decoding: source[start + 1..<end], as: UTF8.self) + "'"
  }
}
