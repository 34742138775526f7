/// The text of a formatted file, line by line.
struct LineWriter {
  private(set) var bytes: [UInt8] = []
  /// The number of characters in the current line.
  private(set) var column = 0
  /// True until something stands below the line that opens a part: no empty line comes first.
  var isAtOpening = true
  /// True if the current line ends in a comment, so that nothing can stand behind it.
  private(set) var endsInComment = false
  private var hasLine = false
  /// The number of the current line, and the comments behind something, line by line.
  private var line = 0
  private var trailing: [TrailingComment] = []

  private struct TrailingComment {
    var line: Int
    /// The place of the first of the blanks before it, and its column.
    var place: Int
    var column: Int
    var length: Int
  }

  /// Begins a line, with an empty one before it if that is asked for.
  mutating func begin(indent: Int, afterEmptyLine: Bool = false) {
    if hasLine {
      bytes.append(UInt8(ascii: "\n"))
      line += 1
      if afterEmptyLine, !isAtOpening {
        bytes.append(UInt8(ascii: "\n"))
        line += 1
      }
    }
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
    column = indent
    endsInComment = false
    hasLine = true
    isAtOpening = false
  }

  mutating func append(_ text: some Collection<UInt8>) {
    bytes.append(contentsOf: text)
    for byte in text where byte & 0xC0 != 0x80 { column += 1 }
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    column += text.utf8CodeUnitCount
  }

  /// Writes a comment as all that the line holds.
  mutating func append(comment: some Collection<UInt8>) {
    append(comment)
    endsInComment = true
  }

  /// Writes a comment behind what stands in the line.
  mutating func append(trailingComment comment: some Collection<UInt8>) {
    let (place, start) = (bytes.count, column)
    append("  ")
    append(comment: comment)
    trailing.append(
      TrailingComment(line: line, place: place, column: start, length: column - start - 2))
  }

  /// Removes the blank behind a dash, when nothing follows in its line.
  mutating func dropBlank() {
    guard bytes.last == UInt8(ascii: " ") else { return }
    bytes.removeLast()
    column -= 1
  }

  /// Returns the file, with a line break behind its last line. Comments behind lines that follow
  /// each other stand in one column, unless one of them would reach beyond the width.
  func finished(width: Int) -> [UInt8] {
    guard hasLine else { return [] }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + trailing.count * 8)
    var written = 0
    for (comment, gap) in gaps(width: width) where gap > 0 {
      text += bytes[written..<comment.place]
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: gap))
      written = comment.place
    }
    return text + bytes[written...] + [UInt8(ascii: "\n")]
  }

  /// Returns the comments, each with the number of blanks that it is moved by.
  private func gaps(width: Int) -> [(TrailingComment, Int)] {
    var gaps: [(TrailingComment, Int)] = []
    var rest = trailing[...]
    while let first = rest.first {
      let block = zip(rest, first.line...).prefix { $0.line == $1 }.map(\.0)
      let column = block.map(\.column).max() ?? 0
      let fits = block.allSatisfy { column + 2 + $0.length <= width }
      gaps += block.map { ($0, fits ? column - $0.column : 0) }
      rest = rest.dropFirst(block.count)
    }
    return gaps
  }
}
