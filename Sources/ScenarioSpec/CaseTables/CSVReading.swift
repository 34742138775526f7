import TextSearch
import YAMLSyntax

/// One cell of a CSV text.
struct CSVCell: Equatable {
  var text: String
  /// True if the cell is in quotes. It is then always text.
  var isQuoted: Bool
  /// The range of its bytes, with its quotes.
  var range: Range<Int>
}

/// One record of a CSV text: a line, or several if a quoted cell has line breaks.
struct CSVRecord: Equatable {
  var cells: [CSVCell]

  /// The range from the first cell to the end of the last.
  var range: Range<Int> {
    let start = cells.first?.range.lowerBound ?? 0
    return start..<max(start, cells.last?.range.upperBound ?? 0)
  }
}

/// The reason why a text is not CSV, and the bytes it is about.
struct CSVProblem: Error, Equatable {
  enum Kind: Equatable {
    case unclosedQuote, textAfterQuote, quoteInText
  }

  var kind: Kind
  var range: Range<Int>
}

/// A reader of CSV (RFC 4180), record by record. Lines end in LF or CRLF. Blank lines, and blanks
/// around a cell, are ignored.
struct CSVReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: byteOrderMark) { position = byteOrderMark.count }
  }

  /// Returns the next record; nil at the end.
  mutating func next() throws(CSVProblem) -> CSVRecord? {
    while position < bytes.count {
      let record = try record()
      let isBlank = record.cells.count == 1 && record.cells[0].isAbsent
      if !isBlank { return record }
    }
    return nil
  }

  private mutating func record() throws(CSVProblem) -> CSVRecord {
    var cells: [CSVCell] = []
    repeat { cells.append(try cell()) } while take(.comma)
    endLine()
    return CSVRecord(cells: cells)
  }

  private mutating func cell() throws(CSVProblem) -> CSVCell {
    skipBlanks()
    return byte(at: position) == .quote ? try quotedCell() : try plainCell()
  }

  private mutating func plainCell() throws(CSVProblem) -> CSVCell {
    let start = position
    var end = position
    while position < bytes.count, bytes[position] != .comma, !isAtLineEnd {
      if bytes[position] == .quote {
        throw CSVProblem(kind: .quoteInText, range: position..<position + 1)
      }
      position += 1
      if !isBlank(bytes[position - 1]) { end = position }
    }
    return CSVCell(text: text(start..<end), isQuoted: false, range: start..<end)
  }

  private mutating func quotedCell() throws(CSVProblem) -> CSVCell {
    let start = position
    position += 1
    var content = ""
    var piece = position
    while true {
      guard position < bytes.count else {
        throw CSVProblem(kind: .unclosedQuote, range: start..<start + 1)
      }
      position += 1
      guard bytes[position - 1] == .quote else { continue }
      content += text(piece..<position - 1)
      // Two quotes are one that is meant.
      guard take(.quote) else { break }
      content += "\""
      piece = position
    }
    let cell = CSVCell(text: content, isQuoted: true, range: start..<position)
    try expectEndOfCell()
    return cell
  }

  private mutating func expectEndOfCell() throws(CSVProblem) {
    skipBlanks()
    guard position < bytes.count, bytes[position] != .comma, !isAtLineEnd else { return }
    throw CSVProblem(kind: .textAfterQuote, range: position..<position + 1)
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  private func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ wanted: UInt8) -> Bool {
    guard byte(at: position) == wanted else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let next = byte(at: position), isBlank(next) { position += 1 }
  }

  /// Returns the length of a line's end. A carriage return alone is none.
  private var isAtLineEnd: Bool {
    switch byte(at: position) {
    case .lineFeed: true
    case .carriageReturn: byte(at: position + 1).map { $0 == .lineFeed } ?? true
    default: false
    }
  }

  private mutating func endLine() {
    _ = take(.carriageReturn)
    _ = take(.lineFeed)
  }
}

extension CSVCell {
  /// True if the record is blank.
  var isAbsent: Bool { text.isEmpty && !isQuoted }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

extension UInt8 {
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
