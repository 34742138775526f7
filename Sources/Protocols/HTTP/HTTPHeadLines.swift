import Glibc

/// Watches the lines of a head for what llhttp lets pass: a line that ends with LF alone, and one
/// that goes on in the next. Readers disagree about both, and attackers live on that.
struct HTTPHeadLines: Sendable {
  struct Flaw {
    var offset: Int
    var problem: HTTPProblem
  }

  private var lineLength = 0
  private var endsWithCR = false
  /// Blank lines before the first line do not count.
  private var hasBegun: Bool
  private var isOver = false

  /// Trailers have begun before their first line: a blank one ends them.
  init(hasBegun: Bool = false) {
    self.hasBegun = hasBegun
  }

  /// The first flaw in the next bytes, up to the end of the head.
  mutating func flaw(in bytes: UnsafeRawBufferPointer) -> Flaw? {
    var index = 0
    while !isOver, index < bytes.count {
      if hasBegun, lineLength == 0, isSpace(bytes[index]) {
        return Flaw(offset: index, problem: .invalidHeader)
      }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
      guard let length = distanceToLineFeed(rest) else {
        lineLength += rest.count
        endsWithCR = rest.last == carriageReturn
        return nil
      }
      let isEnded = length > 0 ? rest[length - 1] == carriageReturn : endsWithCR
      guard isEnded else { return Flaw(offset: index + length, problem: .invalidLineEnd) }
      endLine(length: lineLength + length)
      index += length + 1
    }
    return nil
  }

  /// The length counts the CR: a blank line has one byte.
  private mutating func endLine(length: Int) {
    if length > 1 { hasBegun = true } else { isOver = hasBegun }
    lineLength = 0
    endsWithCR = false
  }

  private func distanceToLineFeed(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, let found = memchr(start, 0x0A, bytes.count) else {
      return nil
    }
    return UnsafeRawPointer(found) - start
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}

private let carriageReturn: UInt8 = 0x0D
