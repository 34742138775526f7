import CEL
import TextSearch

/// A part of a text: characters, or an expression in `${…}`, as ranges of its bytes.
enum TextPiece: Equatable {
  case characters(Range<Int>)
  /// The characters `${` themselves, written `$${`.
  case escaped
  case expression(Range<Int>)
}

/// Splits a text at its `${…}`. Returns also the place of one that is not closed.
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
      guard let close = endOfExpression(in: bytes[(opening + 2)...]) else {
        return (pieces, opening)
      }
      flush(to: opening)
      pieces.append(.expression(opening + 2..<close))
      position = close + 1
    }
    start = position
  }
  flush(to: bytes.count)
  return (pieces, nil)
}

extension String {
  /// True if the text is meant to contain an expression.
  var holdsExpression: Bool { holds("${") }

  /// Returns whether the bytes of a short text occur in this one. Its first byte must stand in it
  /// once. It looks for bytes, since looking for characters takes a hundred times as long, and each
  /// scalar of a file is asked.
  func holds(_ part: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
    var matched = 0
    for byte in utf8 {
      if byte != wanted[matched] { matched = 0 }
      if byte == wanted[matched] { matched += 1 }
      if matched == wanted.count { return true }
    }
    return false
  }
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
