import TextSearch

/// Finds the `}` that closes an expression begun by `${`; nil if there is none.
///
/// The bytes begin just after `${`; the result is an index into them. Braces of map literals, text
/// literals and comments do not close the expression.
package func endOfExpression(in bytes: ArraySlice<UInt8>) -> Int? {
  var depth = 0
  var position = bytes.startIndex
  while position < bytes.endIndex {
    switch bytes[position] {
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "}"):
      if depth == 0 { return position }
      depth -= 1
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      let raw = isRaw(bytes, quoteAt: position)
      guard skipTextLiteral(in: bytes, at: &position, raw: raw) else { return nil }
      continue
    case UInt8(ascii: "`"):
      guard let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "`")) else { return nil }
      position = end
    default: break
    }
    position += 1
  }
  return nil
}

/// Returns whether the quote here opens a raw literal: `r'…'`, `br'…'`, `rb'…'`, but not `bar'…'`.
private func isRaw(_ bytes: ArraySlice<UInt8>, quoteAt position: Int) -> Bool {
  var start = position
  while start > bytes.startIndex, isNamePart(bytes[start - 1]) { start -= 1 }
  let prefix = bytes[start..<position].map { $0 | 0x20 }
  return prefix == Array("r".utf8) || prefix == Array("br".utf8) || prefix == Array("rb".utf8)
}
