package import Diagnostics

package enum YAMLLimit {
  /// How deep lists and maps may be nested, aliases counted as what they stand for.
  package static let depth = 128
  /// How many nodes a document may have, aliases counted as what they stand for.
  package static let nodes = 1_000_000
  /// How many bytes a file may have.
  package static let fileSize = 64 << 20
  /// How many bytes that YAML does not allow are named one by one.
  package static let namedBytes = 20
}

/// Reads all documents of a file; documents with a syntax error are left out, and named.
///
/// The index is the file's place in a `SourceMap`, by which ranges name it.
package func parseYAML(_ file: SourceFile, index: Int32) -> Diagnosed<[YAMLDocument]> {
  Diagnosed([])
}
