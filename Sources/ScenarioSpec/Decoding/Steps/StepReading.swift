import Diagnostics
import YAMLSyntax

extension DocumentReader {
  /// Reads what a step does, by its verb.
  func readKind(
    _ fields: MappingReader, _ rule: StepRule, _ verb: YAMLEntry, _ context: ScriptContext
  ) -> StepKind? {
    switch rule.kind {
    case .acting: readActing(fields, rule.verb.key, verb.value, context)
    case .structure: readStructure(fields, rule.verb.key, verb.value, context)
    case .asserting: readAsserting(fields, rule.verb.key, verb.value, context)
    case .answering: readAnswering(rule.verb.key, verb.value, context.place)
    }
  }

  private func readActing(
    _ fields: MappingReader, _ verb: Key, _ node: YAMLNode, _ context: ScriptContext
  ) -> StepKind? {
    switch verb {
    case .set: return readSet(fields)
    case .transaction:
      var inner = context
      inner.isInTransaction = true
      return fields.script(.transaction, in: inner).map { .transaction($0) }
    case .send: return readSend(fields, node, context)
    case .terminate: return readAddresses(fields, .terminate, node).map { .terminate($0) }
    case .network: return readNetwork(node).map { .network($0) }
    case .suspend: return readSuspension(fields, node)
    case .request: return readExchange(node).map { .request($0) }
    case .connect: return readAddresses(fields, .connect, node).map { .connect($0) }
    case .disconnect: return readAddresses(fields, .disconnect, node).map { .disconnect($0) }
    case .serve: return readServe(fields, node)
    case .refresh: return fields.address(.refresh).map { .refresh($0) }
    case .sql: return readSQL(node, fields.rule).map { .sql($0) }
    case .load: return readLoad(fields)
    case .emit: return readEmit(node)
    case .fail: return node.isNull ? .fail(nil) : fields.data(.fail).map { .fail($0) }
    default: return nil
    }
  }

  private func readSuspension(_ fields: MappingReader, _ node: YAMLNode) -> StepKind? {
    let length = readAnyDuration(node, .key(.suspend))
    let timers = fields.word(.timers)
    guard let length, timers != nil || !fields.has(.timers) else { return nil }
    return .suspend(length, timersAreDue: timers != nil)
  }

  private func readAnswering(_ verb: Key, _ node: YAMLNode, _ place: Place) -> StepKind? {
    switch verb {
    case .respond: return readAnswer(node).map { .respond($0) }
    case .receive:
      // As with `accept: {}`, nothing is required of it, of whatever kind it is.
      if case .mapping(let entries) = node.content, entries.isEmpty {
        return .receive(MatcherSpec(.operators([]), node.range))
      }
      return readMatcher(node).map { .receive($0) }
    case .drop, .stall, .reset:
      guard readFlag(node, .key(verb)) else { return nil }
      return wordStep(verb, at: node.range, place)
    default: return readAct(verb, node, at: place).map { .act($0) }
    }
  }

  /// Makes a step of its verb alone: an answer to a request, or an action on a connection.
  func wordStep(_ verb: Key, at range: SourceRange, _ place: Place) -> StepKind? {
    if place == .endpoint, verb != .reset {
      return .respond(AnswerSpec(kind: verb == .drop ? .drop : .stall, range: range))
    }
    return ServerActSpec(word: verb.rawValue).map { .act($0) }
  }

  /// Reads a map of at least one entry. All entries must be readable.
  private func readAll<Part>(
    _ fields: MappingReader, _ key: Key, _ read: (YAMLEntry) -> Part?
  ) -> [Part]? {
    guard let node = fields[key]?.value else { return nil }
    if node.entries?.isEmpty == true { report(.emptyMap("`\(key.rawValue)`", at: node.range)) }
    let entries = fields.entries(key)
    let parts = entries.compactMap(read)
    return parts.isEmpty || parts.count < entries.count ? nil : parts
  }

  private func readSet(_ fields: MappingReader) -> StepKind? {
    let writes = readAll(fields, .set) { entry in
      let place = readPlace(entry)
      let value = readData(entry.value)
      return place.flatMap { place in
        value.map { WriteSpec(address: place.address, path: place.path, value: $0) }
      }
    }
    return writes.map { .set($0) }
  }

  private func readSend(
    _ fields: MappingReader, _ node: YAMLNode, _ context: ScriptContext
  ) -> StepKind? {
    guard let isAwaited = readAwait(fields, context) else { return nil }
    if case .scalar = node.content {
      return readAddress(node, .key(.send)).map {
        .send([(target: $0, payload: nil)], isAwaited: isAwaited)
      }
    }
    let sends = readAll(fields, .send) { entry -> (target: Located<String>, payload: DataSpec?)? in
      let target = readAddress(entry)
      let payload = readData(entry.value)
      return target.flatMap { target in payload.map { (target: target, payload: $0) } }
    }
    return sends.map { .send($0, isAwaited: isAwaited) }
  }

  /// Reads whether a step waits for what it sends; nil if it must not.
  private func readAwait(_ fields: MappingReader, _ context: ScriptContext) -> Bool? {
    guard let entry = fields[.awaited] else { return false }
    guard fields.rule.rule(for: .awaited)?.belongs(in: context.place) == true else {
      report(.misplacedAwait(in: context.place, at: entry.keyRange))
      return nil
    }
    guard !context.isInTransaction else {
      report(.awaitInTransaction(at: entry.keyRange))
      return nil
    }
    return readFlag(entry.value, .key(.awaited)) ? true : nil
  }

  private func readLoad(_ fields: MappingReader) -> StepKind? {
    typealias Load = (field: Located<String>, provider: Located<String>, with: [NamedData])
    let loads = readAll(fields, .load) { entry -> Load? in
      let field = readAddress(entry)
      guard case .mapping = entry.value.content else {
        let provider = readAddress(entry.value, .entry(entry.key, of: .load))
        return field.flatMap { field in provider.map { (field, $0, []) } }
      }
      guard let call = open(entry.value, LanguageTable.loadCall, "a load") else {
        return nil
      }
      let with = call.namedData(.with)
      guard let field, let provider = call.address(.provider) else { return nil }
      return (field, provider, with)
    }
    return loads.map { .load($0) }
  }

  private func readEmit(_ node: YAMLNode) -> StepKind? {
    guard case .mapping(let entries) = node.content else {
      guard let scalar = node.scalar, scalar.isText, !scalar.text.isEmpty else {
        reportWrongType(
          node, .key(.emit), takes: .anyOf([.eventName, .single(.text, .value)]))
        return nil
      }
      return .emit(name: Located(scalar.text, node.range), payload: nil)
    }
    guard let entry = readOnlyEntry(entries, .emit, at: node.range) else { return nil }
    return readData(entry.value).map { .emit(name: entry.name, payload: $0) }
  }

  /// Returns the entry of a map that must have exactly one.
  func readOnlyEntry(_ entries: YAMLEntries, _ key: Key, at range: SourceRange) -> YAMLEntry? {
    if let entry = entries.first, entries.count == 1 { return entry }
    report(
      entries.isEmpty
        ? .emptyMap("`\(key.rawValue)`", at: range)
        : .severalEntries("`\(key.rawValue)`", at: entries.dropFirst().first?.keyRange ?? range))
    return nil
  }
}
