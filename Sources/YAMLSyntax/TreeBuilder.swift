import CLibYAML
import Diagnostics
import Values

/// A builder of each document's tree from events; an explicit stack bounds the cost of nesting.
struct TreeBuilder {
  enum Step {
    case goOn
    case finished
    /// The rest of the document is skipped.
    case abandon
  }

  let source: UnsafeBufferPointer<UInt8>
  let file: Int32
  let finder: SuspicionFinder
  /// The offsets of the characters of what libyaml reads.
  var offsets = CharacterOffsets(UnsafeBufferPointer(start: nil, count: 0), base: 0, isASCII: true)
  var documents: [YAMLDocument] = []
  var diagnostics: [Diagnostic] = []
  /// The innermost list or mapping that is open, and those around it from the outside in.
  private(set) var frame = Frame.none
  private var outer: [Frame] = []
  var anchors: [String: Anchor] = [:]
  /// The nodes of this document, and the texts of its scalars.
  var records: [YAMLRecord] = []
  var texts: [String] = []
  /// The places of the keys of all open mappings, those of the innermost last.
  var keys: [Int32] = []
  /// The rare parts of open lists and mappings: names of anchors, and tables of keys.
  var openAnchors: [String] = []
  var tables: [KeyTable] = []
  /// The number of nodes of this document so far; an alias counts as its target.
  var nodeCount = 0
  private var root: Int32?
  /// The number of nodes of the documents before this one.
  private var nodesBefore = 0
  /// The number of diagnostics of the documents before this one.
  private var diagnosticsBefore = 0

  init(source: UnsafeBufferPointer<UInt8>, file: Int32) {
    self.source = source
    self.file = file
    finder = SuspicionFinder(source: source, file: file)
  }

  mutating func take(_ event: yaml_event_t) -> Step {
    switch event.type {
    case YAML_STREAM_END_EVENT: return .finished
    case _ where nodesBefore + records.count >= YAMLLimit.nodesInFile:
      diagnostics.append(.tooManyNodes(range(event)))
      return .finished
    case YAML_DOCUMENT_START_EVENT: beginDocument()
    case YAML_DOCUMENT_END_EVENT: endDocument()
    case YAML_SCALAR_EVENT: takeScalar(event)
    case YAML_ALIAS_EVENT: return takeAlias(event)
    case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT: return open(event)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      return close(end: frame.isFlow ? range(event).end : 0)
    default: break
    }
    return .goOn
  }

  private mutating func beginDocument() {
    frame = .none
    outer.removeAll(keepingCapacity: true)
    anchors.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    openAnchors = []
    tables = []
    records.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    // Enough room for most files, so that nothing has to be moved.
    records.reserveCapacity(reservedNodes)
    texts.reserveCapacity(reservedNodes)
    nodeCount = 0
    root = nil
    diagnosticsBefore = diagnostics.count
  }

  /// Reports the problem that ends a document. If a split or cut value on the same line is the
  /// likely cause, only that is reported.
  mutating func breakDocument(_ problem: Diagnostic, at offset: Int) {
    let line = LineQuoting(source, around: offset)
    let firstOfLine = diagnostics[diagnosticsBefore...].firstIndex {
      ($0.labels.first?.range.start ?? 0) >= Int32(line.start)
    }
    let onLine = diagnostics[(firstOfLine ?? diagnostics.count)...]
    var cause = onLine.first { [.splitByComma, .commentCut].contains($0.id) } ?? problem
    cause.severity = .error
    diagnostics.removeSubrange(onLine.indices)
    diagnostics.append(cause)
    diagnosticsBefore = diagnostics.count
  }

  private mutating func endDocument() {
    nodesBefore += records.count
    guard let root else { return }
    let node = YAMLNode(tree: takeTree(), index: root)
    if let scalar = node.scalar, scalar.isAbsent {
      diagnostics.append(.emptyDocument(node.range))
    } else {
      documents.append(YAMLDocument(root: node, file: file))
    }
  }

  /// The nodes for which a document gets room before it is read.
  private var reservedNodes: Int { min(source.count / 6, 4096) }

  /// Hands over the nodes of the document. A short one gets a piece of memory of its own size, and
  /// the room goes to the next document: otherwise a file of many would need all of them.
  private mutating func takeTree() -> YAMLTree {
    if records.count < reservedNodes / 4 {
      // A copy of a slice would share the large piece of memory.
      let (records, texts) = (records.withUnsafeBufferPointer { Array($0) }, texts.map { $0 })
      return YAMLTree(file: file, records: records, texts: texts)
    }
    defer {
      records = []
      texts = []
    }
    return YAMLTree(file: file, records: records, texts: texts)
  }

  /// The number of lists and mappings that are open.
  var depth: Int { outer.count }

  /// The beginning of the innermost brackets or braces that are open.
  var openFlow: Int32? { frame.isFlow ? frame.start : outer.last { $0.isFlow }?.start }

  mutating func push(_ inner: Frame) {
    outer.append(frame)
    frame = inner
  }

  mutating func pop() {
    frame = outer.removeLast()
  }

  func range(_ event: yaml_event_t) -> SourceRange {
    let start = offsets.byteOffset(ofCharacter: event.start_mark.index)
    let end = offsets.byteOffset(ofCharacter: event.end_mark.index)
    return SourceRange(file: file, start: Int32(start), end: Int32(max(start, end)))
  }

