import Diagnostics
import Values
import YAMLSyntax

extension DocumentReader {
  func readCases(_ fields: MappingReader) -> [CaseSpec] {
    let node = fields[.cases]?.value
    if let node, case .mapping = node.content { return readTable(node) }
    return readRows(fields.elements(.cases), node)
  }

  func readRows(_ rows: YAMLElements, _ node: YAMLNode?) -> [CaseSpec] {
    if let node, node.elements?.isEmpty == true {
      report(.emptyList("`cases`", of: "row", at: node.range))
    }
    declareColumns(of: rows)
    var ids: [Value: SourceRange] = [:]
    let cases = rows.enumerated().compactMap { readCase($1, number: $0 + 1, ids: &ids) }
    reportMissingColumns(cases)
    return cases
  }

  /// Declares each column once, as a variable.
  private func declareColumns(of rows: YAMLElements) {
    var known: Set<Value> = []
    for row in rows {
      for entry in row.entries ?? [] where known.insert(.string(entry.key)).inserted {
        _ = readStageName(entry)
      }
    }
  }

  private func readCase(_ node: YAMLNode, number: Int, ids: inout [Value: SourceRange])
    -> CaseSpec?
  {
    guard case .mapping(let entries) = node.content else {
      reportWrongType(node, .element(.cases), takes: .map(.stageName, .literal))
      return nil
    }
    var row = CaseSpec(id: String(number), columns: [], range: node.range)
    for entry in entries {
      let subject = ValueSubject.entry(entry.key, of: .cases)
      guard let data = readLiteralData(entry.value, subject),
        case .literal(let value) = data.content
      else { continue }
      row.columns.append((entry.name, value))
      row.spellings[entry.key] = data.spelling
    }
    if let id = node.entry("id") {
      guard let text = readText(id.value, .entry("id", of: .cases)) else { return nil }
      row.id = text.value
    }
    _ = isNew(row.id, at: node.entry("id")?.value.range ?? node.range, &ids)
    return row
  }

  /// Marks the secret columns of rows, and keeps their values for the mask of the file.
  func marking(_ secret: [Located<String>], in rows: [CaseSpec]) -> [CaseSpec] {
    guard let first = rows.first, !secret.isEmpty else { return rows }
    let known = first.columns.map(\.name.value)
    for name in secret where !known.contains(name.value) {
      report(.unknownColumn(name, nearest: nearestName(to: name.value, among: known)))
    }
    let names = Set(secret.map(\.value))
    return rows.map { row in
      var row = row
      row.secretColumns = names
      return row
    }
  }

  func isNew(_ id: String, at place: SourceRange, _ ids: inout [Value: SourceRange]) -> Bool {
    guard let first = ids.updateValue(place, forKey: .string(id)) else { return true }
    report(.duplicateCase(id, at: place, first: first))
    return false
  }

  func reportMissingColumns(_ cases: [CaseSpec]) {
    guard let first = cases.first else { return }
    for row in cases.dropFirst() where !row.hasColumns(of: first) {
      if let column = first.columns.first(where: { !row.has($0.name.value) }) {
        report(.raggedCases(missing: column.name.value, at: row.range, first: column.name.range))
      } else if let column = row.columns.first(where: { !first.has($0.name.value) }) {
        report(.raggedCases(missing: column.name.value, at: first.range, first: column.name.range))
      }
    }
  }
}

extension CaseSpec {
  /// Returns whether the columns are the same in the same order. Nearly always they are.
  fileprivate func hasColumns(of other: CaseSpec) -> Bool {
    columns.elementsEqual(other.columns) { $0.name.value == $1.name.value }
  }

  fileprivate func has(_ column: String) -> Bool {
    columns.contains { $0.name.value == column }
  }
}
