import TextSearch

/// A token of an expression's text.
struct Token: Sendable {
  enum Kind: UInt8, Sendable {
    case end, name, quotedName, int, uint, double, text, bytes
    case leftParen, rightParen, leftBracket, rightBracket, leftBrace, rightBrace
    case dot, comma, colon, question
    case or, and, not, minus, plus, star, slash, percent
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, `in`
    case `true`, `false`, null
    case invalid
  }

  var kind: Kind
  var start: Int
  var end: Int

  var span: Span { Span(start, end) }
}

/// A lexer that cuts an expression's text into tokens, one at a time.
struct Lexer {
  let bytes: [UInt8]
  private(set) var position = 0
  /// The mistake in the last token, if its kind is `invalid`.
  private(set) var complaint = ""

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Token {
    skipBlanks()
    let start = position
    guard position < bytes.count else { return Token(kind: .end, start: start, end: start) }
    let kind = scan(bytes[position])
    return Token(kind: kind, start: start, end: position)
  }

  private func peek(_ distance: Int) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      default: return
      }
    }
  }

  private mutating func scan(_ byte: UInt8) -> Token.Kind {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: ".") where isDigit(peek(1)): return number()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return text(prefix: 0)
    case UInt8(ascii: "`"): return quotedName()
    case _ where isNameStart(byte): return textPrefix().map { text(prefix: $0) } ?? name()
    default: return symbol(byte)
    }
  }

  private mutating func symbol(_ byte: UInt8) -> Token.Kind {
    let following = peek(1)
    position += 1
    switch byte {
    case UInt8(ascii: "("): return .leftParen
    case UInt8(ascii: ")"): return .rightParen
    case UInt8(ascii: "["): return .leftBracket
    case UInt8(ascii: "]"): return .rightBracket
    case UInt8(ascii: "{"): return .leftBrace
    case UInt8(ascii: "}"): return .rightBrace
    case UInt8(ascii: "."): return .dot
    case UInt8(ascii: ","): return .comma
    case UInt8(ascii: ":"): return .colon
    case UInt8(ascii: "?"): return .question
    case UInt8(ascii: "-"): return .minus
    case UInt8(ascii: "+"): return .plus
    case UInt8(ascii: "*"): return .star
    case UInt8(ascii: "/"): return .slash
    case UInt8(ascii: "%"): return .percent
    case UInt8(ascii: "!"): return pair(following, "=", .notEqual) ?? .not
    case UInt8(ascii: "<"): return pair(following, "=", .lessOrEqual) ?? .less
    case UInt8(ascii: ">"): return pair(following, "=", .greaterOrEqual) ?? .greater
    case UInt8(ascii: "="):
      return pair(following, "=", .equal)
        ?? invalid(complaintAboutEquals(before: following))
    case UInt8(ascii: "|"): return pair(following, "|", .or) ?? invalid("`or` is written `||`")
    case UInt8(ascii: "&"): return pair(following, "&", .and) ?? invalid("`and` is written `&&`")
    default: return strange()
    }
  }

  private mutating func pair(
    _ following: UInt8, _ wanted: Unicode.Scalar, _ kind: Token.Kind
  ) -> Token.Kind? {
    guard following == UInt8(ascii: wanted) else { return nil }
    position += 1
    return kind
  }

  /// Returns the complaint about a single `=`; the position is behind it.
  private func complaintAboutEquals(before following: UInt8) -> String {
    if following == UInt8(ascii: ">") {
      return "there is no `=>`; write `list.map(x, x + 1)`, or `value + 1` for a stream"
    }
    let isThird = position > 2 && bytes[position - 2] == UInt8(ascii: "=")
    return isThird ? "`===` is written `==`" : "two `==` compare; a single `=` means nothing"
  }

  private mutating func strange() -> Token.Kind {
    let start = position - 1
    while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
    let character = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let code = character.unicodeScalars.first, !code.isASCII else {
      return invalid("this character means nothing in an expression")
    }
    if code.properties.isAlphabetic {
      return invalid("a name is letters from a to z, digits and `_`; a text has quotes")
    }
    let name = "U+" + String(String(0x100000 + code.value, radix: 16, uppercase: true).suffix(4))
    let meant =
      "\u{2018}\u{2019}\u{201C}\u{201D}".contains(character)
      ? "; write `'`"
      : "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}".contains(character)
        ? "; write `-`" : code.properties.isWhitespace ? "; write a space" : ""
    return invalid("this character (\(name)) means nothing in an expression\(meant)")
  }

  private mutating func invalid(_ message: String) -> Token.Kind {
    complaint = message
    return .invalid
  }
}

