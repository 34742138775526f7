import Diagnostics
import Values
import YAMLSyntax

/// A reader of the table in a CSV file: a line with the names of the columns, then the rows.
struct CSVTableReader {
  let file: OpenedFile
  private(set) var rows: [TableRow] = []
  private(set) var diagnostics: [Diagnostic] = []
  private var columns: [Located<String>] = []

  init(_ file: OpenedFile) { self.file = file }

  mutating func read() {
    let bytes = file.file.bytes
    bytes.withUnsafeBufferPointer { bytes in
      var reader = CSVReader(bytes)
      do throws(CSVProblem) {
        guard let header = try reader.next() else {
          diagnostics.append(.tableWithoutColumns(at: range(0..<0)))
          return
        }
        guard takeColumns(header) else { return }
        while let record = try reader.next(), takeRow(record) {}
      } catch {
        diagnostics.append(.wrongCSV(error.kind, at: range(error.range)))
      }
    }
    if rows.isEmpty, diagnostics.isEmpty {
      diagnostics.append(.emptyList("`cases`", of: "row", at: columnsRange))
    }
  }

  /// Reads the columns. Returns false if the rows cannot be read.
  private mutating func takeColumns(_ header: CSVRecord) -> Bool {
    columns = header.cells.map { Located($0.text, range($0.range)) }
    if let separator = otherSeparator(header) {
      diagnostics.append(.otherSeparator(separator, at: range(header.range)))
      return false
    }
    if columns.count > TableLimit.columns {
      diagnostics.append(.tooManyColumns(at: columns[TableLimit.columns].range))
      return false
    }
    var known: [Value: SourceRange] = [:]
    for column in columns {
      if column.value.isEmpty {
        diagnostics.append(.columnWithoutName(at: column.range))
      } else if let first = known.updateValue(column.range, forKey: .string(column.value)) {
        diagnostics.append(.duplicateColumn(column.value, at: column.range, first: first))
      }
    }
    return diagnostics.isEmpty
  }

  /// Returns false if there are too many.
  private mutating func takeRow(_ record: CSVRecord) -> Bool {
    let place = range(record.range)
    if rows.count == TableLimit.rows {
      diagnostics.append(.tooManyRows(at: place))
      return false
    }
    guard record.cells.count == columns.count else {
      diagnostics.append(
        .raggedRow(cells: record.cells.count, columns: columns.count, place, columnsRange))
      return diagnostics.count < TableLimit.namedProblems
    }
    let cells = zip(columns, record.cells).map { column, cell in
      let value = cell.value
      let spelling = cell.isQuoted ? nil : value.spelling(in: cell.text)
      return TableCell(
        column: column, value: value, text: cell.writtenText, spelling: spelling,
        range: range(cell.range))
    }
    rows.append(TableRow(cells: cells, range: place))
    return true
  }

  private var columnsRange: SourceRange {
    guard let first = columns.first, let last = columns.last else { return range(0..<0) }
    return SourceRange(file: file.index, start: first.range.start, end: last.range.end)
  }

  private func range(_ bytes: Range<Int>) -> SourceRange {
    SourceRange(file: file.index, start: Int32(bytes.lowerBound), end: Int32(bytes.upperBound))
  }
}

/// Returns another separator that a program has written. All names are then in one cell.
private func otherSeparator(_ header: CSVRecord) -> String? {
  guard header.cells.count == 1, let cell = header.cells.first, !cell.isQuoted else { return nil }
  if cell.text.contains(";") { return "semicolons" }
  return cell.text.contains("\t") ? "tabs" : nil
}

extension CSVCell {
  /// The value, typed like a plain scalar of YAML. In quotes it is text.
  fileprivate var value: Value { isQuoted ? .string(text) : coreValue(of: text) }

  fileprivate var writtenText: String? { isAbsent ? nil : text }
}
