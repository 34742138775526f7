/// A comment of a file, from `#` to the end of its line.
struct Comment {
  var range: Range<Int>
  /// True if something else stands before it in its line.
  var isTrailing: Bool
  /// The number of bytes before it in its line.
  var column: Int
}

/// Finds the comments between the texts of a file.
func findComments(
  _ source: UnsafeBufferPointer<UInt8>, between leaves: [Range<Int>]
) -> [Comment] {
  var comments: [Comment] = []
  var position = 0
  for leaf in leaves {
    scan(source, position..<max(position, leaf.lowerBound), &comments)
    position = max(position, leaf.upperBound)
  }
  scan(source, position..<source.count, &comments)
  return comments
}

private func scan(
  _ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ comments: inout [Comment]
) {
  var position = range.lowerBound
  while position < range.upperBound {
    // Between texts, a comment may begin without a blank before it.
    guard source[position] == UInt8(ascii: "#") else {
      position += 1
      continue
    }
    var end = position
    while end < source.count, !isBreak(source[end]) { end += 1 }
    comments.append(comment(source, position..<end))
    position = end
  }
}

private func comment(_ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Comment {
  var start = range.lowerBound
  while start > 0, !isBreak(source[start - 1]) { start -= 1 }
  var end = range.upperBound
  while isBlankOrBreak(source[end - 1]) { end -= 1 }
  return Comment(
    range: range.lowerBound..<end,
    isTrailing: !source[start..<range.lowerBound].allSatisfy(isBlank),
    column: range.lowerBound - start)
}
