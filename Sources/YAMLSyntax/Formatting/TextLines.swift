extension BlockWriter {
  /// Writes a text without quotes or in them. The lines of a long one are indented, and stay.
  mutating func writeText(_ node: WrittenNode, indent: Int) {
    let text = source[node.content]
    guard text.contains(where: isBreak) else {
      return lines.append(inDoubleQuotes(text))
    }
    let isEscaped = text.first == UInt8(ascii: "\"")
    let parts = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      let line = number == 0 ? part : part.drop(while: isBlank)
      let content = number == parts.count - 1 ? line : withoutBlanks(atEndOf: line, isEscaped)
      if number > 0 { lines.begin(indent: content.isEmpty ? 0 : indent) }
      lines.append(content)
    }
  }

  /// Returns a line without the blanks at its end. Behind a backslash, a blank is content.
  private func withoutBlanks(
    atEndOf line: Slice<UnsafeBufferPointer<UInt8>>, _ isEscaped: Bool
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    var end = line.endIndex
    while end > line.startIndex, isBlank(line[end - 1]) { end -= 1 }
    let endsInEscape = isEscaped && end > line.startIndex && line[end - 1] == UInt8(ascii: "\\")
    return endsInEscape ? line : line[line.startIndex..<end]
  }

  /// Writes a text in lines of its own: its header, and its lines with their new indentation.
  mutating func writeBlockText(
    _ node: WrittenNode, _ indentation: Int, _ text: BlockText, indent: Int
  ) {
    let written = source[node.content]
    let headerEnd = written.firstIndex(of: UInt8(ascii: "\n")) ?? written.endIndex
    let header = BlockHeader(written[written.startIndex..<headerEnd])
    lines.append(header.style)
    if text.beginsWithBlank { lines.append("2") }
    // Without a line break at its end, the last line of a file ends a text that has none either.
    if text.endsWithBreak { lines.append(header.chomping) } else { lines.append("-") }
    if !header.comment.isEmpty {
      lines.append(trailingComment: header.comment)
    }
    let body = written[min(headerEnd + 1, written.endIndex)..<written.endIndex]
    writeLines(of: body, indentation, indent: indent + 2, keepsEnd: header.isKept)
    if header.isKept { keptEnd = node.end }
  }

  private mutating func writeLines(
    of body: Slice<UnsafeBufferPointer<UInt8>>, _ indentation: Int, indent: Int, keepsEnd: Bool
  ) {
    var parts = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty ?? false { parts.removeLast() }
    let isEmpty = { (line: Slice<UnsafeBufferPointer<UInt8>>) in
      line.count <= indentation && line.allSatisfy { $0 == UInt8(ascii: " ") }
    }
    while !keepsEnd, let last = parts.last, isEmpty(last) { parts.removeLast() }
    for part in parts {
      lines.begin(indent: isEmpty(part) ? 0 : indent)
      if !isEmpty(part) { lines.append(part.dropFirst(indentation)) }
    }
  }
}

/// The first line of a text in lines of its own, such as `|2-  # why`.
private struct BlockHeader {
  let style: Slice<UnsafeBufferPointer<UInt8>>
  private(set) var chomping: Slice<UnsafeBufferPointer<UInt8>>
  private(set) var comment: Slice<UnsafeBufferPointer<UInt8>>

  init(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
    style = line.prefix(1)
    let hash = line.firstIndex(of: UInt8(ascii: "#")) ?? line.endIndex
    let sign = line[line.startIndex..<hash].firstIndex { "+-".utf8.contains($0) }
    chomping = sign.map { line[$0...$0] } ?? line[line.startIndex..<line.startIndex]
    comment = line[hash..<line.endIndex]
    while let last = comment.last, isBlank(last) { comment.removeLast() }
  }

  /// True if empty lines at the end of the text are part of it.
  var isKept: Bool { chomping.first == UInt8(ascii: "+") }
}

/// Returns a text of one line with double quotes instead of single ones, if nothing else changes.
func inDoubleQuotes(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
  let single = UInt8(ascii: "'")
  let double = UInt8(ascii: "\"")
  guard text.count >= 2, text.first == single, text.last == single else { return Array(text) }
  let inner = text.dropFirst().dropLast()
  let needsSingle = inner.contains { $0 == single || $0 == double || $0 == UInt8(ascii: "\\") }
  return needsSingle ? Array(text) : [double] + inner + [double]
}
