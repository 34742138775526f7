import Values

/// Two texts cut to where they first differ, so that both can stand one below the other.
struct TextWindows {
  /// The shown part of each text, quoted, with an ellipsis for what is left out.
  let actual: String
  let expected: String
  /// The text before the first difference, which both share.
  let shared: String
  /// The number of the first character that differs, from 1.
  let position: Int

  /// Nil where the two are the same.
  init?(_ actual: String, _ expected: String, room: Int) {
    var common = actual.startIndex
    var other = expected.startIndex
    var count = 0
    // Swift's comparison of characters finds two spellings of one letter equal.
    while common < actual.endIndex, other < expected.endIndex,
      actual[common].unicodeScalars.elementsEqual(expected[other].unicodeScalars)
    {
      common = actual.index(after: common)
      other = expected.index(after: other)
      count += 1
    }
    guard common < actual.endIndex || other < expected.endIndex else { return nil }
    position = count + 1
    let fitsWhole = max(actual.utf8.count, expected.utf8.count) <= room
    let before = fitsWhole ? count : min(count, room / 3)
    let start = actual.index(common, offsetBy: -before)
    shared = (before < count ? "\"…" : "\"") + quoted(actual[start..<common])
    self.actual = shared + TextWindows.rest(actual[common...], room - before)
    self.expected = shared + TextWindows.rest(expected[other...], room - before)
  }

  private static func rest(_ text: Substring, _ room: Int) -> String {
    let shown = text.prefix(max(0, room))
    return quoted(shown) + (shown.endIndex < text.endIndex ? "…\"" : "\"")
  }
}

/// Returns a text as JSON writes it, without the quotes.
private func quoted(_ text: Substring) -> String {
  String(Value.string(String(text)).json().dropFirst().dropLast())
}
