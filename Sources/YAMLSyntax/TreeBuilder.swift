import CLibYAML
import Diagnostics

/// Puts the tree of each document together from events; an explicit stack bounds what nesting
/// costs.
struct TreeBuilder {
  enum Step {
    case goOn
    case finished
    /// The rest of the document is not worth reading.
    case abandon
  }

  let source: UnsafeBufferPointer<UInt8>
  let file: Int32
  let finder: SuspicionFinder
  var offsets: CharacterOffsets
  var documents: [YAMLDocument] = []
  var diagnostics: [Diagnostic] = []
  var frames: [Frame] = []
  var anchors: [String: Anchor] = [:]
  /// Nodes of this document so far, aliases counted as what they stand for.
  var nodeCount = 0
  private var root: YAMLNode?
  /// How many diagnostics the documents before this one have.
  private var diagnosticsBefore = 0

  init(source: UnsafeBufferPointer<UInt8>, file: Int32, offsets: CharacterOffsets) {
    self.source = source
    self.file = file
    finder = SuspicionFinder(source: source, file: file)
    self.offsets = offsets
  }

  mutating func take(_ event: yaml_event_t) -> Step {
    switch event.type {
    case YAML_STREAM_END_EVENT: return .finished
    case YAML_DOCUMENT_START_EVENT: beginDocument()
    case YAML_DOCUMENT_END_EVENT: endDocument(event)
    case YAML_SCALAR_EVENT: takeScalar(event)
    case YAML_ALIAS_EVENT: return takeAlias(event)
    case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT: return open(event)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return close(event)
    default: break
    }
    return .goOn
  }

  mutating func beginDocument() {
    frames.removeAll(keepingCapacity: true)
    anchors.removeAll(keepingCapacity: true)
    nodeCount = 0
    root = nil
    diagnosticsBefore = diagnostics.count
  }

  /// Names the problem that ends a document: where a value that was split or cut on the same line
  /// is the likely cause, that alone is named.
  mutating func breakDocument(_ problem: Diagnostic, at offset: Int) {
    let line = LineQuoting(source, around: offset)
    let firstOfLine = diagnostics[diagnosticsBefore...].firstIndex {
      ($0.labels.first?.range.start ?? 0) >= Int32(line.start)
    }
    let onLine = diagnostics[(firstOfLine ?? diagnostics.count)...]
    var cause = onLine.first { ["split-by-comma", "comment-cut"].contains($0.id) } ?? problem
    cause.severity = .error
    diagnostics.removeSubrange(onLine.indices)
    diagnostics.append(cause)
    diagnosticsBefore = diagnostics.count
  }

  private mutating func endDocument(_ event: yaml_event_t) {
    guard let root else { return }
    if let scalar = root.scalar, scalar.isAbsent {
      diagnostics.append(.emptyDocument(root.range))
    } else {
      documents.append(YAMLDocument(root: root, file: file))
    }
  }

  var isInFlow: Bool { frames.last?.isFlow ?? false }

  func range(_ event: yaml_event_t) -> SourceRange {
    let start = offsets.byteOffset(ofCharacter: event.start_mark.index)
    let end = offsets.byteOffset(ofCharacter: event.end_mark.index)
    return SourceRange(file: file, start: Int32(start), end: Int32(max(start, end)))
  }

  /// Gives a finished node to what it is part of.
  mutating func add(_ node: consuming YAMLNode, height: Int, end: Int32) {
    guard !frames.isEmpty else {
      root = node
      return
    }
    let top = frames.count - 1
    frames[top].height = max(frames[top].height, height + 1)
    frames[top].end = max(frames[top].end, end)
    if !frames[top].isMapping {
      frames[top].elements.append(node)
    } else if let key = frames[top].key {
      frames[top].key = nil
      addEntry(YAMLEntry(keyScalar: key, value: node), to: top)
    } else {
      takeKey(node, of: top)
    }
  }

  private mutating func addEntry(_ entry: consuming YAMLEntry, to top: Int) {
    if let warning = finder.suspicion(about: entry, isFlow: frames[top].isFlow) {
      diagnostics.append(warning)
    }
    if frames[top].dropsEntry {
      frames[top].dropsEntry = false
    } else {
      frames[top].entries.append(entry)
    }
  }

  private mutating func takeKey(_ node: YAMLNode, of top: Int) {
    guard let key = node.scalar else {
      diagnostics.append(.complexKey(node.range))
      frames[top].key = YAMLScalar(text: "", style: .doubleQuoted, range: node.range)
      frames[top].dropsEntry = true
      return
    }
    if let earlier = frames[top].earlierKey(like: key) {
      diagnostics.append(.duplicateKey(key, earlier: earlier))
      frames[top].dropsEntry = true
    }
    frames[top].hasMerge = frames[top].hasMerge || key.isMergeKey
    frames[top].key = key
  }
}

extension TreeBuilder {
  /// What a name of an anchor stands for.
  struct Anchor {
    /// Nil while the node is still being read.
    var node: YAMLNode?
    var size = 0
    var height = 0
  }

  /// A list or mapping that is not yet closed.
  struct Frame {
    let isMapping: Bool
    let isFlow: Bool
    let start: Int32
    let anchor: String?
    let countBefore: Int
    var end: Int32
    var height = 0
    var elements: [YAMLNode] = []
    var entries: [YAMLEntry] = []
    var key: YAMLScalar?
    var dropsEntry = false
    var hasMerge = false
    private var keys: [String: Int] = [:]
    private var keyedCount = 0

    init(
      isMapping: Bool, isFlow: Bool, start: Int32, end: Int32, anchor: String?, countBefore: Int
    ) {
      self.isMapping = isMapping
      self.isFlow = isFlow
      self.start = start
      self.end = end
      self.anchor = anchor
      self.countBefore = countBefore
    }

    var expectsKey: Bool { isMapping && key == nil }

    /// Small mappings are searched from front to back, larger ones through a table.
    mutating func earlierKey(like key: YAMLScalar) -> YAMLScalar? {
      if entries.count < 12 {
        return entries.first { $0.key == key.text && $0.keyValue == key.value }?.keyScalar
      }
      while keyedCount < entries.count {
        keys[entries[keyedCount].key] = keyedCount
        keyedCount += 1
      }
      guard let position = keys[key.text], entries[position].keyValue == key.value else {
        return nil
      }
      return entries[position].keyScalar
    }
  }
}

extension YAMLScalar {
  var isMergeKey: Bool { style == .plain && text == "<<" && typeTag == .none }
}
