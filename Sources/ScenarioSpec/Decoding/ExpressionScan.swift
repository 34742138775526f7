/// A stretch of a text: characters, or an expression in `${…}`; both as bytes of the text.
enum TextPiece: Equatable {
  case characters(Range<Int>)
  /// Characters that stand for `${` themselves, written `$${`.
  case escaped
  case expression(Range<Int>)
}

/// Takes a text apart at its `${…}`; nil and the place where one is not closed.
func splitText(_ bytes: [UInt8]) -> (pieces: [TextPiece], unterminated: Int?) {
  var pieces: [TextPiece] = []
  var start = 0
  var position = 0
  func flush(to end: Int) { if end > start { pieces.append(.characters(start..<end)) } }
  while let opening = nextOpening(bytes, from: position) {
    let isEscaped = opening > start && bytes[opening - 1] == dollar
    if isEscaped {
      flush(to: opening - 1)
      pieces.append(.escaped)
      position = opening + 2
    } else {
      guard let close = endOfExpression(bytes, from: opening + 2) else { return (pieces, opening) }
      flush(to: opening)
      pieces.append(.expression(opening + 2..<close))
      position = close + 1
    }
    start = position
  }
  flush(to: bytes.count)
  return (pieces, nil)
}

/// The place of the `}` that ends an expression: braces inside it and those in its texts are its
/// own.
func endOfExpression(_ bytes: [UInt8], from start: Int) -> Int? {
  var depth = 0
  var position = start
  while position < bytes.count {
    switch bytes[position] {
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "}"):
      if depth == 0 { return position }
      depth -= 1
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      position = endOfText(bytes, from: position, isRaw: hasRawPrefix(bytes, before: position))
      continue
    default: break
    }
    position += 1
  }
  return nil
}

private let dollar = UInt8(ascii: "$")

private func nextOpening(_ bytes: [UInt8], from start: Int) -> Int? {
  var position = start
  while position + 1 < bytes.count {
    if bytes[position] == dollar, bytes[position + 1] == UInt8(ascii: "{") { return position }
    position += 1
  }
  return nil
}

/// The place behind a text of the expression language: quoted once or three times, raw or not.
private func endOfText(_ bytes: [UInt8], from start: Int, isRaw: Bool) -> Int {
  let quote = bytes[start]
  let isTriple = bytes[start...].starts(with: [quote, quote, quote])
  let width = isTriple ? 3 : 1
  var position = start + width
  while position < bytes.count {
    if bytes[position] == UInt8(ascii: "\\"), !isRaw {
      position += 2
    } else if bytes[position...].prefix(width).elementsEqual(repeatElement(quote, count: width)) {
      return position + width
    } else {
      position += 1
    }
  }
  return position
}

/// Whether `r` or `R` stands before the quote as a prefix, perhaps with `b`, and not as the end of
/// a name.
private func hasRawPrefix(_ bytes: [UInt8], before quote: Int) -> Bool {
  var position = quote - 1
  var isRaw = false
  for _ in 0..<2 where position >= 0 {
    let letter = bytes[position] | 0x20
    guard letter == UInt8(ascii: "r") || letter == UInt8(ascii: "b") else { break }
    isRaw = isRaw || letter == UInt8(ascii: "r")
    position -= 1
  }
  guard isRaw, position >= 0 else { return isRaw }
  let before = bytes[position]
  let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(before | 0x20)
  return !(isLetter || before == UInt8(ascii: "_") || (0x30...0x39).contains(before))
}
