import TextSearch

/// A reader of the text between the quotes of a literal, with its escapes.
struct LiteralText {
  /// A mistake in an escape, and its place.
  struct Mistake: Error {
    let span: Span
    let message: String
  }

  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  private let isBytes: Bool
  private var result: [UInt8] = []

  private init(_ bytes: [UInt8], from start: Int, to end: Int, isBytes: Bool) {
    self.bytes = bytes
    position = start
    self.end = end
    self.isBytes = isBytes
  }

  /// Returns the bytes of a whole literal token; `isBytes` for `b'…'`.
  static func read(
    _ bytes: [UInt8], _ token: Token, isBytes: Bool
  ) throws(Mistake) -> [UInt8] {
    var start = token.start
    var raw = false
    while isNameStart(bytes[start]) {
      if bytes[start] | 0x20 == UInt8(ascii: "r") { raw = true }
      start += 1
    }
    let quote = bytes[start]
    let triple =
      token.end - start >= 6 && bytes[start + 1] == quote && bytes[start + 2] == quote
    let width = triple ? 3 : 1
    let inner = (start + width)..<(token.end - width)
    if raw || !bytes[inner].contains(UInt8(ascii: "\\")) { return Array(bytes[inner]) }
    var reader = LiteralText(bytes, from: inner.lowerBound, to: inner.upperBound, isBytes: isBytes)
    return try reader.unescape()
  }

  private mutating func unescape() throws(Mistake) -> [UInt8] {
    result.reserveCapacity(end - position)
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\\") { try escape() } else { result.append(byte) }
    }
    return result
  }

  private mutating func escape() throws(Mistake) {
    let start = position - 1
    guard position < end else { throw mistake(start, "an escape needs a character after `\\`") }
    let letter = bytes[position]
    position += 1
    if let simple = LiteralText.simpleEscape(letter) { return result.append(simple) }
    switch letter {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): try code(start, digits: 2)
    case UInt8(ascii: "u") where !isBytes: try code(start, digits: 4)
    case UInt8(ascii: "U") where !isBytes: try code(start, digits: 8)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      position -= 1
      try code(start, digits: 3, radix: 8)
    default:
      throw mistake(start, "there is no such escape; a backslash itself is written `\\\\`")
    }
  }

  private static func simpleEscape(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "a"): 0x07
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "v"): 0x0B
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"),
      UInt8(ascii: "?"):
      letter
    default: nil
    }
  }

  /// Reads a number of this many digits: a byte in a byte string, a character in a text.
  private mutating func code(_ start: Int, digits: Int, radix: UInt32 = 16) throws(Mistake) {
    var number: UInt32 = 0
    for _ in 0..<digits {
      guard position < end, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue,
        digit < radix
      else { throw mistake(start, "this escape needs \(digits) digits") }
      number = number &* radix &+ UInt32(digit)
      position += 1
    }
    if isBytes { return result.append(UInt8(truncatingIfNeeded: number)) }
    guard let scalar = Unicode.Scalar(number) else {
      throw mistake(start, "there is no character of this number")
    }
    result.append(contentsOf: Array(String(Character(scalar)).utf8))
  }

  private func mistake(_ start: Int, _ message: String) -> Mistake {
    Mistake(span: Span(start, position), message: message)
  }
}
