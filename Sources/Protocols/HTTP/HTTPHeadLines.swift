import Glibc

/// A check of a head's lines for flaws that llhttp accepts: a line that ends with LF alone, and one
/// that continues in the next. Readers disagree about both, which attackers exploit.
struct HTTPHeadLines: Sendable {
  struct Flaw {
    var offset: Int
    var problem: HTTPProblem
  }

  private var lineLength = 0
  private var endsWithCR = false
  /// True after the first line has begun; blank lines before it are ignored.
  private var hasBegun: Bool
  private var isOver = false

  /// Makes a check. Trailers have begun before their first line: a blank one ends them.
  init(hasBegun: Bool = false) {
    self.hasBegun = hasBegun
  }

  /// Returns the first flaw in the next bytes, up to the end of the head.
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

  /// Ends a line. The length includes the CR: a blank line has one byte.
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
