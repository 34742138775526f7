import Values
import YAMLSyntax

/// Reading of what mocks send: data, and examples of values that differ in each answer.
extension DocumentReader {
  /// Reads data with examples in it. Parsing bounds its depth.
  func readSent(_ node: YAMLNode) -> DataSpec? {
    guard node.holdsExample else { return readData(node) }
    switch node.content {
    case .scalar: return readData(node)
    case .sequence(let nodes):
      let elements = nodes.compactMap { readSent($0) }
      return elements.count == nodes.count ? DataSpec(.list(elements), node.range) : nil
    case .mapping(let entries):
      return ExampleForm(entries).map { readExample($0, node) } ?? readEntries(entries, node)
    }
  }

  private func readEntries(_ entries: YAMLEntries, _ node: YAMLNode) -> DataSpec? {
    let parts = entries.compactMap { entry -> (key: Located<Value>, value: DataSpec)? in
      guard hasLiteralKey(entry), let value = readSent(entry.value) else { return nil }
      return (Located(entry.keyValue, entry.keyRange), value)
    }
    return parts.count == entries.count ? DataSpec(.map(parts), node.range) : nil
  }

  private func readExample(_ form: ExampleForm, _ node: YAMLNode) -> DataSpec? {
    switch form {
    case .literal(let entry): return readData(entry.value)
    case .file(let entry): return readFile(entry.value) { DocumentReader($0).readSent($1) }
    case .like(let entry):
      return readSent(entry.value).map { sample in
        DataSpec(.example(sample, sample.likeness(named: entry.name)), node.range)
      }
    case .eachLike(let entry):
      return readSent(entry.value).map { sample in
        let list = DataSpec(.list([sample]), entry.value.range)
        return DataSpec(.example(list, sample.likenessOfEach(named: entry.name)), node.range)
      }
    case .matched(let example, let matcher):
      guard let sent = readData(example.value),
        let matcher = readMatcher(matcher.value)
      else { return nil }
      return DataSpec(.example(sent, matcher), node.range)
    }
  }
}

/// A map that is not sent as it stands.
private enum ExampleForm {
  case like(YAMLEntry)
  case eachLike(YAMLEntry)
  /// The value in a file, which may be an example.
  case file(YAMLEntry)
  case matched(example: YAMLEntry, by: YAMLEntry)
  /// A map that looks like an example, and is data.
  case literal(YAMLEntry)

  init?(_ entries: YAMLEntries) {
    // Most data has many keys, and no operators: finding out which key it is takes longest.
    guard entries.count <= 2, let first = entries.first else { return nil }
    let isOperator = first.key.utf8.first == UInt8(ascii: "$")
    switch (entries.count, isOperator ? Key(rawValue: first.key) : nil) {
    case (1, .likeOperator?): self = .like(first)
    case (1, .eachLikeOperator?): self = .eachLike(first)
    case (1, .fileOperator?): self = .file(first)
    case (1, .exactlyOperator?) where ExampleForm.isLookalike(first.value): self = .literal(first)
    case (2, _):
      guard let example = entries.first(where: { $0.key == Key.exampleOperator.rawValue }),
        let matcher = entries.first(where: { $0.key == Key.matchOperator.rawValue })
      else { return nil }
      self = .matched(example: example, by: matcher)
    case _: return nil
    }
  }

  private static func isLookalike(_ node: YAMLNode) -> Bool {
    guard case .mapping(let entries) = node.content else { return false }
    return ExampleForm(entries) != nil
  }
}

extension YAMLNode {
  /// True if there is an example in the node, however deep.
  fileprivate var holdsExample: Bool {
    switch content {
    case .scalar: false
    case .sequence(let nodes): nodes.contains(where: \.holdsExample)
    case .mapping(let entries):
      ExampleForm(entries) != nil || entries.contains { $0.value.holdsExample }
    }
  }
}

extension DataSpec {
  fileprivate var holdsExample: Bool {
    switch content {
    case .example: true
    case .literal, .expression, .text, .keyedMap: false
    case .list(let elements): elements.contains(where: \.holdsExample)
    case .map(let entries): entries.contains(where: \.value.holdsExample)
    }
  }

  /// Returns the matcher of values like this one. Examples inside have matchers of their own.
  fileprivate func likeness(named name: Located<String>) -> MatcherSpec {
    switch content {
    case .example(_, let matcher): return matcher
    case .list(let elements) where holdsExample:
      return MatcherSpec(.list(elements.map { $0.likeness(named: name) }), range)
    case .map(let entries) where holdsExample:
      return MatcherSpec(.map(entries.map { ($0.key, $0.value.likeness(named: name)) }), range)
    case .literal, .expression, .text, .list, .map, .keyedMap:
      return MatcherSpec(.operators([OperatorSpec(kind: .data(.like, self), name: name)]), range)
    }
  }

  /// Returns the matcher of a list of one or more values like this one.
  fileprivate func likenessOfEach(named name: Located<String>) -> MatcherSpec {
    guard holdsExample else {
      let likeness = OperatorSpec(kind: .data(.eachLike, self), name: name)
      return MatcherSpec(.operators([likeness]), range)
    }
    let one = DataSpec(.literal(1), name.range)
    let some = MatcherSpec(
      .operators([OperatorSpec(kind: .data(.compare(.atLeast), one), name: name)]), name.range)
    let each = OperatorSpec(kind: .inner(.each, likeness(named: name)), name: name)
    return MatcherSpec(
      .operators([OperatorSpec(kind: .inner(.size, some), name: name), each]), range)
  }
}

extension MappingReader {
  /// Reads header fields of an answer: those of requests, and examples.
  func sentItems(_ key: Key, by reader: DocumentReader) -> [NamedData] {
    assertShape(key) { $0 == LanguageTable.sentItemsShape }
    return entries(key).compactMap { entry in
      guard values.hasLiteralKey(entry) else { return nil }
      let isExample =
        if case .mapping(let parts) = entry.value.content { ExampleForm(parts) != nil } else {
          false
        }
      let value =
        isExample
        ? reader.readSent(entry.value) : values.readItem(entry, key)
      return value.map { (entry.name, $0) }
    }
  }
}
