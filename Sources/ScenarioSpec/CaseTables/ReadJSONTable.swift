import Diagnostics
import Values
import YAMLSyntax

/// A reader of the table in a JSON file: a list of maps, each with all columns.
struct JSONTableReader {
  let file: OpenedFile
  private(set) var rows: [TableRow] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ file: OpenedFile) { self.file = file }

  mutating func read() {
    let bytes = file.file.bytes
    bytes.withUnsafeBufferPointer { bytes in
      let start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
      let text = UnsafeBufferPointer(rebasing: bytes[start...])
      switch parseJSON(text, refusingDuplicateKeys: true) {
      case .failure(let problem):
        let offset = start + problem.offset
        diagnostics.append(.wrongJSON(problem.message, at: range(offset..<offset + 1, from: 0)))
      case .success(let value): take(value, elementPlaces(inJSONList: text), from: start)
      }
    }
  }

  private mutating func take(_ value: Value, _ places: [JSONElementPlace], from start: Int) {
    guard case .list(let elements) = value else {
      diagnostics.append(.jsonWithoutList(found: value.kindName, at: range(0..<1, from: start)))
      return
    }
    if elements.isEmpty {
      diagnostics.append(.emptyList("`cases`", of: "row", at: range(0..<1, from: start)))
    }
    for (element, place) in zip(elements, places) {
      guard take(element, place, from: start) else { return }
    }
  }

  /// Returns false if there are too many.
  private mutating func take(_ element: Value, _ place: JSONElementPlace, from start: Int) -> Bool {
    let whole = range(place.range, from: start)
    if rows.count == TableLimit.rows {
      diagnostics.append(.tooManyRows(at: whole))
      return false
    }
    guard case .map(let map) = element else {
      diagnostics.append(.jsonRowWithoutMap(found: element.kindName, at: whole))
      return diagnostics.count < TableLimit.namedProblems
    }
    if map.count > TableLimit.columns {
      let key = place.entries.dropFirst(TableLimit.columns).first?.key ?? place.range
      diagnostics.append(.tooManyColumns(at: range(key, from: start)))
      return false
    }
    let cells = zip(map, place.entries).map { entry, place in
      let whole = range(place.value, from: start)
      let written = file.file.bytes[Int(whole.start)..<Int(whole.end)]
      let spelling = entry.value.spelling(in: String(decoding: written, as: UTF8.self))
      if case .digits(let text) = entry.value {
        diagnostics.append(.unreadableNumber(text, at: whole))
      }
      return TableCell(
        column: Located(entry.key.plainText, range(place.key, from: start)), value: entry.value,
        text: entry.value.writtenText, spelling: spelling, range: whole)
    }
    rows.append(TableRow(cells: cells, range: whole))
    return true
  }

  private func range(_ bytes: Range<Int>, from start: Int) -> SourceRange {
    // A problem may be at the end of the text.
    let last = file.file.bytes.count
    return SourceRange(
      file: file.index, start: Int32(min(start + bytes.lowerBound, last)),
      end: Int32(min(start + bytes.upperBound, last)))
  }
}

extension Value {
  /// The value as text, if it is text or a number. A truth value is probably a mistake.
  fileprivate var writtenText: String? {
    switch self {
    case .string, .int, .uint, .double, .digits: plainText
    case .null, .bool, .bytes, .list, .map, .timestamp, .duration, .type, .optional: nil
    }
  }
}
