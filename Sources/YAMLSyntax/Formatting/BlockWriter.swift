/// A writer of the one form that a file has: two blanks an indentation, one blank inside braces, at
/// most one empty line between parts, and lists and maps in brackets only where they fit a line.
///
/// Comments stay where they are: behind what stands before them, or above what comes next.
struct BlockWriter {
  /// The place of a value in its line.
  enum Place {
    case document
    /// Behind a key, which begins in this column of the file.
    case afterKey(column: Int)
    case afterDash
  }

  let source: UnsafeBufferPointer<UInt8>
  let width: Int
  var lines = LineWriter()
  /// The first byte of something that has no form here, such as a key of several lines.
  private(set) var unsupported: Int?
  private var comments: ArraySlice<Comment>
  /// The end of the last text whose own empty lines at its end count.
  var keptEnd = 0

  init(_ source: UnsafeBufferPointer<UInt8>, _ comments: [Comment], width: Int) {
    self.source = source
    self.comments = comments[...]
    self.width = width
  }

  mutating func write(_ document: WrittenDocument) {
    if let marker = document.marker {
      writeComments(before: marker, indent: 0)
      lines.begin(indent: 0, afterEmptyLine: hasEmptyLine(before: marker))
      lines.append("---")
      lines.isAtOpening = true
    }
    writeComments(before: document.root.start, indent: 0)
    write(document.root, .document, indent: -2, until: document.end)
    writeComments(before: document.end, indent: 0)
    guard document.hasEndMarker else { return }
    lines.begin(indent: 0, afterEmptyLine: hasEmptyLine(before: document.end))
    lines.append("...")
    lines.isAtOpening = true
  }

  /// Writes the comments after the last document, and returns the file.
  mutating func finish() -> [UInt8] {
    writeComments(before: source.count, indent: 0)
    return lines.finished(width: width)
  }

  mutating func refuse(_ place: Int) { unsupported = unsupported ?? place }
}

extension BlockWriter {
  /// Writes a value that belongs to what begins at this indentation; the next part begins at
  /// `until`.
  mutating func write(_ node: WrittenNode, _ place: Place, indent: Int, until: Int) {
    switch node.kind {
    case .absent: writeProperties(node, place)
    case .block(let indentation, let text):
      beginValue(node, place, indent: indent)
      writeBlockText(node, indentation, text, indent: max(-2, indent))
    case .inline:
      beginValue(node, place, indent: indent)
      writeText(node, indent: max(0, indent + 2))
    case .list, .map:
      if !hasComments(in: node), writeFlow(node, place) { return }
      writeParts(node, place, indent: indent, until: until)
    }
  }

  /// Writes an anchor and a tag behind the key or dash.
  private mutating func writeProperties(_ node: WrittenNode, _ place: Place) {
    guard !node.properties.isEmpty else { return }
    switch place {
    case .document: lines.begin(indent: 0)
    case .afterKey: lines.append(" ")
    case .afterDash: break
    }
    for (number, property) in node.properties.enumerated() {
      if number > 0 { lines.append(" ") }
      lines.append(source[property])
    }
  }

  /// Goes to where a text begins: behind its key or dash, or below if a comment stands between.
  private mutating func beginValue(_ node: WrittenNode, _ place: Place, indent: Int) {
    if hasComments(before: node.content.lowerBound) {
      if case .afterDash = place { lines.dropBlank() }
      writeComments(before: node.content.lowerBound, indent: indent + 2)
      lines.begin(indent: indent + 2)
    } else {
      switch place {
      case .document: lines.begin(indent: 0)
      case .afterKey: lines.append(" ")
      case .afterDash: break
      }
    }
    for property in node.properties {
      lines.append(source[property])
      lines.append(" ")
    }
  }

  /// Tries to write a list or map in brackets. Returns false, and writes nothing, if its line would
  /// be too long or it must have several.
  private mutating func writeFlow(_ node: WrittenNode, _ place: Place) -> Bool {
    guard node.isFlow else { return false }
    let isAfterKey = if case .afterKey = place { true } else { false }
    let isDocument = if case .document = place { true } else { false }
    let column = isDocument ? 0 : lines.column + (isAfterKey ? 1 : 0)
    var flow = FlowText(source: source, room: width - column)
    flow.append(node)
    guard flow.fits else { return false }
    if isDocument { lines.begin(indent: 0) }
    if isAfterKey { lines.append(" ") }
    lines.append(flow.bytes)
    return true
  }

  /// Writes the parts of a list or map in lines of their own.
  private mutating func writeParts(
    _ node: WrittenNode, _ place: Place, indent: Int, until: Int
  ) {
    if node.hasNoParts { return refuse(node.start) }
    writeProperties(node, place)
    let first = firstPart(of: node)
    let isBehindDash = isBehindDash(node, place, first)
    if !isBehindDash { openBelow(place) }
    let end = node.isFlow ? node.end : until
    switch node.kind {
    case .list(_, let elements):
      write(elements, of: node, indent: indent + 2, behindDash: isBehindDash, until: end)
    case .map(_, let entries):
      write(entries, indent: indent + 2, behindDash: isBehindDash, until: end)
    case .absent, .inline, .block: break
    }
    writeLastComments(of: node, place, indent: indent + 2, until: end)
  }

  /// Ends the line of a key or dash whose parts stand below.
  private mutating func openBelow(_ place: Place) {
    if case .document = place { return }
    lines.dropBlank()
    lines.isAtOpening = true
  }

