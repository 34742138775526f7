import Glibc
import TextSearch

/// A search for two flaws in a head's lines: a line that ends with LF alone, and one that continues
/// in the next. Readers disagree about both, which attackers exploit in requests. In an answer a
/// client has to accept them (RFC 9112, 2.2 and 5.2).
struct HTTPHeadLines: Sendable {
  struct Flaw {
    enum Kind { case folded, bareLineFeed }

    var offset: Int
    var kind: Kind

    /// Returns the problem of the flaw; nil if it is accepted. Only a header can be continued.
    func problem(in message: HTTPParserCore.Kind, isAfterHeader: Bool) -> HTTPProblem? {
      switch (kind, message) {
      case (.bareLineFeed, .response): nil
      case (.bareLineFeed, .request): .invalidLineEnd
      case (.folded, .response): isAfterHeader ? nil : .invalidHeader
      case (.folded, .request): .invalidHeader
      }
    }
  }

  private var lineLength = 0
  private var endsWithCR = false
  /// True after the first line has begun; blank lines before it are ignored.
  private var hasBegun: Bool
  private var isOver = false
  /// True if the current line was reported to continue the one before.
  private var isContinuation = false

  /// Makes a check. Trailers have begun before their first line: a blank one ends them.
  init(hasBegun: Bool = false) {
    self.hasBegun = hasBegun
  }

  /// Notes that a CR was added before the bare LF that was found last.
  mutating func addedCarriageReturn() {
    lineLength += 1
    endsWithCR = true
  }

  /// Returns the first flaw in the next bytes, up to the end of the head.
  mutating func flaw(in bytes: UnsafeRawBufferPointer) -> Flaw? {
    var index = 0
    while !isOver, index < bytes.count {
      if hasBegun, lineLength == 0, !isContinuation, isSpace(bytes[index]) {
        isContinuation = true
        return Flaw(offset: index, kind: .folded)
      }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
      guard let length = distanceToLineFeed(rest) else {
        lineLength += rest.count
        endsWithCR = rest.last == carriageReturn
        return nil
      }
      let isEnded = length > 0 ? rest[length - 1] == carriageReturn : endsWithCR
      guard isEnded else {
        lineLength += length
        return Flaw(offset: index + length, kind: .bareLineFeed)
      }
      endLine(length: lineLength + length)
      index += length + 1
    }
    return nil
  }

  /// Ends a line. The length includes the CR: a blank line has one byte.
  private mutating func endLine(length: Int) {
    if length > 1 { hasBegun = true } else { isOver = hasBegun }
    lineLength = 0
    isContinuation = false
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
