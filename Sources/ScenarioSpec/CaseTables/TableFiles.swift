import Diagnostics
import Values

/// The door to the files that tables are kept in.
package struct TableFiles {
  /// The text of a file, or what keeps it from being had.
  package var open: (_ path: Located<String>) -> Diagnosed<OpenedFile?>

  package init(open: @escaping (Located<String>) -> Diagnosed<OpenedFile?>) { self.open = open }

  /// Where there are no files.
  package static var none: TableFiles { TableFiles { _ in Diagnosed(nil) } }
}

/// A text and the number by which ranges name it.
package struct OpenedFile: Sendable {
  package var file: SourceFile
  package var index: Int32

  package init(_ file: SourceFile, index: Int32) {
    self.file = file
    self.index = index
  }
}

/// What may stand in the file of a table.
package enum TableLimit {
  /// How many bytes it may have.
  package static let fileSize = 16 << 20
  package static let rows = 100_000
  package static let columns = 256
  /// How many of its mistakes are named one by one.
  package static let namedProblems = 20
}

/// A row of a table in a file.
struct TableRow {
  var cells: [TableCell]
  var range: SourceRange
}

/// A cell under the name of its column.
struct TableCell {
  var column: Located<String>
  var value: Value
  /// As it was written; nil where no single word was.
  var text: String?
  var range: SourceRange
}
