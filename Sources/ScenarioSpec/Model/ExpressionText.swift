import Diagnostics

/// The text of an expression, with the place of each of its bytes in the file. A diagnostic about
/// the expression then points at the exact column.
package struct ExpressionText: Sendable {
  package var text: String
  /// The expression of the file, without quotes or `${}`.
  package var range: SourceRange
  /// The places where text and file diverge, by escapes or folded lines: from this byte of the text
  /// on, the file continues at this byte. They are sorted, and empty if nothing diverges.
  package var bends: [Bend]

  package struct Bend: Sendable {
    package var textOffset: Int32
    package var fileOffset: Int32
  }

  package init(_ text: String, _ range: SourceRange, bends: [Bend] = []) {
    self.text = text
    self.range = range
    self.bends = bends
  }

  /// Returns the place in the file of a part of the expression, in bytes of its text.
  package func range(offset: Int, length: Int) -> SourceRange {
    let start = fileOffset(of: offset)
    let end = max(start, fileOffset(of: offset + max(length, 1) - 1) + 1)
    return SourceRange(file: range.file, start: start, end: end)
  }

  private func fileOffset(of offset: Int) -> Int32 {
    let offset = Int32(clamping: offset)
    guard let bend = bends.last(where: { $0.textOffset <= offset }) else {
      return range.start &+ offset
    }
    return bend.fileOffset &+ (offset &- bend.textOffset)
  }
}
