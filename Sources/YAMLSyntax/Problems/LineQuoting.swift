/// A rewriting of one line, with a value in quotes, for the help of a diagnostic.
///
/// It looks at one line only and knows no YAML beyond keys, dashes, quotes and brackets, because it
/// is needed after the parser has stopped.
struct LineQuoting {
  /// The longest line that is rewritten; nobody would read a longer one.
  private static let longestLine = 500

  let bytes: UnsafeBufferPointer<UInt8>
  let start: Int
  let end: Int
  /// True if a bracket or brace of an earlier line is known to be open here.
  private let isWithinFlow: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>, around offset: Int, isWithinFlow: Bool = false) {
    self.bytes = bytes
    self.isWithinFlow = isWithinFlow
    var start = min(max(0, offset), bytes.count)
    var end = start
    let first = max(0, start - LineQuoting.longestLine)
    let last = min(bytes.count, end + LineQuoting.longestLine)
    while start > first, !isBreak(bytes[start - 1]) { start -= 1 }
    while end < last, !isBreak(bytes[end]) { end += 1 }
    self.start = start
    self.end = end - start < LineQuoting.longestLine ? end : start
  }

  func byte(_ at: Int) -> UInt8 { at >= start && at < end ? bytes[at] : 0 }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: start..<end)], as: UTF8.self)
  }

  /// Returns the line without indentation, with `value` in quotes and the rest unchanged.
  func line(quoting value: Range<Int>, keepingRest: Bool) -> String {
    let rest = keepingRest ? trimmedEnd(value.upperBound..<end) : ""
    return text(afterBlanks(start)..<value.lowerBound) + inQuotes(text(value)) + rest
  }

  /// Returns the line with its whole value in quotes: after the dashes and the key, before a
  /// comment.
  func valueInQuotes(at offset: Int) -> String? {
    if isInFlow(offset) { return flowValueInQuotes(from: flowValueStart(before: offset + 1)) }
    guard let value = blockValue, !value.isEmpty else { return nil }
    return line(quoting: value, keepingRest: true)
  }

  /// Returns the line with everything from the offset to its end in quotes.
  func restInQuotes(from offset: Int) -> String? {
    var last = end
    while last > offset, isBlank(byte(last - 1)) { last -= 1 }
    guard last > offset, offset >= start else { return nil }
    return line(quoting: offset..<last, keepingRest: false)
  }

  /// Returns the line with the value that begins here in quotes, to the end of its element.
  func flowValueInQuotes(from offset: Int) -> String? {
    guard let value = flowValue(from: offset), !value.isEmpty else { return nil }
    return line(quoting: keyOfEntry(value) ?? value, keepingRest: true)
  }

  /// Returns the key, if the range is a whole entry of a map in braces: `$[0].id: 1`.
  private func keyOfEntry(_ entry: Range<Int>) -> Range<Int>? {
    var before = entry.lowerBound - 1
    while isBlank(byte(before)) { before -= 1 }
    guard byte(before) == UInt8(ascii: "{") || byte(before) == UInt8(ascii: ",") else { return nil }
    let colon = entry.first { at in
      byte(at) == UInt8(ascii: ":") && isBlank(byte(at + 1)) && !isBlank(byte(at - 1))
    }
    guard let colon, !text(entry.lowerBound..<colon).contains("(") else { return nil }
    return entry.lowerBound..<colon
  }

  private func trimmedEnd(_ range: Range<Int>) -> String {
    var last = range.upperBound
    while last > range.lowerBound, isBlank(byte(last - 1)) { last -= 1 }
    return text(range.lowerBound..<last)
  }

  func afterBlanks(_ from: Int) -> Int {
    var at = from
    while isBlank(byte(at)) { at += 1 }
    return at
  }
}

/// Returns the text in the quotes that need the fewest escapes.
func inQuotes(_ text: String) -> String {
  if !text.contains("\""), !text.contains("\\") { return "\"\(text)\"" }
  let doubled = text.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + doubled.joined(separator: "''") + "'"
}

extension LineQuoting {
  /// The position of a block's element, after indentation and dashes.
  private var itemStart: Int {
    var at = afterBlanks(start)
    while byte(at) == UInt8(ascii: "-"), isBlank(byte(at + 1)) { at = afterBlanks(at + 1) }
    return at
  }

