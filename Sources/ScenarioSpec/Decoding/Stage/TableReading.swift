import Diagnostics
import Values
import YAMLSyntax

/// Reading of tables in a file beside the scenario.
extension DocumentReader {
  /// Reads a table in its long form, with its rows here or in a file.
  func readTable(_ node: YAMLNode) -> [CaseSpec] {
    reading.lacksTable = true
    if let help = helpForNamedRows(node) {
      let rows = Shape.list(.map(.stageName, .literal))
      reportWrongType(node, .key(.cases), takes: rows, help: help)
      return []
    }
    guard let fields = open(node, LanguageTable.table, "`cases`") else { return [] }
    let secret = fields.names(.secret)
    if !secret.isEmpty { reading.marksSecrets = true }
    guard let path = fields.text(.file) else {
      guard fields.has(.rows) else { return [] }
      reading.lacksTable = false
      return marking(secret, in: readRows(fields.elements(.rows), fields[.rows]?.value))
    }
    let rows = secret.isEmpty ? readFile(path) : reading.withoutQuoting(path) { readFile(path) }
    return marking(secret, in: rows)
  }

  /// Returns the help for rows that are written as a map from ids to columns.
  private func helpForNamedRows(_ node: YAMLNode) -> String? {
    guard let entries = node.entries, let first = entries.first,
      entries.allSatisfy({ LanguageTable.table.rule(named: $0.key) == nil }),
      entries.allSatisfy({ $0.value.entries != nil })
    else { return nil }
    let column = first.value.entries?.first.map { ", \($0.key): …" } ?? ""
    return "write a list of rows, with their names as `id`: `- { id: \(first.key)\(column) }`"
  }

  private func readFile(_ path: Located<String>) -> [CaseSpec] {
    let opened = reading.tables.open(path, .table)
    for complaint in opened.diagnostics { report(complaint) }
    guard let file = opened.value else { return [] }
    guard file.file.bytes.count <= TableLimit.fileSize else {
      report(.tableTooLarge(at: path.range))
      return []
    }
    return reading.labelling("this table is used here", path.range, most: TableLimit.namedProblems)
    {
      readRows(of: file, path)
    }
  }

  private func readRows(of file: OpenedFile, _ path: Located<String>) -> [CaseSpec] {
    if let offset = file.file.bytes.withUnsafeBufferPointer(firstInvalidUTF8) {
      let place = SourceRange(file: file.index, start: Int32(offset), end: Int32(offset + 1))
      report(.tableNotUTF8(at: place))
      return []
    }
    let table: (rows: [TableRow], diagnostics: [Diagnostic])
    if path.value.hasSuffix(".csv") {
      var reader = CSVTableReader(file)
      reader.read()
      table = (reader.rows, reader.diagnostics)
    } else if path.value.hasSuffix(".json") {
      var reader = JSONTableReader(file)
      reader.read()
      table = (reader.rows, reader.diagnostics)
    } else {
      report(.unknownTableKind(path))
      return []
    }
    for complaint in table.diagnostics { report(complaint) }
    reading.lacksTable = table.rows.isEmpty
    return cases(table.rows)
  }

  private func cases(_ rows: [TableRow]) -> [CaseSpec] {
    declareColumns(of: rows)
    var ids: [Value: SourceRange] = [:]
    ids.reserveCapacity(rows.count)
    let cases = rows.enumerated().compactMap { readCase($1, number: $0 + 1, ids: &ids) }
    reportMissingColumns(cases)
    return cases
  }

  private func declareColumns(of rows: [TableRow]) {
    var known: Set<Value> = []
    var places: Set<SourceRange> = []
    // In CSV all rows have their columns' names from one place.
    for cell in rows.lazy.flatMap(\.cells) where places.insert(cell.column.range).inserted {
      if known.insert(.string(cell.column.value)).inserted { _ = readStageName(cell.column) }
    }
  }

  private func readCase(_ row: TableRow, number: Int, ids: inout [Value: SourceRange])
    -> CaseSpec?
  {
    var spec = CaseSpec(
      id: String(number), columns: row.cells.map { ($0.column, $0.value) }, range: row.range)
    for cell in row.cells { spec.spellings[cell.column.value] = cell.spelling }
    var place = row.range
    if let cell = row.cells.first(where: { $0.column.value == "id" }) {
      guard let text = cell.text else {
        report(.rowWithoutId(found: cell.value.kindName, at: cell.range))
        return nil
      }
      spec.id = text
      place = cell.range
    }
    return isNew(spec.id, at: place, &ids) ? spec : nil
  }
}
