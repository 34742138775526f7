import CLibYAML
import Diagnostics

extension TreeBuilder {
  mutating func takeScalar(_ event: yaml_event_t) {
    nodeCount += 1
    let isKey = frames.last?.expectsKey ?? false
    var scalar = YAMLScalar(
      text: event.scalarText, style: event.scalarStyle, range: range(event))
    if event.data.scalar.anchor != nil || event.data.scalar.tag != nil {
      takeProperties(of: &scalar, event)
    }
    if scalar.style == .literal || scalar.style == .folded {
      scalar.range.end = endWithoutBreaks(scalar.range)
    }
    if scalar.style == .plain, !isKey, !scalar.text.isEmpty {
      diagnostics += finder.suspicions(about: scalar, isInFlow: isInFlow)
    }
    let node = YAMLNode(range: scalar.range, content: .scalar(scalar))
    if let anchor = yaml_event_t.name(event.data.scalar.anchor) {
      anchors[anchor] = Anchor(node: node, size: 1)
    }
    add(node, height: 0, end: scalar.range.end)
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
    let line = LineQuoting(source, around: start, isWithinFlow: isInFlow)
    return .unknownTag(tag, at: range, quoted: line.valueInQuotes(at: start))
  }

  mutating func takeAlias(_ event: yaml_event_t) -> Step {
    let range = range(event)
    let name = yaml_event_t.name(event.data.alias.anchor) ?? ""
    guard let anchor = anchors[name] else {
      let line = LineQuoting(source, around: Int(range.start), isWithinFlow: isInFlow)
      // Finding the nearest name costs as much as there are names, so only the first are helped.
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
    if frames.count + anchor.height > YAMLLimit.depth {
      diagnostics.append(.tooDeep(range))
      return .abandon
    }
    add(node, height: anchor.height, end: range.end)
    return .goOn
  }

  private mutating func addNothing(at range: SourceRange) -> Step {
    let scalar = YAMLScalar(text: "", style: .plain, range: range)
    add(YAMLNode(range: range, content: .scalar(scalar)), height: 0, end: range.end)
    return .goOn
  }

  mutating func open(_ event: yaml_event_t) -> Step {
    nodeCount += 1
    let isMapping = event.type == YAML_MAPPING_START_EVENT
    let range = range(event)
    if frames.count >= YAMLLimit.depth {
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
    if let anchor { anchors[anchor] = Anchor() }
    if let tag = yaml_event_t.name(tagName), !isCollectionTag(tag, isMapping: isMapping) {
      diagnostics.append(unknownTag(tag, at: range))
    }
    let hasProperties = anchorName != nil || tagName != nil
    frames.append(
      Frame(
        isMapping: isMapping, isFlow: isFlow,
        start: hasProperties ? contentStart(range) : range.start, end: range.end, anchor: anchor,
        countBefore: nodeCount - 1))
    return .goOn
  }

  private func isCollectionTag(_ tag: String, isMapping: Bool) -> Bool {
    tag == "!" || tag == (isMapping ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq")
  }

  mutating func close(_ event: yaml_event_t) -> Step {
    guard var frame = frames.popLast() else { return .goOn }
    if frame.isFlow { frame.end = range(event).end }
    let entries = frame.hasMerge ? merged(frame.entries) : frame.entries
    if nodeCount > YAMLLimit.nodes, frame.hasMerge {
      diagnostics.append(.aliasBomb(SourceRange(file: file, start: frame.start, end: frame.end)))
      return .abandon
    }
    let node = YAMLNode(
      range: SourceRange(file: file, start: frame.start, end: max(frame.start, frame.end)),
      content: frame.isMapping ? .mapping(entries) : .sequence(frame.elements),
      isFlow: frame.isFlow)
    if let anchor = frame.anchor {
      anchors[anchor] = Anchor(
        node: node, size: nodeCount - frame.countBefore, height: frame.height)
    }
    add(node, height: frame.height, end: node.range.end)
    return .goOn
  }

  /// Puts the entries of `<<` in its place, as far as the mapping does not have them itself; of
  /// several sources the first one wins.
  private mutating func merged(_ entries: [YAMLEntry]) -> [YAMLEntry] {
    var taken = Set(entries.map(\.key))
    var result: [YAMLEntry] = []
    for entry in entries {
      guard entry.keyScalar.isMergeKey else {
        result.append(entry)
        continue
      }
      for source in mergeSources(entry.value) {
        nodeCount += source.count
        if nodeCount > YAMLLimit.nodes { return result }
        for inherited in source where taken.insert(inherited.key).inserted {
          result.append(inherited)
        }
      }
    }
    return result
  }

  private mutating func mergeSources(_ node: YAMLNode) -> [[YAMLEntry]] {
    if let entries = node.entries { return [entries] }
    if let elements = node.elements, elements.allSatisfy({ $0.entries != nil }) {
      return elements.compactMap(\.entries)
    }
    diagnostics.append(.mergeNotMapping(node.range))
    return []
  }
}

extension TreeBuilder {
  /// Where content begins behind its anchor and tag.
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
