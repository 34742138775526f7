import CLibYAML
import Diagnostics
import Values

extension TreeBuilder {
  mutating func takeScalar(_ event: yaml_event_t) {
    let bytes = UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
    var scalar = YAMLScalar(
      text: String(decoding: bytes, as: UTF8.self), style: event.scalarStyle, range: range(event))
    if event.data.scalar.anchor != nil || event.data.scalar.tag != nil {
      takeProperties(of: &scalar, event)
    }
    if scalar.style == .literal || scalar.style == .folded {
      scalar.range.end = endWithoutBreaks(scalar.range)
    }
    let place = take(scalar, bytes)
    if let anchor = yaml_event_t.name(event.data.scalar.anchor) {
      anchors[anchor] = Anchor(node: place, size: 1)
    }
  }

  /// Takes a scalar, of whose text these are the bytes, and returns its place.
  private mutating func take(_ scalar: YAMLScalar, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    nodeCount += 1
    if scalar.style == .plain, !frame.expectsKey, !bytes.isEmpty {
      finder.look(at: scalar, bytes, isInFlow: frame.isFlow, &diagnostics)
    }
    let place = append(scalar)
    add(place, height: 0, end: scalar.range.end)
    return place
  }

  private mutating func append(_ scalar: YAMLScalar) -> Int32 {
    let place = Int32(records.count)
    records.append(YAMLRecord(scalar, at: place, text: Int32(texts.count)))
    texts.append(scalar.text)
    return place
  }

  private mutating func appendAlias(of node: Int32) -> Int32 {
    let target = records[Int(node)]
    var record = YAMLRecord(.alias, at: records.count, start: target.start, end: target.end)
    record.first = node
    records.append(record)
    return record.next - 1
  }

  private mutating func takeProperties(
    of scalar: inout YAMLScalar, _ event: yaml_event_t
  ) {
    let written = scalar.range
    scalar.range.start = contentStart(written)
    if let tag = yaml_event_t.name(event.data.scalar.tag) {
      if let typeTag = YAMLScalar.TypeTag(tag: tag) {
        scalar.typeTag = typeTag
        if taggedValue(of: scalar.text, as: typeTag) == nil {
          diagnostics.append(.tagMismatch(scalar, tag: tag))
        }
      } else {
        diagnostics.append(unknownTag(tag, at: written))
      }
    } else if scalar.isAbsent, let name = yaml_event_t.name(event.data.scalar.anchor) {
      diagnostics.append(.anchorOnNothing(written, name: name))
    }
  }

  func unknownTag(_ tag: String, at written: SourceRange) -> Diagnostic {
    let start = Int(written.start)
    let end = min(source.count, start + (tag.hasPrefix("!") ? tag.utf8.count : 100))
    let stop = source[start..<max(start, end)].firstIndex { isBlankOrBreak($0) } ?? end
    let range = SourceRange(file: file, start: written.start, end: Int32(stop))
    let line = LineQuoting(source, around: start, isWithinFlow: frame.isFlow)
    return .unknownTag(tag, at: range, quoted: line.valueInQuotes(at: start))
  }

  mutating func takeAlias(_ event: yaml_event_t) -> Step {
    let range = range(event)
    let name = yaml_event_t.name(event.data.alias.anchor) ?? ""
    guard let anchor = anchors[name] else {
      let line = LineQuoting(source, around: Int(range.start), isWithinFlow: frame.isFlow)
      // Finding the nearest name costs time for each name, so only the first problems get help.
      let isEarly = diagnostics.count < YAMLLimit.namedBytes
      let known = isEarly ? anchors.keys.sorted() : []
      diagnostics.append(
        .undefinedAlias(
          name, at: range, known: known, quoted: line.valueInQuotes(at: Int(range.start))))
      return addNothing(at: range)
    }
    guard let node = anchor.node else {
      diagnostics.append(.recursiveAlias(name, at: range))
      return addNothing(at: range)
    }
    nodeCount += anchor.size
    if nodeCount > YAMLLimit.nodes {
      diagnostics.append(.aliasBomb(range))
      return .abandon
    }
    if depth + anchor.height > YAMLLimit.depth {
      diagnostics.append(.tooDeep(range))
      return .abandon
    }
    add(appendAlias(of: node), height: anchor.height, end: range.end)
    return .goOn
  }

  private mutating func addNothing(at range: SourceRange) -> Step {
    let nothing = append(YAMLScalar(text: "", style: .plain, range: range))
    add(nothing, height: 0, end: range.end)
    return .goOn
  }

  mutating func open(_ event: yaml_event_t) -> Step {
    let isMapping = event.type == YAML_MAPPING_START_EVENT
    var range = range(event)
    if depth >= YAMLLimit.depth {
      diagnostics.append(.tooDeep(range))
      return .abandon
    }
    let (anchorName, tagName, isFlow) =
      isMapping
      ? (
        event.data.mapping_start.anchor, event.data.mapping_start.tag,
        event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
      )
      : (
        event.data.sequence_start.anchor, event.data.sequence_start.tag,
        event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
      )
    let anchor = yaml_event_t.name(anchorName)
    if let anchor {
      anchors[anchor] = Anchor()
      openAnchors.append(anchor)
    }
    if let tag = yaml_event_t.name(tagName), !isCollectionTag(tag, isMapping: isMapping) {
      diagnostics.append(unknownTag(tag, at: range))
    }
    if anchorName != nil || tagName != nil { range.start = contentStart(range) }
    open(isMapping ? .mapping : .sequence, isFlow: isFlow, range, hasAnchor: anchor != nil)
    return .goOn
  }