// Numbers and names.
extension Lexer {
  private mutating func number() -> Token.Kind {
    if bytes[position] == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") {
      position += 2
      while isHexDigit(peek(0)) { position += 1 }
      return suffixed(.int)
    }
    var kind = Token.Kind.int
    skipDigits()
    if peek(0) == UInt8(ascii: "."), isDigit(peek(1)) {
      position += 1
      skipDigits()
      kind = .double
    }
    if peek(0) | 0x20 == UInt8(ascii: "e"), let length = exponentLength() {
      position += length
      skipDigits()
      kind = .double
    }
    return suffixed(kind)
  }

  private func exponentLength() -> Int? {
    if isDigit(peek(1)) { return 1 }
    let signed = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
    return signed && isDigit(peek(2)) ? 2 : nil
  }

  private mutating func skipDigits() {
    while isDigit(peek(0)) { position += 1 }
  }

  private mutating func suffixed(_ kind: Token.Kind) -> Token.Kind {
    var kind = kind
    if kind == .int, peek(0) | 0x20 == UInt8(ascii: "u") {
      position += 1
      kind = .uint
    }
    guard isNamePart(peek(0)) else { return kind }
    while isNamePart(peek(0)) { position += 1 }
    return invalid("a number ends before a letter; a name cannot begin with a digit")
  }

  private mutating func name() -> Token.Kind {
    let start = position
    while position < bytes.count, isNamePart(bytes[position]) { position += 1 }
    switch position - start {
    case 2: return spells("in", at: start) ? .in : .name
    case 4:
      if spells("true", at: start) { return .true }
      return spells("null", at: start) ? .null : .name
    case 5: return spells("false", at: start) ? .false : .name
    default: return .name
    }
  }

  private func spells(_ word: StaticString, at start: Int) -> Bool {
    word.withUTF8Buffer { letters in
      for index in letters.indices where bytes[start + index] != letters[index] { return false }
      return true
    }
  }

  private mutating func quotedName() -> Token.Kind {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "`"), bytes[position] != 0x0A {
      position += 1
    }
    guard peek(0) == UInt8(ascii: "`") else { return invalid("this name has no closing backtick") }
    position += 1
    return .quotedName
  }
}

// Texts and byte strings.
extension Lexer {
  /// Returns how many letters (`r`, `b`, in any order and case) are before a quote here; nil if
  /// this is not a literal.
  private func textPrefix() -> Int? {
    var raw = false
    var binary = false
    for length in 0..<3 {
      switch peek(length) {
      case UInt8(ascii: "r"), UInt8(ascii: "R"):
        if raw { return nil }
        raw = true
      case UInt8(ascii: "b"), UInt8(ascii: "B"):
        if binary { return nil }
        binary = true
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return length
      default: return nil
      }
    }
    return nil
  }

  private mutating func text(prefix: Int) -> Token.Kind {
    var raw = false
    var kind = Token.Kind.text
    for _ in 0..<prefix {
      if bytes[position] | 0x20 == UInt8(ascii: "r") { raw = true } else { kind = .bytes }
      position += 1
    }
    return skipTextLiteral(in: bytes[...], at: &position, raw: raw)
      ? kind : invalid("this text has no closing quote")
  }
}

/// Moves past a quoted literal that begins at this position; returns false if it never ends.
func skipTextLiteral(in bytes: ArraySlice<UInt8>, at position: inout Int, raw: Bool) -> Bool {
  let quote = bytes[position]
  let triple =
    position + 2 < bytes.endIndex && bytes[position + 1] == quote && bytes[position + 2] == quote
  position += triple ? 3 : 1
  while position < bytes.endIndex {
    let byte = bytes[position]
    if byte == quote {
      if !triple {
        position += 1
        return true
      }
      if position + 2 < bytes.endIndex, bytes[position + 1] == quote, bytes[position + 2] == quote {
        position += 3
        return true
      }
    } else if byte == UInt8(ascii: "\\"), !raw {
      position += 1
    } else if !triple, byte == 0x0A || byte == 0x0D {
      return false
    }
    position += 1
  }
  position = bytes.endIndex
  return false
}

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }

func isNameStart(_ byte: UInt8) -> Bool {
  (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
}

func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
