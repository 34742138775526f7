import Diagnostics

/// The diagnostics of tables in files.
extension Diagnostic {
  static func unknownTableKind(_ path: Located<String>) -> Diagnostic {
    Diagnostic(
      "unknown-table-kind", "a table is kept in a file that ends in `.csv` or `.json`",
      labels: [.init(path.range)])
  }

  static func unknownColumn(_ name: Located<String>, nearest: String?) -> Diagnostic {
    Diagnostic(
      "unknown-column", "the table has no column `\(name.value)`", labels: [.init(name.range)],
      help: nearest.map { "did you mean `\($0)`?" })
  }

  static func wrongCSV(_ kind: CSVProblem.Kind, at range: SourceRange) -> Diagnostic {
    switch kind {
    case .unclosedQuote:
      wrongTable("a cell that begins with a quote ends with one", at: range, "never closed")
    case .textAfterQuote:
      wrongTable(
        "nothing but a comma or the line's end follows a closing quote", at: range,
        help: "a quote inside a quoted cell is written twice: `\"\"`")
    case .quoteInText:
      wrongTable(
        "a cell that holds a quote is quoted as a whole", at: range,
        help: "put the cell in quotes, and write this one twice: `\"\"`")
    }
  }

  static func wrongJSON(_ message: String, at range: SourceRange) -> Diagnostic {
    wrongTable(message, at: range)
  }

  static func tableNotUTF8(at range: SourceRange) -> Diagnostic {
    wrongTable("the text of a table is UTF-8", at: range, help: "save the file as UTF-8")
  }

  static func otherSeparator(_ separator: String, at range: SourceRange) -> Diagnostic {
    wrongTable(
      "commas part the columns of a CSV file", at: range, "here \(separator) seem to",
      help: "save the file with commas")
  }

  static func tableWithoutColumns(at range: SourceRange) -> Diagnostic {
    wrongTable("the first line of a CSV file names its columns", at: range, "there is none")
  }

  static func columnWithoutName(at range: SourceRange) -> Diagnostic {
    wrongTable("every column of a CSV file has a name", at: range, "this has none")
  }

  static func jsonWithoutList(found: String, at range: SourceRange) -> Diagnostic {
    wrongTable("a table in JSON is a list of maps", at: range, "this is \(found)")
  }

  static func jsonRowWithoutMap(found: String, at range: SourceRange) -> Diagnostic {
    wrongTable("a row of a table in JSON is a map", at: range, "this is \(found)")
  }

  private static func wrongTable(
    _ message: String, at range: SourceRange, _ label: String = "", help: String? = nil
  ) -> Diagnostic {
    Diagnostic("table-syntax", message, labels: [.init(range, label)], help: help)
  }

  static func duplicateColumn(_ name: String, at range: SourceRange, first: SourceRange)
    -> Diagnostic
  {
    Diagnostic(
      "duplicate-column", "every column of a table has a name of its own, and `\(name)` is taken",
      labels: [.init(range), .init(first, "`\(name)` is already here")], help: "rename one of them")
  }

  static func raggedRow(
    cells: Int, columns: Int, _ range: SourceRange, _ first: SourceRange
  ) -> Diagnostic {
    let found = cells == 1 ? "1 cell" : "\(cells) cells"
    let wanted = columns == 1 ? "1 column" : "\(columns) columns"
    return Diagnostic(
      "ragged-cases", "every row of `cases` has the same columns",
      labels: [.init(range, "\(found) in this row"), .init(first, "\(wanted) here")],
      help: cells > columns ? "a cell that holds a comma is put in quotes" : nil)
  }

  static func rowWithoutId(found: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "row-without-id", "if a table has a column `id`, each row has an id",
      labels: [.init(range, found == "null" ? "there is none" : "this is \(found)")],
      help: "write one, or take the column away: rows are then numbered")
  }

  static func tableTooLarge(at range: SourceRange) -> Diagnostic {
    oversizedTable(
      "a table's file has at most \(TableLimit.fileSize >> 20) MiB", at: range, "this has more")
  }

  static func tooManyRows(at range: SourceRange) -> Diagnostic {
    oversizedTable("a table has at most \(TableLimit.rows) rows", at: range)
  }

  static func tooManyColumns(at range: SourceRange) -> Diagnostic {
    oversizedTable("a table has at most \(TableLimit.columns) columns", at: range)
  }

  private static func oversizedTable(
    _ message: String, at range: SourceRange, _ label: String = "one more than that"
  ) -> Diagnostic {
    Diagnostic(
      "table-too-large", message, labels: [.init(range, label)],
      help: "spread it over several scenarios")
  }
}