  private mutating func open(
    _ kind: YAMLRecord.Kind, isFlow: Bool, _ range: SourceRange, hasAnchor: Bool
  ) {
    var record = YAMLRecord(kind, at: records.count, start: range.start, end: range.end)
    record.isFlow = isFlow
    record.first = record.next
    push(
      Frame(
        place: record.next - 1, isMapping: kind == .mapping, isFlow: isFlow, start: range.start,
        end: range.end, hasAnchor: hasAnchor, countBefore: nodeCount, keysBefore: keys.count))
    records.append(record)
    nodeCount += 1
  }

  private func isCollectionTag(_ tag: String, isMapping: Bool) -> Bool {
    tag == "!" || tag == (isMapping ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq")
  }

  /// Closes the innermost list or mapping. The end is that of its bracket or brace; one without
  /// them ends where its last part ends.
  mutating func close(end: Int32) -> Step {
    let closed = frame
    guard closed.isOpen else { return .goOn }
    pop()
    let place = Int(closed.place)
    let end = closed.isFlow ? end : closed.end
    records[place].end = max(closed.start, end)
    records[place].count = closed.count
    if closed.hasMerge {
      merge(into: place, keys: keys[closed.keysBefore...])
      if nodeCount > YAMLLimit.nodes {
        diagnostics.append(.aliasBomb(SourceRange(file: file, start: closed.start, end: end)))
        return .abandon
      }
    }
    if keys.count > closed.keysBefore { keys.removeLast(keys.count - closed.keysBefore) }
    if closed.hasTable { tables.removeLast() }
    records[place].next = Int32(records.count)
    if closed.hasAnchor, let anchor = openAnchors.popLast() {
      anchors[anchor] = Anchor(
        node: closed.place, size: nodeCount - closed.countBefore, height: closed.height)
    }
    add(closed.place, height: closed.height, end: records[place].end)
    return .goOn
  }

  /// Replaces `<<` by the entries of its sources that the mapping does not have itself. The first
  /// source wins. The entries are recorded again, as aliases.
  private mutating func merge(into place: Int, keys: ArraySlice<Int32>) {
    var taken = Set(keys.map { Value.string(texts[Int(records[Int(target($0))].first)]) })
    var result: [(key: Int32, value: Int32)] = []
    merging: for key in keys {
      let value = target(records[Int(key)].next)
      guard scalar(target(key)).isMergeKey else {
        result.append((target(key), value))
        continue
      }
      for source in mergeSources(value) {
        nodeCount += source.count
        if nodeCount > YAMLLimit.nodes { break merging }
        for inherited in source where taken.insert(.string(inherited.text)).inserted {
          result.append((inherited.key, inherited.value))
        }
      }
    }
    records[place].first = Int32(records.count)
    records[place].count = Int32(result.count)
    for entry in result {
      _ = appendAlias(of: entry.key)
      _ = appendAlias(of: entry.value)
    }
  }

  private mutating func mergeSources(_ node: Int32) -> [[MergeEntry]] {
    let record = records[Int(node)]
    if record.kind == .mapping { return [entries(of: record)] }
    if record.kind == .sequence {
      let elements = places(of: record).map { records[Int(target($0))] }
      if elements.allSatisfy({ $0.kind == .mapping }) { return elements.map { entries(of: $0) } }
    }
    diagnostics.append(.mergeNotMapping(range(record)))
    return []
  }

  private typealias MergeEntry = (key: Int32, value: Int32, text: String)

  private func entries(of mapping: YAMLRecord) -> [MergeEntry] {
    var found: [MergeEntry] = []
    var place = mapping.first
    while found.count < Int(mapping.count) {
      let value = records[Int(place)].next
      if !records[Int(place)].isDropped {
        let key = target(place)
        found.append((key, target(value), texts[Int(records[Int(key)].first)]))
      }
      place = records[Int(value)].next
    }
    return found
  }

  private func places(of sequence: YAMLRecord) -> [Int32] {
    var found: [Int32] = []
    var place = sequence.first
    while found.count < Int(sequence.count) {
      found.append(place)
      place = records[Int(place)].next
    }
    return found
  }
}

extension TreeBuilder {
  /// Returns the beginning of the content, after its anchor and tag.
  func contentStart(_ range: SourceRange) -> Int32 {
    var position = Int(range.start)
    let end = min(Int(range.end), source.count)
    while position < end,
      source[position] == UInt8(ascii: "&") || source[position] == UInt8(ascii: "!")
    {
      while position < end, !isBlankOrBreak(source[position]) { position += 1 }
      position = skipSpaceAndComments(from: position, to: end)
    }
    return Int32(position)
  }

  private func skipSpaceAndComments(from start: Int, to end: Int) -> Int {
    var position = start
    while position < end {
      if source[position] == UInt8(ascii: "#") {
        while position < end, !isBreak(source[position]) { position += 1 }
      } else if isBlankOrBreak(source[position]) {
        position += 1
      } else {
        return position
      }
    }
    return position
  }

  private func endWithoutBreaks(_ range: SourceRange) -> Int32 {
    var end = min(Int(range.end), source.count)
    while end > Int(range.start), isBlankOrBreak(source[end - 1]) { end -= 1 }
    return Int32(end)
  }
}

extension YAMLScalar {
  var isMergeKey: Bool { style == .plain && text == "<<" && typeTag == .none }
}

extension YAMLScalar.TypeTag {
  init?(tag: String) {
    switch tag {
    case "!", "tag:yaml.org,2002:str": self = .text
    case "tag:yaml.org,2002:int": self = .int
    case "tag:yaml.org,2002:float": self = .float
    case "tag:yaml.org,2002:bool": self = .bool
    case "tag:yaml.org,2002:null": self = .null
    default: return nil
    }
  }
}
