import Diagnostics
import Values

/// The interface to the files of tables and of data.
package struct TableFiles {
  /// The contents of a file.
  package enum Content: Sendable {
    case table, data
  }

  /// Returns the text of a file, or the reason why it cannot be read.
  package var open: (_ path: Located<String>, Content) -> Diagnosed<OpenedFile?>

  package init(open: @escaping (Located<String>, Content) -> Diagnosed<OpenedFile?>) {
    self.open = open
  }

  /// An interface without files.
  package static var none: TableFiles { TableFiles { _, _ in Diagnosed(nil) } }
}

/// A text, and its number in ranges.
package struct OpenedFile: Sendable {
  package var file: SourceFile
  package var index: Int32

  package init(_ file: SourceFile, index: Int32) {
    self.file = file
    self.index = index
  }
}

/// The limits of a table in a file.
package enum TableLimit {
  /// The most bytes of the file.
  package static let fileSize = 16 << 20
  package static let rows = 100_000
  package static let columns = 256
  /// The most mistakes that are reported.
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
  /// The text as written; nil if it is not a scalar.
  var text: String?
  /// The text as written, if the value would be written in another way.
  var spelling: String?
  var range: SourceRange
}
