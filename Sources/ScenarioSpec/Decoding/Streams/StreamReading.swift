import Diagnostics
import YAMLSyntax

extension DocumentReader {
  func readStreams(_ fields: MappingReader) -> [StreamSpec] {
    fields.entries(.streams).compactMap { entry in
      let name = readStageName(entry)
      let origin: StreamSpec.Origin?
      var operators: [StreamOperatorSpec]? = []
      var parameters: [Located<String>] = []
      var replay: Located<Int>?
      var isCold: Bool?
      if case .mapping = entry.value.content {
        let parts =
          reportsColdDiagram(entry.value)
          ? nil : open(entry.value, LanguageTable.stream, ValueSubject.key(.streams).text)
        origin = parts.flatMap { readOrigin($0) }
        operators = parts.flatMap { readOperators($0) }
        isCold = parts?.bool(.cold)?.value
        replay = parts?.integer(.replay)
        parameters = parts?.newNames(.params) ?? []
      } else {
        origin = readSubjectWord(entry)
      }
      guard let name, let origin, let operators else { return nil }
      var stream = StreamSpec(
        name: name, origin: origin, operators: operators, parameters: parameters,
        range: entry.name.range)
      stream.replay = replay
      stream.isCold = isCold
      return stream
    }
  }

  /// Reports a diagram under `cold`, where other libraries have it; here it is a flag.
  private func reportsColdDiagram(_ node: YAMLNode) -> Bool {
    guard let value = node.entry(Key.cold.rawValue)?.value, let text = value.text,
      value.scalar?.isText == true, node.entry(Key.marble.rawValue) == nil
    else { return false }
    reportWrongType(value, .key(.cold), takes: .bool, help: "write `marble: \"\(text)\"`")
    return true
  }

  private func readSubjectWord(_ entry: YAMLEntry) -> StreamSpec.Origin? {
    guard let scalar = entry.value.scalar, scalar.isText else {
      reportWrongType(entry.value, .entry(entry.key, of: .streams), takes: .mapping(.stream))
      return nil
    }
    if scalar.text == Key.subject.rawValue { return .subject(initial: nil) }
    report(.streamWord(scalar.text, entry.key, at: entry.value.range))
    return nil
  }

  private func readOrigin(_ fields: MappingReader) -> StreamSpec.Origin? {
    guard let (key, entry) = fields.first(of: LanguageTable.streamOrigins) else { return nil }
    switch key {
    case .from: return readInputs(entry.value, .from).map { .merge($0) }
    case .combineLatest: return readInputs(entry.value, .combineLatest).map { .combineLatest($0) }
    case .zip: return readInputs(entry.value, .zip).map { .zip($0) }
    case .subject:
      return entry.value.isNull
        ? .subject(initial: nil) : fields.data(.subject).map { .subject(initial: $0) }
    case .interval: return readInterval(entry.value).map { .interval($0) }
    case .items:
      let nodes = fields.elements(.items)
      let items = nodes.compactMap { readData($0) }
      return items.count == nodes.count && entry.value.elements != nil ? .items(items) : nil
    case .marble: return readMarble(fields)
    default: return nil
    }
  }

  /// Reads an interval. One of zero would never let time pass.
  private func readInterval(_ node: YAMLNode) -> DurationSpec? {
    if node.text?.holdsExpression == true { return readAnyDuration(node, .key(.interval)) }
    return readTick(node, .key(.interval)).map { .literal($0) }
  }

  private func readMarble(_ fields: MappingReader) -> StreamSpec.Origin? {
    let isHot = fields.bool(.hot)?.value ?? false
    let tick = fields.tick(.tick)?.value ?? Marble<DataSpec>.defaultTick
    let marble = fields.marble(as: isHot ? .hot : .cold, tick: tick, readData) { $0 }
    return marble.map { .marble($0, isHot: isHot) }
  }
}

// MARK: - inputs

extension DocumentReader {
  /// Reads one source, a list of them, or a map if they have labels.
  func readInputs(_ node: YAMLNode, _ key: Key) -> [InputSpec]? {
    switch node.content {
    case .scalar: return readInput(node, .key(key)).map { [$0] }
    case .sequence(let nodes):
      if nodes.isEmpty { report(.emptyList("`\(key.rawValue)`", of: "source", at: node.range)) }
      let inputs = nodes.compactMap { readInput($0, .element(key)) }
      return inputs.isEmpty || inputs.count < nodes.count ? nil : inputs
    case .mapping(let entries):
      guard key == .combineLatest || key == .zip, node.entry(Key.source.rawValue) == nil else {
        return readInput(node, .key(key)).map { [$0] }
      }
      return readLabelled(entries, key, at: node.range)
    }
  }

  private func readLabelled(_ entries: YAMLEntries, _ key: Key, at range: SourceRange)
    -> [InputSpec]?
  {
    if entries.isEmpty { report(.emptyMap("`\(key.rawValue)`", at: range)) }
    let inputs = entries.compactMap { entry -> InputSpec? in
      let label = readInnerName(entry)
      guard var input = readInput(entry.value, .entry(entry.key, of: key)), let label else {
        return nil
      }
      input.label = label
      return input
    }
    return inputs.isEmpty || inputs.count < entries.count ? nil : inputs
  }

  func readInput(_ node: YAMLNode, _ subject: ValueSubject) -> InputSpec? {
    guard case .mapping = node.content else {
      guard let scalar = node.scalar, scalar.isText else {
        reportWrongType(node, subject, takes: LanguageTable.inputShape)
        return nil
      }
      return readAddress(node, subject).map { InputSpec(source: $0, range: node.range) }
    }
    guard let fields = open(node, LanguageTable.input, subject.text) else { return nil }
    let condition = fields.expression(.where)
    let map = fields.expression(.map)
    guard let source = fields.address(.source), condition != nil || !fields.has(.where),
      map != nil || !fields.has(.map)
    else { return nil }
    var input = InputSpec(source: source, range: node.range)
    input.where = condition
    input.map = map
    return input
  }
}
