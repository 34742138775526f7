/// A label whose range was found in its file: a line, and characters of that line from 0.
struct PlacedLabel {
  let line: Int
  let columns: Range<Int>
  /// True if the range continues after the underlined part.
  let continues: Bool
  let text: String
  let isPrimary: Bool

  init(_ label: Diagnostic.Label, in file: SourceFile, isPrimary: Bool) {
    let start = file.place(of: Int(label.range.start))
    let end = file.place(of: PlacedLabel.visibleEnd(of: label.range, in: file))
    line = start.line
    let goesOn = end.line > start.line
    let first = start.column - 1
    let last = goesOn ? file.line(start.line).count : end.column - 1
    columns = first..<max(first, last)
    continues = goesOn && last > first
    text = label.text
    self.isPrimary = isPrimary
  }

  /// Returns the visible end of a range. A block's range includes line breaks and indentation up to
  /// the next text, which must not be underlined.
  private static func visibleEnd(of range: SourceRange, in file: SourceFile) -> Int {
    let start = min(max(0, Int(range.start)), file.count)
    let end = min(max(start, Int(range.end)), file.count)
    let inside = file.bytes(start..<end)
    guard inside.contains(UInt8(ascii: "\n")) else { return end }
    let last = inside.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return last.map { start + $0 + 1 } ?? start
  }
}

/// All labels of one file, and the place shown above its quoted lines.
struct Excerpt {
  let file: SourceFile
  let place: String
  var labels: [PlacedLabel]
}

/// Groups labels by file (first pass): the file of the diagnostic's own place comes first, then the
/// others in order.
func groupedByFile(_ labels: [Diagnostic.Label], in sources: SourceMap) -> [Excerpt] {
  var excerpts: [Excerpt] = []
  var numbers: [Int32] = []
  for (position, label) in labels.enumerated() {
    guard let file = sources.file(of: label.range) else { continue }
    let placed = PlacedLabel(label, in: file, isPrimary: position == 0)
    if let known = numbers.firstIndex(of: label.range.file) {
      excerpts[known].labels.append(placed)
    } else {
      numbers.append(label.range.file)
      let place = "\(file.path):\(placed.line):\(placed.columns.lowerBound + 1)"
      excerpts.append(Excerpt(file: file, place: place, labels: [placed]))
    }
  }
  return excerpts
}

enum ExcerptRow: Equatable {
  case line(Int)
  case gap
}

/// Chooses the lines to quote (second pass): every line with a label, a single line between two of
/// them, and a sign for a longer gap.
func chosenRows(of excerpt: Excerpt) -> [ExcerptRow] {
  var rows: [ExcerptRow] = []
  var last: Int?
  for line in excerpt.labels.map(\.line).sorted() where line != last {
    if let last, line == last + 2 { rows.append(.line(last + 1)) }
    if let last, line > last + 2 { rows.append(.gap) }
    rows.append(.line(line))
    last = line
  }
  return rows
}

/// A line as it is quoted (third pass), cut to the room with the caret in sight.
struct QuotedLine {
  private(set) var text = ""
  /// The column of each character, and at the end the column after the last.
  private let columns: [Int]
  private let shown: Range<Int>
  /// The characters of a very long line that are left out before those with columns.
  private let skipped: Int
  private var isCutBefore: Bool { skipped > 0 || shown.lowerBound > 0 }

  init(_ line: String, hiding secrets: [Range<Int>] = [], focus: Int?, room: Int) {
    let part = LinePart(of: line, around: focus ?? 0)
    let glyphs = QuotedLine.glyphs(of: part.text, hiding: part.visible(secrets))
    let columns = glyphs.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.width) }
    self.columns = columns
    skipped = part.skipped
    let focus = min(max(0, (focus ?? 0) - part.skipped), glyphs.count)
    shown = QuotedLine.window(columns, focus: focus, room: room)
    let middle = glyphs[shown].reduce(into: "") { $0 += $1.text }
    let isCutAfter = part.isCutAfter || shown.upperBound < glyphs.count
    text = (isCutBefore ? "…" : "") + middle + (isCutAfter ? "…" : "")
  }

  /// Returns the visible forms of all characters. Of a secret, the first is the mask and the others
  /// have no width, so that carets stay below what they point at.
  private static func glyphs(of line: Substring, hiding secrets: [Range<Int>]) -> [Glyph] {
    if secrets.isEmpty { return line.map { Glyph($0) } }
    var offset = 0
    return line.map { character in
      defer { offset += character.utf8.count }
      let place = offset..<offset + character.utf8.count
      guard let secret = secrets.first(where: { $0.overlaps(place) }) else {
        return Glyph(character)
      }
      return place.contains(secret.lowerBound) ? .mask : .nothing
    }
  }

  /// Returns the column of a character in the quoted text; a character that was cut lies at the
  /// edge.
  func position(of character: Int) -> Int {
    let inside = min(max(character - skipped, shown.lowerBound), shown.upperBound)
    return columns[inside] - columns[shown.lowerBound] + (isCutBefore ? 1 : 0)
  }

  /// Returns the characters to show: a third of the room before the caret, the rest after it.
  private static func window(_ columns: [Int], focus: Int, room: Int) -> Range<Int> {
    let count = columns.count - 1
    guard columns[count] > room else { return 0..<count }
    let wanted = min(columns[focus] - room / 3, columns[count] - (room - 1))
    let first = wanted <= 0 ? 0 : columns.firstIndex { $0 >= wanted } ?? focus
    let left = columns[first] + room - (first > 0 ? 1 : 0)
    if columns[count] <= left { return first..<count }
    let last = columns.lastIndex { $0 <= left - 1 } ?? count
    return first..<max(first, last)
  }
}

/// The part of a very long line that may be quoted; usually the whole line.
private struct LinePart {
  /// The characters on each side of the caret. A quoted line shows fewer of them.
  private static let reach = 4_096

  let text: Substring
  let skipped: Int
  private let firstByte: Int
  let isCutAfter: Bool

  init(of line: String, around focus: Int) {
    skipped = max(0, focus - LinePart.reach)
    let start = line.index(line.startIndex, offsetBy: skipped, limitedBy: line.endIndex)
    let first = start ?? line.endIndex
    text = line[first...].prefix(2 * LinePart.reach)
    firstByte = line.utf8.distance(from: line.startIndex, to: first)
    isCutAfter = text.endIndex < line.endIndex
  }

  /// Returns ranges of the line's UTF-8 as ranges of the part's.
  func visible(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.map { $0.lowerBound - firstByte..<$0.upperBound - firstByte }
      .filter { $0.upperBound > 0 && $0.lowerBound < text.utf8.count }
  }
}

/// One line of a table of names and texts; a text of several lines makes several of them.
struct AlignedRow: Equatable {
  let name: String
  let text: String
  let isFirst: Bool
}

/// Pads names to the longest, so that all texts begin in one column.
func alignedRows(of facts: [Diagnostic.Fact]) -> [AlignedRow] {
  let width = facts.map { displayWidth($0.name) }.max() ?? 0
  return facts.flatMap { fact in
    let lines = fact.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.enumerated().map { position, line in
      let name = position == 0 ? visibleText(fact.name) : ""
      let padded = name + spaces(width - displayWidth(name) + 2)
      return AlignedRow(name: padded, text: visibleText(String(line)), isFirst: position == 0)
    }
  }
}
