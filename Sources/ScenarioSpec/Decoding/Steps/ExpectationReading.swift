import Diagnostics
import TextSearch
import YAMLSyntax

extension DocumentReader {
  /// Reads a step that asserts.
  func readAsserting(
    _ fields: MappingReader, _ verb: Key, _ node: YAMLNode, _ context: ScriptContext
  ) -> StepKind? {
    switch verb {
    case .expect: return readExpect(fields, node)
    case .never: return readNever(fields, node)
    case .check: return readCheck(node)
    case .eventually:
      let within = fields.duration(.within)
      return fields.expression(.eventually).map { .eventually($0, within: within) }
    case .retry: return readRetry(fields, node, context)
    case .fails: return readFails(fields, node, context)
    case .ignore: return readAddresses(fields, .ignore, node).map { .ignore($0) }
    case .snapshot: return readSnapshot(fields, node)
    default: return nil
    }
  }

  private func readFails(_ fields: MappingReader, _ node: YAMLNode, _ context: ScriptContext)
    -> StepKind?
  {
    let error = fields[.error].flatMap { readMatcher($0.value) }
    guard let step = readStep(node, context) else { return nil }
    if let rule = LanguageTable.step(named: step.verb.value), rule.kind == .asserting {
      report(.assertionInFails(rule, at: step.verb.range))
      return nil
    }
    if case .request(let exchange) = step.kind, let expected = exchange.expected {
      report(.expectationInFails(at: expected.keyRange))
      return nil
    }
    return .fails(step, error: error)
  }

  private func readSnapshot(_ fields: MappingReader, _ node: YAMLNode) -> StepKind? {
    guard case .mapping = node.content else {
      return snapshot(readText(node, .key(.snapshot)), of: nil)
    }
    guard let parts = open(node, LanguageTable.snapshot, "`snapshot`") else { return nil }
    let value = parts.expression(.of)
    return snapshot(parts.text(.name), of: value)
  }

  private func snapshot(_ name: Located<String>?, of value: ExpressionText?) -> StepKind? {
    guard let name else { return nil }
    guard !fileWord(name.value).isEmpty else {
      report(.nameOfNoFile(name))
      return nil
    }
    return .snapshot(name: name, of: value)
  }

  /// Reads one address, or a list of them.
  func readAddresses(_ fields: MappingReader, _ key: Key, _ node: YAMLNode) -> [Located<String>]? {
    switch node.content {
    case .scalar:
      return readAddress(node, .key(key)).map { [$0] }
    case .sequence(let nodes):
      if nodes.isEmpty { report(.emptyExpect(key.rawValue, at: node.range)) }
      let addresses = nodes.compactMap { readAddress($0, .element(key)) }
      return addresses.isEmpty || addresses.count < nodes.count ? nil : addresses
    case .mapping:
      reportWrongType(node, fields.rule, key)
      return nil
    }
  }

  private func readNever(_ fields: MappingReader, _ node: YAMLNode) -> StepKind? {
    let duration = fields.duration(.for)
    guard case .mapping(let entries) = node.content else {
      let sources = readAddresses(fields, .never, node)
      return sources.map { .never(NeverSpec(sources: $0.map { ($0, nil) }, duration: duration)) }
    }
    if entries.isEmpty { report(.emptyExpect("never", at: node.range)) }
    var sources: [(source: Located<String>, matcher: MatcherSpec?)] = []
    for entry in entries {
      let source = readAddress(entry)
      let matcher = readEventMatcher(entry.value, entry.key, in: "`never`")
      if let matcher, let source { sources.append((source, matcher)) }
    }
    guard !sources.isEmpty else { return nil }
    return .never(NeverSpec(sources: sources, duration: duration))
  }

  /// Reports an option in the map form, where each key names a source.
  private func hasMisplacedOption(_ entries: YAMLEntries) -> Bool {
    let options = LanguageTable.optionsOfListForm
    if let group = entries.first(where: { $0.key == Key.anyOrder.rawValue }),
      case .sequence = group.value.content
    {
      report(.groupInMap(at: group.keyRange))
      return true
    }
    guard let option = entries.first(where: { options.contains($0.key) }) else { return false }
    let source = entries.first { !options.contains($0.key) }
    report(.misplacedOption(KeyPlace(option), source: source?.key))
    return true
  }

  private func readExpect(_ fields: MappingReader, _ node: YAMLNode) -> StepKind? {
    let within = fields.duration(.within)
    switch node.content {
    case .mapping(let entries):
      guard !hasMisplacedOption(entries) else { return nil }
      let sequences = readSequences(entries, at: node.range)
      return sequences.map { .expect(ExpectSpec(form: .map($0), within: within)) }
    case .sequence(let nodes):
      if nodes.isEmpty { report(.emptyExpect("expect", at: node.range)) }
      let entries = nodes.compactMap { readEntry($0) }
      guard !entries.isEmpty, entries.count == nodes.count else { return nil }
      return .expect(ExpectSpec(form: .list(entries), within: within))
    case .scalar(let scalar):
      let isCondition = scalar.text.contains(byte: UInt8(ascii: " "))
      reportWrongType(
        node, fields.rule, .expect,
        help: isCondition
          ? "write a condition as `- check: \(scalar.text)`"
          : "write `- expect: { \(scalar.text): 1 }`, or `\(scalar.text): { $any: true }`")
      return nil
    }
  }

  private func readSequences(_ entries: YAMLEntries, at range: SourceRange) -> [(
    source: Located<String>, sequence: SequenceSpec
  )]? {
    if entries.isEmpty { report(.emptyExpect("expect", at: range)) }
    var sequences: [(source: Located<String>, sequence: SequenceSpec)] = []
    for entry in entries {
      let source = readAddress(entry)
      if let sequence = readSequence(entry), let source { sequences.append((source, sequence)) }
    }
    return sequences.count == entries.count && !sequences.isEmpty ? sequences : nil
  }

  /// Reads the expected events of a source: a list is a sequence, a map may be a diagram, and
  /// anything else is one event.
  private func readSequence(_ entry: YAMLEntry) -> SequenceSpec? {
    switch entry.value.content {
    case .scalar(let scalar):
      if scalar.text.looksLikeDiagram { report(.diagramAsText(entry.key, entry.value)) }
      return readMatcher(entry.value).map { .events([$0]) }
    case .mapping:
      if marbleKey(of: entry.value) != nil {
        return readExpectedMarble(entry.value, entry.key)
      }
      return readMatcher(entry.value).map { .events([$0]) }
    case .sequence(let nodes):
      if nodes.isEmpty { report(.emptySequence(entry.key, at: entry.value.range)) }
      let matchers = nodes.compactMap {
        readEventMatcher($0, entry.key, in: "a list of events")
      }
      return matchers.isEmpty || matchers.count < nodes.count ? nil : .events(matchers)
    }
  }
}

extension String {
  /// True if it is drawn like events over time: `--a--b|`. Each value of a diagram has one letter.
  fileprivate var looksLikeDiagram: Bool {
    guard let first, "-^(".contains(first), contains("--") || hasSuffix("|") else { return false }
    let outside = split(separator: "(").map { $0.split(separator: ")").last ?? "" }
    return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-|#^()".contains($0)) }
      && contains { $0.isLetter || $0.isNumber }
      && outside.allSatisfy { $0.split { "-|#^".contains($0) }.allSatisfy { $0.count == 1 } }
  }
}
