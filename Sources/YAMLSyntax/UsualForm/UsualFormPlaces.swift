import Diagnostics

/// Where the reader is, and what stands there.
extension UsualFormReader {
  var isAtEnd: Bool { position >= bytes.count }
  var column: Int { position - lineStart }

  /// The byte at the position; zero at the end. No text has zeros: `SourceCheck` replaces them.
  var current: UInt8 { byte(at: position) }

  @inline(__always)
  func byte(at place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }

  /// True at the dash of an element.
  var isDash: Bool {
    current == UInt8(ascii: "-") && isBlankOrEnd(byte(at: position + 1))
  }

  /// True at the colon after a key.
  var isAtColon: Bool {
    current == UInt8(ascii: ":") && isBlankOrEnd(byte(at: position + 1))
  }

  /// True at the beginning of a list in brackets or a mapping in braces.
  var isAtBracket: Bool {
    current == UInt8(ascii: "[") || current == UInt8(ascii: "{")
  }

  /// Goes past blanks, ends of lines and comments.
  mutating func skipToContent() throws(UnusualForm) {
    while true {
      switch current {
      case UInt8(ascii: " "): position += 1
      case UInt8(ascii: "\n"):
        position += 1
        lineStart = position
      case UInt8(ascii: "#"): try skipComment()
      case UInt8(ascii: "\t"), UInt8(ascii: "\r"): throw UnusualForm()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(UnusualForm) {
    guard position == lineStart || bytes[position - 1] == UInt8(ascii: " ") else {
      throw UnusualForm()
    }
    while !isAtEnd, current != UInt8(ascii: "\n") {
      if current == UInt8(ascii: "\r") { throw UnusualForm() }
      position += 1
    }
  }

  /// Goes to the next content, which must stand in another line.
  mutating func endLine() throws(UnusualForm) {
    let line = lineStart
    try skipToContent()
    guard isAtEnd || lineStart != line else { throw UnusualForm() }
  }

  func range(_ start: Int, _ end: Int) -> SourceRange {
    SourceRange(file: builder.file, start: Int32(start), end: Int32(end))
  }

  func text(_ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }
}

/// Returns whether a byte is a blank or ends a line. Tabs count: what they separate is unusual.
func isBlankOrEnd(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0: true
  default: false
  }
}