  /// The position of the colon after the first key.
  var keyColon: Int? {
    var at = itemStart
    let quote = byte(at)
    if quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      at += 1
      while at < end, byte(at) != quote { at += 1 }
      at += 1
      return byte(at) == UInt8(ascii: ":") && endsKey(at) ? at : nil
    }
    while at < end {
      if byte(at) == UInt8(ascii: ":"), endsKey(at) { return at }
      if byte(at) == UInt8(ascii: "{") || byte(at) == UInt8(ascii: "[") { return nil }
      at += 1
    }
    return nil
  }

  private func endsKey(_ colon: Int) -> Bool { colon + 1 == end || isBlank(byte(colon + 1)) }

  /// The value of the line's first key, or the whole element if there is no key.
  var blockValue: Range<Int>? {
    let first = keyColon.map { afterBlanks($0 + 1) } ?? itemStart
    let last = valueEnd(from: first)
    return first <= last ? first..<last : nil
  }

  /// Returns the end of the value, at a comment or at the line's end. Quotes are respected.
  private func valueEnd(from first: Int) -> Int {
    var last = first
    var quote: UInt8?
    while last < end {
      let next = byte(last)
      if next == quote {
        quote = nil
      } else if quote == nil {
        if isQuote(next), !isNameByte(byte(last - 1)) { quote = next }
        if next == UInt8(ascii: "#"), last > first, isBlank(byte(last - 1)) { break }
      }
      last += 1
    }
    while last > first, isBlank(byte(last - 1)) { last -= 1 }
    return last
  }

  /// Returns whether a bracket or brace is open at the offset. Quotes are respected.
  func isInFlow(_ offset: Int) -> Bool {
    if isWithinFlow { return true }
    var depth = 0
    var quote: UInt8?
    var at = blockValue?.lowerBound ?? start
    // Brackets count only at the beginning of a value: elsewhere they are part of plain text.
    guard byte(at) == UInt8(ascii: "{") || byte(at) == UInt8(ascii: "[") else { return false }
    while at < min(offset, end) {
      let next = byte(at)
      if next == quote {
        quote = nil
      } else if quote == nil {
        if isQuote(next), !isNameByte(byte(at - 1)) { quote = next }
        if isOpening(next) { depth += 1 }
        if isClosing(next) { depth -= 1 }
      }
      at += 1
    }
    return depth > 0
  }

  /// Returns the beginning of the flow collection's element with a problem at the offset.
  func flowValueStart(before offset: Int) -> Int {
    var at = min(offset, end) - 1
    while at > start {
      let previous = byte(at - 1)
      if isBlank(byte(at)), previous == UInt8(ascii: ":") || previous == UInt8(ascii: ",") {
        return afterBlanks(at)
      }
      if isOpening(previous),
        at - 1 == afterBlanks(start) || isBlank(byte(at - 2))
          || isOpening(byte(at - 2)), at < offset - 1 || !isOpening(byte(at))
      {
        return afterBlanks(at)
      }
      at -= 1
    }
    return afterBlanks(start)
  }

  /// Returns the range from here to the comma or bracket that ends the element. Inner brackets and
  /// quotes are respected.
  func flowValue(from first: Int) -> Range<Int>? {
    var depth = 0
    var quote: UInt8?
    var at = first
    scan: while at < end {
      let next = byte(at)
      if next == quote {
        quote = nil
      } else if quote == nil {
        if isQuote(next), !isNameByte(byte(at - 1)) { quote = next }
        if isOpening(next) || next == UInt8(ascii: "(") { depth += 1 }
        if depth == 0, isClosing(next) || next == UInt8(ascii: ",") { break scan }
        if next == UInt8(ascii: "#"), at > first, isBlank(byte(at - 1)) { break scan }
        if isClosing(next) || next == UInt8(ascii: ")") { depth -= 1 }
      }
      at += 1
    }
    guard at < end || isWithinFlow, depth == 0, quote == nil else { return nil }
    while at > first, isBlank(byte(at - 1)) { at -= 1 }
    return first..<at
  }
}

private func isQuote(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
}
func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
func isClosing(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }
