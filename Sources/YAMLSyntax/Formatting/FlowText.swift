/// The text of a list or map in one line: `{ a: 1, b: [2, 3] }`.
struct FlowText {
  let source: UnsafeBufferPointer<UInt8>
  /// The number of characters that the line has left; negative if the text is too long.
  private(set) var room: Int
  private(set) var bytes: [UInt8] = []
  /// False as soon as something cannot stand in one line.
  private(set) var fits = true

  mutating func append(_ node: WrittenNode) {
    for property in node.properties {
      write(source[property])
      write(" ")
    }
    switch node.kind {
    case .absent: fits = fits && node.properties.isEmpty
    case .block: fits = false
    case .inline: append(text: node.content)
    case .list(_, let elements): append(elements)
    case .map(_, let entries): append(entries)
    }
  }

  private mutating func append(_ elements: [WrittenNode]) {
    write("[")
    for (number, element) in elements.enumerated() where fits {
      if number > 0 { write(", ") }
      append(element: element)
    }
    write("]")
  }

  /// Writes an element; a map of one entry may stand without its braces, and stays so.
  private mutating func append(element: WrittenNode) {
    if case .map(_, let entries) = element.kind, entries.count == 1, element.properties.isEmpty,
      source[element.content.lowerBound] != UInt8(ascii: "{")
    {
      append(entries[0])
    } else {
      append(element)
    }
  }

  private mutating func append(_ entries: [WrittenEntry]) {
    guard !entries.isEmpty else { return write("{}") }
    write("{ ")
    for (number, entry) in entries.enumerated() where fits {
      if number > 0 { write(", ") }
      append(entry)
    }
    write(" }")
  }

  private mutating func append(_ entry: WrittenEntry) {
    append(entry.key)
    if case .absent = entry.key.kind { fits = false }
    if case .absent = entry.value.kind, entry.value.properties.isEmpty { return }
    write(source[entry.key.content].first == UInt8(ascii: "*") ? " : " : ": ")
    append(entry.value)
  }

  private mutating func append(text: Range<Int>) {
    if source[text].contains(where: isBreak) { fits = false }
    write(inDoubleQuotes(source[text]))
  }

  private mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { write($0) }
  }

  private mutating func write(_ text: some Collection<UInt8>) {
    guard fits else { return }
    bytes.append(contentsOf: text)
    for byte in text where byte & 0xC0 != 0x80 { room -= 1 }
    if room < 0 { fits = false }
  }
}
