import TextSearch

/// A splitter of bytes into lines.
struct LineSplitter {
  private var rest: [UInt8] = []
  private let most: Int
  /// True while the rest of a line that was too long passes.
  private var isSkipping = false

  /// A piece of what was written.
  enum Piece: Equatable {
    case line([UInt8])
    /// A line had more bytes than a line may have. The line is dropped.
    case tooLong
  }

  init(atMost most: Int) { self.most = most }

  /// Takes the next bytes, and returns the lines that they complete.
  mutating func take(_ bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if isSkipping {
        isSkipping = false
      } else {
        pieces.append(complete(with: bytes[start..<end]))
      }
      start = end + 1
    }
    guard !isSkipping else { return pieces }
    rest += bytes[start...]
    if rest.count > most {
      rest = []
      isSkipping = true
      pieces.append(.tooLong)
    }
    return pieces
  }

  /// Returns the last line, if it has no end.
  mutating func finish() -> [Piece] {
    guard !rest.isEmpty, !isSkipping else { return [] }
    return [complete(with: [])]
  }

  private mutating func complete(with end: ArraySlice<UInt8>) -> Piece {
    var line = rest + end
    rest = []
    if line.count > most { return .tooLong }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return .line(line)
  }
}
