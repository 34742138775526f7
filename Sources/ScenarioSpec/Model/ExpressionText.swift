import Diagnostics

/// The text of an expression and where each of its bytes stands in the file, so that a complaint
/// about the expression can point at the very column.
package struct ExpressionText: Sendable {
  package var text: String
  /// The expression as it stands in the file, without quotes or `${}`.
  package var range: SourceRange
  /// Where text and file run apart (escapes, folded lines): from this byte of the text on, the file
  /// stands at this byte. Sorted; empty when text and file run in step.
  package var bends: [Bend]

  package struct Bend: Sendable {
    package var textOffset: Int32
    package var fileOffset: Int32

    package init(textOffset: Int32, fileOffset: Int32) {
      self.textOffset = textOffset
      self.fileOffset = fileOffset
    }
  }

  package init(_ text: String, _ range: SourceRange, bends: [Bend] = []) {
    self.text = text
    self.range = range
    self.bends = bends
  }

  /// The place in the file of a stretch of the expression, in bytes of its text.
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
