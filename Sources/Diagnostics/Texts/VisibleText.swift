/// Returns text from outside in a form that is safe for a terminal. Characters that would move the
/// cursor, change colours or reverse the reading direction become visible signs; a tab becomes four
/// spaces.
public func visibleText(_ text: String) -> String {
  text.reduce(into: "") { $0 += Glyph($1).text }
}

/// Returns a whole output in which nothing is left that a terminal obeys, besides line breaks and
/// tabs, and the program's own colours and links if it `keepsStyle`.
public func visibleOutput(_ text: String, keepsStyle: Bool) -> String {
  replacingControls(in: text, keepsStyle: keepsStyle, by: Glyph.replacement)
}

/// Returns an output in which each character that a terminal obeys is escaped in this way, besides
/// line breaks and tabs.
public func escapedOutput(_ text: String, by escape: (Unicode.Scalar) -> String) -> String {
  replacingControls(in: text, keepsStyle: false) {
    Glyph.replacement(for: $0) == nil ? nil : escape($0)
  }
}

private func replacingControls(
  in text: String, keepsStyle: Bool, by replacement: (Unicode.Scalar) -> String?
) -> String {
  guard text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 >= 0x7F }) else { return text }
  var result = ""
  var rest = text.unicodeScalars[...]
  while let scalar = rest.first {
    if keepsStyle, scalar == "\u{1B}", let behind = rest.behindStyle {
      result.unicodeScalars += rest[..<behind.startIndex]
      rest = behind
      continue
    }
    rest.removeFirst()
    if scalar != "\n", scalar != "\t", let sign = replacement(scalar) {
      result += sign
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

extension Substring.UnicodeScalarView {
  /// The rest after the colour or the link that this text begins with; nil if it begins with
  /// neither.
  fileprivate var behindStyle: Self? {
    if dropFirst().first == "[" {
      let behind = dropFirst(2).drop { ("0"..."9").contains($0) || $0 == ";" }
      return behind.first == "m" ? behind.dropFirst() : nil
    }
    guard dropFirst().starts(with: "]8;;".unicodeScalars) else { return nil }
    let behind = dropFirst(5).drop { Glyph.replacement(for: $0) == nil }
    return behind.starts(with: "\u{1B}\\".unicodeScalars) ? behind.dropFirst(2) : nil
  }
}

/// Returns how many terminal columns a text takes in its visible form; wide characters take two.
public func displayWidth(_ text: String) -> Int {
  text.reduce(0) { $0 + Glyph($1).width }
}

/// The visible form of one character, and its number of columns.
struct Glyph {
  let text: String
  let width: Int

  private static let tab = String(repeating: " ", count: 4)

  /// The sign in place of a secret, and the rest of it.
  static let mask = Glyph(shown: "***")
  static let nothing = Glyph(shown: "")

  init(_ character: Character) {
    if character == "\t" {
      self.init(shown: Glyph.tab)
    } else if character.unicodeScalars.contains(where: { Glyph.replacement(for: $0) != nil }) {
      self.init(shown: Glyph.replaced(character))
    } else {
      self.init(shown: String(character), width: Glyph.width(of: character))
    }
  }

  private init(shown: String, width: Int? = nil) {
    text = shown
    self.width = width ?? shown.count
  }

  private static func replaced(_ character: Character) -> String {
    character.unicodeScalars.reduce(into: "") {
      if let sign = replacement(for: $1) { $0 += sign } else { $0.unicodeScalars.append($1) }
    }
  }

  /// Returns the sign in place of a scalar that must not reach a terminal unchanged.
  static func replacement(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0..<0x20: picture(0x2400 + scalar.value)
    case 0x7F: picture(0x2421)
    case 0x80..<0xA0, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
      "<U+" + codePointDigits(scalar) + ">"
    default: nil
    }
  }

  private static func picture(_ value: UInt32) -> String? {
    Unicode.Scalar(value).map { String(Character($0)) }
  }
}

extension Glyph {
  private static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.value < 0x300, scalars.count == 1 { return 1 }
    if isEmoji(first, followedBy: scalars.dropFirst()) || isWide(first) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  private static func isEmoji(
    _ scalar: Unicode.Scalar, followedBy rest: Substring.UnicodeScalarView
  ) -> Bool {
    scalar.properties.isEmojiPresentation
      || (scalar.properties.isEmoji && rest.contains { $0.value == 0xFE0F })
  }

  /// Returns whether terminals draw the character two columns wide.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
