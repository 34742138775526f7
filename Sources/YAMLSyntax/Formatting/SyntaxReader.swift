import CLibYAML

/// A reader that makes the nodes of a file from the parser's events.
///
/// It reads files that were loaded without an error, so it has no limits of its own.
struct SyntaxReader {
  /// A list or map whose end has not been read.
  private struct Open {
    var node: WrittenNode
    var children: [WrittenNode] = []
  }

  private(set) var documents: [WrittenDocument] = []
  /// The texts, aliases and properties in their order: no comment is inside of them.
  private(set) var leaves: [Range<Int>] = []
  /// True if the file has directives, which are not formatted.
  private(set) var hasDirectives = false
  private let source: UnsafeBufferPointer<UInt8>
  private let offsets: CharacterOffsets
  private var open: [Open] = []
  private var marker: Int?
  private var root: WrittenNode?

  init(_ source: UnsafeBufferPointer<UInt8>) {
    self.source = source
    offsets = CharacterOffsets(source, base: 0, isASCII: source.allSatisfy { $0 < 0x80 })
  }

  /// Reads the whole file; returns false if it is broken.
  mutating func read() -> Bool {
    let reader = EventReader(source)
    var event = yaml_event_t()
    defer { yaml_event_delete(&event) }
    while reader.advance(&event) {
      if event.type == YAML_STREAM_END_EVENT { return true }
      take(event)
    }
    return false
  }

  private mutating func take(_ event: yaml_event_t) {
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: begin(event)
    case YAML_DOCUMENT_END_EVENT: end(event)
    case YAML_SCALAR_EVENT: add(scalar(event))
    case YAML_ALIAS_EVENT: add(alias(event))
    case YAML_SEQUENCE_START_EVENT:
      let style = event.data.sequence_start.style
      push(event, .list(isFlow: style == YAML_FLOW_SEQUENCE_STYLE, []))
    case YAML_MAPPING_START_EVENT:
      push(event, .map(isFlow: event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, []))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: close(event)
    default: break
    }
  }

  private func range(_ event: yaml_event_t) -> Range<Int> {
    let start = offsets.byteOffset(ofCharacter: event.start_mark.index)
    return start..<max(start, offsets.byteOffset(ofCharacter: event.end_mark.index))
  }

  private mutating func begin(_ event: yaml_event_t) {
    let start = event.data.document_start
    if start.version_directive != nil || start.tag_directives.start != start.tag_directives.end {
      hasDirectives = true
    }
    marker = start.implicit == 0 ? range(event).lowerBound : nil
    root = nil
  }

  private mutating func end(_ event: yaml_event_t) {
    guard let root else { return }
    documents.append(
      WrittenDocument(
        marker: marker, root: root, end: range(event).lowerBound,
        hasEndMarker: event.data.document_end.implicit == 0))
  }

  private mutating func add(_ node: WrittenNode) {
    if open.isEmpty { root = node } else { open[open.count - 1].children.append(node) }
  }

  private mutating func push(_ event: yaml_event_t, _ kind: WrittenNode.Content) {
    let isMap = event.type == YAML_MAPPING_START_EVENT
    let anchor = isMap ? event.data.mapping_start.anchor : event.data.sequence_start.anchor
    let tag = isMap ? event.data.mapping_start.tag : event.data.sequence_start.tag
    open.append(Open(node: node(range(event), anchor != nil || tag != nil, kind)))
  }

  private mutating func close(_ event: yaml_event_t) {
    guard var closed = open.popLast() else { return }
    let last = closed.children.last?.end ?? closed.node.content.lowerBound
    var end = max(last, closed.node.content.lowerBound)
    switch closed.node.kind {
    case .list(let isFlow, _):
      closed.node.kind = .list(isFlow: isFlow, closed.children)
      if isFlow { end = range(event).upperBound }
    case .map(let isFlow, _):
      closed.node.kind = .map(isFlow: isFlow, entries(closed.children))
      if isFlow { end = range(event).upperBound }
    case .absent, .inline, .block: break
    }
    closed.node.content = closed.node.content.lowerBound..<end
    add(closed.node)
  }

  private func entries(_ children: [WrittenNode]) -> [WrittenEntry] {
    stride(from: 0, to: children.count - 1, by: 2).map {
      WrittenEntry(key: children[$0], value: children[$0 + 1])
    }
  }

  private mutating func alias(_ event: yaml_event_t) -> WrittenNode {
    let range = range(event)
    leaves.append(range)
    return WrittenNode(start: range.lowerBound, content: range, kind: .inline)
  }

  private mutating func scalar(_ event: yaml_event_t) -> WrittenNode {
    let scalar = event.data.scalar
    var made = node(range(event), scalar.anchor != nil || scalar.tag != nil, .inline)
    switch scalar.style {
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE:
      let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      made.kind = blockContent(source[made.content], text)
    default: if made.content.isEmpty { made.kind = .absent }
    }
    leaves.append(made.content)
    return made
  }

  /// Returns a node whose properties are separate from its content.
  private mutating func node(
    _ range: Range<Int>, _ hasProperties: Bool, _ kind: WrittenNode.Content
  ) -> WrittenNode {
    var node = WrittenNode(start: range.lowerBound, content: range, kind: kind)
    guard hasProperties else { return node }
    var position = range.lowerBound
    while position < source.count, "&!".utf8.contains(source[position]) {
      let end = wordEnd(position)
      node.properties.append(position..<end)
      leaves.append(position..<end)
      position = afterBlanks(end)
    }
    let isContent = position < range.upperBound || !isScalar(kind)
    let start = isContent ? position : node.properties.last?.upperBound ?? range.lowerBound
    node.content = start..<max(start, range.upperBound)
    return node
  }

  private func isScalar(_ kind: WrittenNode.Content) -> Bool {
    switch kind {
    case .absent, .inline, .block: true
    case .list, .map: false
    }
  }

  private func wordEnd(_ start: Int) -> Int {
    var end = start
    while end < source.count, !isBlankOrBreak(source[end]), !isFlowIndicator(source[end]) {
      end += 1
    }
    return end
  }

  private func isFlowIndicator(_ byte: UInt8) -> Bool { ",[]{}".utf8.contains(byte) }

  /// Returns the next place that is neither white space nor a comment.
  private func afterBlanks(_ start: Int) -> Int {
    var position = start
    while position < source.count {
      if source[position] == UInt8(ascii: "#") {
        while position < source.count, !isBreak(source[position]) { position += 1 }
      } else if isBlankOrBreak(source[position]) {
        position += 1
      } else {
        break
      }
    }
    return position
  }
}

/// Returns what a block text says about its indentation: how many blanks its lines begin with, and
/// what of that is written again.
private func blockContent(
  _ written: Slice<UnsafeBufferPointer<UInt8>>, _ text: UnsafeBufferPointer<UInt8>
) -> WrittenNode.Content {
  let lines = written.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  let first = lines.dropFirst().first { !$0.allSatisfy { $0 == UInt8(ascii: " ") } }
  let blanks = text.drop { $0 == UInt8(ascii: "\n") }.prefix { $0 == UInt8(ascii: " ") }.count
  let indentation = (first?.prefix { $0 == UInt8(ascii: " ") }.count ?? 0) - blanks
  return .block(
    indentation: max(0, indentation),
    BlockText(beginsWithBlank: blanks > 0, endsWithBreak: text.last == UInt8(ascii: "\n")))
}
