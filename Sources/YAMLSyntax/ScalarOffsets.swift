import Diagnostics

extension YAMLScalar {
  /// Returns the byte of the source that a byte of `text` comes from.
  ///
  /// Quotes, escapes, folded lines and indentation separate the two, so a diagnostic about a part
  /// of the text needs this for its place. The offset past the end is the place after the content.
  package func sourceOffset(ofTextOffset offset: Int, in file: SourceFile) -> Int32 {
    let start = Int(range.start)
    let end = min(Int(range.end), file.bytes.count)
    guard start < end else { return range.start }
    var text = text
    return file.bytes.withUnsafeBufferPointer { source in
      text.withUTF8 { text in
        var walk = ScalarWalk(source: source[start..<end], text: text, target: max(0, offset))
        walk.walk(style)
        return Int32(min(walk.position, end))
      }
    }
  }

  /// Returns the range of the source that a range of `text` comes from.
  package func sourceRange(ofTextRange part: Range<Int>, in file: SourceFile) -> SourceRange {
    let start = sourceOffset(ofTextOffset: part.lowerBound, in: file)
    let end = sourceOffset(ofTextOffset: part.upperBound, in: file)
    return SourceRange(file: range.file, start: start, end: max(start, end))
  }
}

/// A walk over the source of a scalar. It counts the bytes of text made so far, up to the target.
///
/// An expression in several lines takes ten walks for each of them, so it works on bytes in place.
private struct ScalarWalk {
  let source: Slice<UnsafeBufferPointer<UInt8>>
  let text: UnsafeBufferPointer<UInt8>
  let target: Int
  var position: Int
  var made = 0

  init(
    source: Slice<UnsafeBufferPointer<UInt8>>, text: UnsafeBufferPointer<UInt8>, target: Int
  ) {
    self.source = source
    self.text = text
    self.target = target
    position = source.startIndex
  }

  var isDone: Bool { made >= target || position >= source.endIndex }

  func byte(_ at: Int) -> UInt8 {
    at >= source.startIndex && at < source.endIndex ? source.base[at] : 0
  }

  mutating func walk(_ style: YAMLScalar.Style) {
    switch style {
    case .plain: flow(quote: nil)
    case .singleQuoted: flow(quote: UInt8(ascii: "'"))
    case .doubleQuoted: flow(quote: UInt8(ascii: "\""))
    case .literal: block(isFolded: false)
    case .folded: block(isFolded: true)
    }
  }

  mutating func flow(quote: UInt8?) {
    if quote != nil { position += 1 }
    while !isDone {
      let next = byte(position)
      if isBlankOrBreak(next) {
        whitespace()
      } else if next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        escape()
      } else if next == quote {
        // A quote inside is either the first of two, which stand for one, or the end.
        if byte(position + 1) != quote || next == UInt8(ascii: "\"") { return }
        advance(2, making: 1)
      } else {
        advance(1, making: 1)
      }
    }
  }

  /// Moves on, unless the target lies within the bytes made here.
  private mutating func advance(_ count: Int, making: Int) {
    if made + making > target, making > 0 {
      made = target
    } else {
      made += making
      position += count
    }
  }

  /// Reads blanks unchanged, and folds a line break with the blanks around it.
  private mutating func whitespace() {
    var end = position
    while isBlankOrBreak(byte(end)) { end += 1 }
    let breaks = lineBreaks(in: position..<end)
    if breaks == 0 {
      advance(min(end - position, target - made), making: min(end - position, target - made))
    } else {
      advance(end - position, making: max(1, breaks - 1))
    }
  }

  private mutating func escape() {
    if byte(position + 1) == UInt8(ascii: "\n") || byte(position + 1) == UInt8(ascii: "\r") {
      var end = position + 1
      while isBlankOrBreak(byte(end)) { end += 1 }
      return advance(end - position, making: lineBreaks(in: position..<end) - 1)
    }
    switch byte(position + 1) {
    case UInt8(ascii: "x"): codePoint(digits: 2)
    case UInt8(ascii: "u"): codePoint(digits: 4)
    case UInt8(ascii: "U"): codePoint(digits: 8)
    case UInt8(ascii: "N"), UInt8(ascii: "_"): advance(2, making: 2)
    case UInt8(ascii: "L"), UInt8(ascii: "P"): advance(2, making: 3)
    default: advance(2, making: 1)
    }
  }

  private mutating func codePoint(digits: Int) {
    let first = min(position + 2, source.endIndex)
    let last = min(first + digits, source.endIndex)
    let code = UInt32(String(decoding: source[first..<last], as: UTF8.self), radix: 16)
    let scalar = code.flatMap { Unicode.Scalar($0) } ?? " "
    advance(2 + digits, making: UTF8.width(scalar))
  }

  private func lineBreaks(in range: Range<Int>) -> Int {
    var count = 0
    for at in range {
      let isFirstOfPair = byte(at) == UInt8(ascii: "\r") && byte(at + 1) == UInt8(ascii: "\n")
      if isBreak(byte(at)), !isFirstOfPair { count += 1 }
    }
    return count
  }
}

extension ScalarWalk {
  /// Reads the lines of a block scalar: the header, then lines that differ from the text by
  /// indentation. Folded lines also differ by their joints.
  mutating func block(isFolded: Bool) {
    var line = lineEnd(from: position)
    position = afterBreak(line)
    let indent = indentation()
    while position < source.endIndex {
      line = lineEnd(from: position)
      let begin = min(position + min(indent, leadingSpaces(at: position)), line)
      let content = line - begin
      if content > 0 || !isFolded {
        if target <= made + content {
          position = begin + max(0, target - made)
          return
        }
        made += content
      }
      if content > 0 || !isFolded {
        made += joint(isFolded: isFolded)
      } else if made < text.prefix(while: { $0 == UInt8(ascii: "\n") }).count {
        made += 1
      }
      if target < made {
        position = line
        return
      }
      position = afterBreak(line)
    }
    position = source.endIndex
  }

  /// Returns how many bytes of text stand for the breaks after a line.
  private func joint(isFolded: Bool) -> Int {
    guard isFolded, made < text.count, text[made] == UInt8(ascii: "\n") else { return 1 }
    return text[made...].prefix { $0 == UInt8(ascii: "\n") }.count
  }

  /// Returns the indentation: the surplus of the first line with content over its text.
  private func indentation() -> Int {
    var at = position
    while at < source.endIndex, lineEnd(from: at) - at == leadingSpaces(at: at) {
      at = afterBreak(lineEnd(from: at))
    }
    let content = text.drop { $0 == UInt8(ascii: "\n") }
    let kept = content.prefix { $0 == UInt8(ascii: " ") }.count
    return max(0, leadingSpaces(at: at) - kept)
  }

  private func leadingSpaces(at start: Int) -> Int {
    var end = start
    while byte(end) == UInt8(ascii: " ") { end += 1 }
    return end - start
  }

  private func lineEnd(from start: Int) -> Int {
    var end = start
    while end < source.endIndex, !isBreak(byte(end)) { end += 1 }
    return end
  }

  private func afterBreak(_ end: Int) -> Int {
    guard end < source.endIndex else { return end }
    let isPair = byte(end) == UInt8(ascii: "\r") && byte(end + 1) == UInt8(ascii: "\n")
    return end + (isPair ? 2 : 1)
  }
}

package func isBreak(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}
package func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}
package func isBlankOrBreak(_ byte: UInt8) -> Bool { isBlank(byte) || isBreak(byte) }
