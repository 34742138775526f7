/// Escapes in double quotes that are those of another language.
extension SyntaxComplaint {
  /// Says how the text is written that has an escape which YAML does not know.
  var helpForEscape: String? {
    if problem.text == "found invalid Unicode character escape code" {
      return wholeCharacter.map { "write `\\U\($0)`" }
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

  /// The digits of a character that JSON writes as two halves, such as `\ud83d\ude00`.
  private var wholeCharacter: String? {
    guard let high = half(at: problem.offset), (0xD800..<0xDC00).contains(high),
      let low = half(at: problem.offset + 6), (0xDC00..<0xE000).contains(low)
    else { return nil }
    let digits = String(
      0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
  }

  /// Returns the four hexadecimal digits at a place, behind `\u`.
  private func half(at place: Int) -> UInt32? {
    guard place >= 2, place + 4 <= source.count, source[place - 1] == UInt8(ascii: "u") else {
      return nil
    }
    return UInt32(String(decoding: source[place..<place + 4], as: UTF8.self), radix: 16)
  }
}
