import Values
import YAMLSyntax

extension DocumentReader {
  func readInvariants(_ fields: MappingReader) -> [InvariantSpec] {
    fields.elements(.invariants).compactMap { node in
      let subject = ValueSubject.element(.invariants).text
      guard let parts = open(node, LanguageTable.invariant, subject),
        let (key, entry) = parts.first(of: LanguageTable.invariant.exactlyOneOf[0])
      else { return nil }
      let kind = readKind(key, entry.value, parts)
      return kind.map { InvariantSpec(kind: $0, verb: entry.name, range: node.range) }
    }
  }

  private func readKind(
    _ key: Key, _ node: YAMLNode, _ parts: MappingReader
  ) -> InvariantSpec.Kind? {
    if key == .always { return parts.expression(key).map { .always($0) } }
    if key == .never { return parts.expression(key).map { .never($0) } }
    guard case .mapping(let name)? = LanguageTable.invariant.rule(for: key)?.shape,
      let rule = LanguageTable.mapping(name),
      let fields = open(node, rule, "`\(key.rawValue)`")
    else { return nil }
    if key == .leadsTo { return readLeadsTo(fields) }
    if key == .precededBy { return readPrecededBy(fields) }
    if key == .between { return readBetween(fields) }
    return key == .unchanged ? readUnchanged(fields) : readCount(fields)
  }

  private func readLeadsTo(_ fields: MappingReader) -> InvariantSpec.Kind? {
    let when = readSourceMatchers(fields, .when)
    let then = readSourceMatchers(fields, .then)
    let within = fields.duration(.within)
    guard let when, let then, within != nil || !fields.has(.within) else { return nil }
    return .leadsTo(when: when, then: then, within: within)
  }

  private func readPrecededBy(_ fields: MappingReader) -> InvariantSpec.Kind? {
    let when = readSourceMatchers(fields, .when)
    let once = readSourceMatchers(fields, .once)
    let within = fields.duration(.within)
    guard let when, let once, within != nil || !fields.has(.within) else { return nil }
    return .precededBy(when: when, once: once, within: within)
  }

  private func readBetween(_ fields: MappingReader) -> InvariantSpec.Kind? {
    let when = readSourceMatchers(fields, .when)
    let until = readSourceMatchers(fields, .until)
    let forbidden = readSourceMatchers(fields, .never)
    let condition = fields.has(.always) ? fields.expression(.always) : nil
    guard let when, let until else { return nil }
    if let condition { return .betweenAlways(when: when, until: until, condition: condition) }
    return forbidden.map { .between(when: when, until: until, forbidden: $0) }
  }

  private func readUnchanged(_ fields: MappingReader) -> InvariantSpec.Kind? {
    let of = fields.expression(.of)
    let condition = fields.expression(.while)
    let when = fields.has(.when) ? readSourceMatchers(fields, .when) : []
    guard let of, let condition, let when else { return nil }
    return .unchanged(of: of, while: condition, when: when)
  }

  private func readCount(_ fields: MappingReader) -> InvariantSpec.Kind? {
    let when = readSourceMatchers(fields, .when)
    let limits = EventCountSpec(
      per: fields.tick(.per)?.value, atMost: fields.integer(.atMost)?.value,
      atLeast: fields.integer(.atLeast)?.value)
    return when.map { .count(when: $0, limits) }
  }

  /// Reads when a trace is complete.
  func readCompletion(_ fields: MappingReader) -> CompletionSpec? {
    guard let entry = fields[.complete],
      let parts = open(entry.value, LanguageTable.completion, "`complete`")
    else { return nil }
    let when = parts.has(.when) ? readSourceMatchers(parts, .when) : []
    let quiet = parts.duration(.quiet)?.value
    guard parts.has(.when) || parts.has(.quiet) else {
      report(.missingKey([.when, .quiet], in: parts.rule, at: parts.place))
      return nil
    }
    return when.map {
      CompletionSpec(when: $0, quiet: quiet, verb: entry.name, range: entry.value.range)
    }
  }

  private func readSourceMatchers(_ fields: MappingReader, _ key: Key) -> [SourceMatcherSpec]? {
    guard let node = fields[key]?.value else { return nil }
    if node.entries?.isEmpty == true { report(.emptyMap("`\(key.rawValue)`", at: node.range)) }
    let entries = fields.entries(key)
    let subject = fields.rule.name == .completion ? "`complete`" : "`\(fields.rule.key)`"
    let matchers = entries.compactMap { entry -> SourceMatcherSpec? in
      let source = readAddress(entry)
      let matcher = readEventMatcher(entry.value, entry.key, in: subject)
      guard let source, let matcher else { return nil }
      return SourceMatcherSpec(source: source, matcher: matcher)
    }
    return matchers.isEmpty || matchers.count < entries.count ? nil : matchers
  }
}

extension MappingRule {
  /// The key of an invariant under which this mapping stands.
  fileprivate var key: String {
    LanguageTable.invariant.keys.first { $0.shape == .mapping(name) }?.name ?? title
  }
}