  /// Returns whether the first part stands in the line of the dash that it belongs to.
  private func isBehindDash(_ node: WrittenNode, _ place: Place, _ first: Int) -> Bool {
    guard case .afterDash = place else { return false }
    return node.properties.isEmpty && !hasComments(before: first)
  }

  /// Writes the comments below the last part that stand as far right as the parts do. Others belong
  /// to what comes next.
  private mutating func writeLastComments(
    of node: WrittenNode, _ place: Place, indent: Int, until: Int
  ) {
    var column = column(of: firstPart(of: node))
    // The dashes of a list may stand below the beginning of its key.
    if case .afterKey(let keyColumn) = place { column = max(column, keyColumn + 1) }
    while let comment = comments.first, comment.range.lowerBound < until {
      guard node.isFlow || comment.isTrailing || comment.column >= column else { return }
      writeComment(indent: indent)
    }
  }

  /// The place where the first part begins: its dash, if it has one.
  private func firstPart(of node: WrittenNode) -> Int {
    let isBlockList = if case .list(isFlow: false, _) = node.kind { true } else { false }
    return isBlockList ? dash(after: node.content.lowerBound) : node.content.lowerBound
  }

  private func column(of position: Int) -> Int {
    var start = position
    while start > 0, !isBreak(source[start - 1]) { start -= 1 }
    return position - start
  }
}

extension BlockWriter {
  private mutating func write(
    _ elements: [WrittenNode], of list: WrittenNode, indent: Int, behindDash: Bool, until: Int
  ) {
    var position = list.content.lowerBound
    let starts = elements.map { element in
      let start = list.isFlow ? element.start : dash(after: position)
      position = element.end
      return start
    }
    for (number, element) in elements.enumerated() {
      if number > 0 || !behindDash { beginPart(starts[number], indent: indent) }
      lines.append(element.isAbsent ? "-" : "- ")
      let next = number + 1 < starts.count ? starts[number + 1] : until
      write(element, .afterDash, indent: indent, until: next)
    }
  }

  private mutating func write(
    _ entries: [WrittenEntry], indent: Int, behindDash: Bool, until: Int
  ) {
    for (number, entry) in entries.enumerated() {
      if number > 0 || !behindDash { beginPart(entry.key.start, indent: indent) }
      writeKey(entry.key)
      let next = number + 1 < entries.count ? entries[number + 1].key.start : until
      write(
        entry.value, .afterKey(column: column(of: entry.key.start)), indent: indent, until: next)
    }
  }

  private mutating func beginPart(_ start: Int, indent: Int) {
    writeComments(before: start, indent: indent)
    lines.begin(indent: indent, afterEmptyLine: hasEmptyLine(before: start))
  }

  private mutating func writeKey(_ key: WrittenNode) {
    guard case .inline = key.kind, !source[key.content].contains(UInt8(ascii: "\n")) else {
      return refuse(key.start)
    }
    for property in key.properties {
      lines.append(source[property])
      lines.append(" ")
    }
    writeText(key, indent: 0)
    // The name of an alias may hold colons, so that a blank ends it.
    lines.append(source[key.content].first == UInt8(ascii: "*") ? " :" : ":")
  }

  /// Returns the next dash, behind white space and comments.
  private func dash(after start: Int) -> Int {
    var position = start
    while position < source.count, source[position] != UInt8(ascii: "-") {
      if source[position] == UInt8(ascii: "#") {
        while position < source.count, !isBreak(source[position]) { position += 1 }
      } else {
        position += 1
      }
    }
    return position
  }
}

extension BlockWriter {
  func hasComments(before position: Int) -> Bool {
    comments.first.map { $0.range.lowerBound < position } ?? false
  }

  private func hasComments(in node: WrittenNode) -> Bool {
    node.isFlow && hasComments(before: node.end)
  }

  /// Writes the comments that stand before a place.
  mutating func writeComments(before position: Int, indent: Int) {
    while hasComments(before: position) { writeComment(indent: indent) }
  }

  /// Writes the next comment: behind the current line if it stands behind something, else in a line
  /// of its own.
  private mutating func writeComment(indent: Int) {
    guard let comment = comments.popFirst() else { return }
    if comment.isTrailing, lines.column > 0, !lines.endsInComment {
      return lines.append(trailingComment: source[comment.range])
    }
    let start = comment.range.lowerBound
    lines.begin(indent: max(0, indent), afterEmptyLine: hasEmptyLine(before: start))
    lines.append(comment: source[comment.range])
  }

  /// Returns whether an empty line stands above what begins at a place.
  private func hasEmptyLine(before start: Int) -> Bool {
    var breaks = 0
    var position = start
    while position > keptEnd, isBlankOrBreak(source[position - 1]) {
      position -= 1
      if isBreak(source[position]) { breaks += 1 }
    }
    return breaks > 1
  }
}

extension WrittenNode {
  /// True if it is written in brackets or braces.
  var isFlow: Bool {
    switch kind {
    case .list(let isFlow, _), .map(let isFlow, _): isFlow
    case .absent, .inline, .block: false
    }
  }

  fileprivate var hasNoParts: Bool {
    switch kind {
    case .list(_, let elements): elements.isEmpty
    case .map(_, let entries): entries.isEmpty
    case .absent, .inline, .block: true
    }
  }

  fileprivate var isAbsent: Bool {
    if case .absent = kind { properties.isEmpty } else { false }
  }
}