  func range(_ record: YAMLRecord) -> SourceRange {
    SourceRange(file: file, start: record.start, end: record.end)
  }

  /// Returns the scalar at this place.
  func scalar(_ place: Int32) -> YAMLScalar {
    let record = records[Int(place)]
    return YAMLScalar(
      text: texts[Int(record.first)], style: record.style, typeTag: record.typeTag,
      range: range(record))
  }

  /// Returns the node at a place; for an alias, its target.
  func target(_ place: Int32) -> Int32 {
    let record = records[Int(place)]
    return record.kind == .alias ? record.first : place
  }

  /// Adds a finished node to its parent.
  mutating func add(_ place: Int32, height: Int, end: Int32) {
    guard frame.isOpen else {
      root = target(place)
      return
    }
    frame.height = max(frame.height, height + 1)
    frame.end = max(frame.end, end)
    if !frame.isMapping {
      frame.count += 1
    } else if let key = frame.key {
      frame.key = nil
      addEntry(key, place)
    } else {
      takeKey(place)
    }
  }

  private mutating func addEntry(_ key: Int32, _ value: Int32) {
    lookForSuspicion(about: key, target(value))
    if records[Int(key)].isDropped { return }
    keys.append(key)
    frame.count += 1
    if frame.count == TreeBuilder.keysWithoutTable {
      frame.hasTable = true
      tables.append(KeyTable())
    }
  }

  private mutating func takeKey(_ place: Int32) {
    frame.key = place
    let record = records[Int(target(place))]
    guard record.kind == .scalar else {
      diagnostics.append(.complexKey(range(record)))
      records[Int(place)].isDropped = true
      return
    }
    if frame.count > 0, let earlier = earlierKey(like: place) {
      diagnostics.append(
        .duplicateKey(scalar(target(place)), earlier: scalar(target(earlier))))
      records[Int(place)].isDropped = true
    }
    if record.style == .plain, record.typeTag == .none, texts[Int(record.first)].utf8.count == 2,
      texts[Int(record.first)] == "<<"
    {
      frame.hasMerge = true
    }
  }
}

extension TreeBuilder {
  /// The target of an anchor's name.
  struct Anchor {
    /// The place of the node; nil while it is still being read.
    var node: Int32?
    var size = 0
    var height = 0
  }

  /// A list or mapping that is not yet closed. It holds only plain numbers, because one is made so
  /// often.
  struct Frame {
    static let none = Frame(
      place: -1, isMapping: false, isFlow: false, start: 0, end: 0, hasAnchor: false,
      countBefore: 0, keysBefore: 0)

    let place: Int32
    let isMapping: Bool
    let isFlow: Bool
    var hasMerge = false
    var start: Int32
    var end: Int32
    var height = 0
    /// The number of elements or entries so far.
    var count: Int32 = 0
    /// The place of the key whose value comes next.
    var key: Int32?
    /// True if `openAnchors` has a name for it.
    let hasAnchor: Bool
    let countBefore: Int
    /// The number of keys of the mappings around this one.
    let keysBefore: Int
    /// True if `tables` has its keys by their text; many keys need it.
    var hasTable = false

    /// False outside of all lists and mappings.
    var isOpen: Bool { place >= 0 }
    var expectsKey: Bool { isMapping && key == nil }
  }

  final class KeyTable {
    var places: [Value: Int32] = [:]
    var count = 0
  }

  private static let keysWithoutTable = 12

  /// Returns an earlier equal key. Small mappings are searched in order, larger ones through a
  /// table.
  private mutating func earlierKey(like place: Int32) -> Int32? {
    let (count, keysBefore) = (Int(frame.count), frame.keysBefore)
    let text = texts[Int(records[Int(target(place))].first)]
    guard frame.hasTable, let table = tables.last else {
      for position in keysBefore..<keys.count {
        if isKey(keys[position], text, like: place) { return keys[position] }
      }
      return nil
    }
    while table.count < count {
      let key = keys[keysBefore + table.count]
      table.places[.string(texts[Int(records[Int(target(key))].first)])] = key
      table.count += 1
    }
    guard let earlier = table.places[.string(text)], isKey(earlier, text, like: place) else {
      return nil
    }
    return earlier
  }

  private mutating func isKey(_ earlier: Int32, _ text: String, like place: Int32) -> Bool {
    guard texts[Int(records[Int(target(earlier))].first)] == text else { return false }
    return scalar(target(earlier)).value == scalar(target(place)).value
  }

  /// Checks an entry with a known value for suspicious text.
  private mutating func lookForSuspicion(about key: Int32, _ value: Int32) {
    let record = records[Int(value)]
    if record.kind == .mapping || record.kind == .scalar && !frame.isFlow { return }
    let keyRecord = records[Int(target(key))]
    guard keyRecord.kind == .scalar else { return }
    if record.kind == .scalar, texts[Int(record.first)].isEmpty {
      let warning = finder.missingSpace(key: scalar(target(key)), value: scalar(value))
      if let warning { diagnostics.append(warning) }
    } else if record.kind == .sequence, record.isFlow, record.count == 1 {
      let word = target(record.first)
      guard records[Int(word)].kind == .scalar else { return }
      let warning = finder.listOfOneWord(
        key: texts[Int(keyRecord.first)], word: scalar(word), range: range(record))
      if let warning { diagnostics.append(warning) }
    }
  }
}
