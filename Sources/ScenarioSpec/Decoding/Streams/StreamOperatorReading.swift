import Diagnostics
import Values
import YAMLSyntax

extension StreamReader {
  /// Reads the operators under `through`; nil if one of them is wrong.
  func readOperators(_ fields: MappingReader) -> [StreamOperatorSpec]? {
    fields.assertShape(.through) { $0 == .streamOperators }
    if let node = fields[.through]?.value, case .mapping = node.content {
      let help = "begin each operator with `- `"
      values.reportWrongType(node, .key(.through), takes: .streamOperators, help: help)
      return nil
    }
    let nodes = fields.elements(.through)
    let operators = nodes.compactMap { readStreamOperator($0) }
    return operators.count == nodes.count ? operators : nil
  }

  private func readStreamOperator(_ node: YAMLNode) -> StreamOperatorSpec? {
    switch node.content {
    case .mapping(let entries): return readOperator(node, entries)
    case .scalar(let scalar) where scalar.isText: return readOperatorWord(scalar, node.range)
    case .scalar, .sequence:
      report(.noStreamOperator(found: node.isNull ? "nothing" : node.kindName, at: node.range))
      return nil
    }
  }

  private func readOperatorWord(_ scalar: YAMLScalar, _ range: SourceRange) -> StreamOperatorSpec? {
    let name = Located(scalar.text, range)
    guard let rule = LanguageTable.streamOperator(named: name.value) else {
      reportUnknownOperator(name, isKey: false)
      return nil
    }
    guard let kind = wordKind(rule.verb.key), rule.isWord else {
      reading.noting(rule.note) {
        report(.missingParameter(of: rule, at: range))
      }
      return nil
    }
    return StreamOperatorSpec(kind: kind, name: name, range: range)
  }

  private func readOperator(_ node: YAMLNode, _ entries: YAMLEntries) -> StreamOperatorSpec? {
    guard let (rule, verb) = findOperator(node, entries) else { return nil }
    let kind = reading.noting(rule.note) { () -> StreamOperatorSpec.Kind? in
      guard let fields = values.open(node, rule.mapping, "") else { return nil }
      return readKind(fields, rule, verb.value)
    }
    return kind.map { StreamOperatorSpec(kind: $0, name: verb.name, range: node.range) }
  }

  private func findOperator(_ node: YAMLNode, _ entries: YAMLEntries)
    -> (StreamOperatorRule, YAMLEntry)?
  {
    var found: (rule: StreamOperatorRule, entry: YAMLEntry)?
    for entry in entries {
      guard let rule = LanguageTable.streamOperator(named: entry.key) else { continue }
      // A verb may stand beside another as its option: `max`.
      if let other = found, other.rule.mapping.rule(named: entry.key) != nil { continue }
      if let other = found, rule.mapping.rule(named: other.entry.key) == nil {
        report(.twoStreamOperators(KeyPlace(other.entry), KeyPlace(entry)))
        return nil
      }
      found = (rule, entry)
    }
    if found == nil { reportNoOperator(node, entries) }
    return found
  }

  private func reportNoOperator(_ node: YAMLNode, _ entries: YAMLEntries) {
    guard let first = entries.first else {
      return report(.noStreamOperator(found: "empty", at: node.range))
    }
    let companions = entries.filter { !LanguageTable.operators(takingBeside: $0.key).isEmpty }
    let unknown = entries.first { entry in !companions.contains { $0.key == entry.key } }
    reportUnknownOperator((unknown ?? first).name, isKey: true)
  }

  private func reportUnknownOperator(_ name: Located<String>, isKey: Bool) {
    let owners = isKey ? LanguageTable.operators(takingBeside: name.value) : []
    let known = LanguageTable.streamOperators.map(\.verb.name)
    let help =
      owners.isEmpty
      ? ForeignOperators.help(for: name.value)
        ?? nearestName(to: name.value, among: known).map { "write `\($0)`" }
      : "`\(name.value)` goes with " + owners.map { "`\($0)`" }.joined(separator: ", ")
    report(.unknownStreamOperator(name.value, help: help, at: name.range))
  }

  /// Returns what an operator does that is its verb alone.
  private func wordKind(_ verb: Key) -> StreamOperatorSpec.Kind? {
    switch verb {
    case .removeDuplicates: .removeDuplicates(by: nil)
    case .first: .first(where: nil)
    case .dropFirst: .dropFirst(Located(1, .none))
    default: StreamOperatorSpec.Plain(rawValue: verb.rawValue).map { .plain($0) }
    }
  }

  private func readKind(_ fields: MappingReader, _ rule: StreamOperatorRule, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    let verb = rule.verb.key
    switch rule.kind {
    case .values: return readValueOperator(fields, verb, node)
    case .counting: return readCountingOperator(fields, verb, node)
    case .time: return readTimeOperator(fields, verb, node)
    case .failures: return readFailureOperator(fields, verb, node)
    case .several: return readSeveralOperator(fields, verb, node)
    case .calls: return readCallOperator(fields, verb, node)
    case .sharing: return readSharingOperator(fields, verb, node)
    }
  }

  private func readValueOperator(_ fields: MappingReader, _ verb: Key, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    switch verb {
    case .map: return fields.expression(verb).map { .map($0) }
    case .filter: return fields.expression(verb).map { .filter($0) }
    case .compactMap: return fields.expression(verb).map { .compactMap($0) }
    case .removeDuplicates: return readRemoveDuplicates(fields, node)
    case .groupBy: return readGroups(fields)
    case .scan, .reduce:
      let initial = fields.data(.initial)
      guard let rule = fields.expression(verb), initial != nil || !fields.has(.initial) else {
        return nil
      }
      return verb == .scan ? .scan(rule, initial: initial) : .reduce(rule, initial: initial)
    case .replaceEmpty: return fields.data(verb).map { .replaceEmpty($0) }
    default: return readPlain(verb, node)
    }
  }

  private func readGroups(_ fields: MappingReader) -> StreamOperatorSpec.Kind? {
    guard let operators = readOperators(fields), let key = fields.expression(.groupBy),
      fields.has(.through)
    else { return nil }
    return .groupBy(key, operators)
  }

  private func readPlain(_ verb: Key, _ node: YAMLNode) -> StreamOperatorSpec.Kind? {
    if node.value == true { return wordKind(verb) }
    report(.unwantedParameter(of: verb, at: node.range))
    return nil
  }

  private func readCountingOperator(_ fields: MappingReader, _ verb: Key, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    switch verb {
    case .first: fields.expression(verb).map { .first(where: $0) }
    case .output: fields.integer(verb).map { .output(at: $0) }
    case .prefix: fields.integer(verb).map { .prefix($0) }
    case .prefixWhile:
      fields.expression(verb).map {
        .prefixWhile($0, inclusive: fields.bool(.inclusive)?.value ?? false)
      }
    case .suffix: fields.integer(verb).map { .keeping(.suffix($0)) }
    case .dropLast: fields.integer(verb).map { .keeping(.dropLast($0)) }
    case .windowed: readWindowed(fields)
    case .collectUntil: fields.address(verb).map { .collectUntil($0) }
    case .prefixUntil: fields.address(verb).map { .prefixUntil($0) }
    case .dropFirst: fields.integer(verb).map { .dropFirst($0) }
    case .dropWhile: fields.expression(verb).map { .dropWhile($0) }
    case .dropUntil: fields.address(verb).map { .dropUntil($0) }
    case .contains: fields.data(verb).map { .contains($0) }
    case .allSatisfy: fields.expression(verb).map { .allSatisfy($0) }
    case .collect: readCollect(fields, node)
    default: readPlain(verb, node)
    }
  }

  /// Reads `collect`: a number is the length of a list, a duration the time for which it is
  /// collected.
  private func readCollect(_ fields: MappingReader, _ node: YAMLNode) -> StreamOperatorSpec.Kind? {
    let every = fields.anyDuration(.every)
    guard fields.has(.every) || node.scalar?.value.isInteger == true else {
      return readGathering(node).map { .collectBy(count: nil, every: $0) }
    }
    guard let count = values.readInteger(node, in: 1...Int.max, .key(.collect)) else { return nil }
    if let every, case .literal(let length) = every, length.value == 0 {
      report(.outOfRange("`every`", takes: Shape.tick.phrase, at: length.range))
      return nil
    }
    return every == nil && fields.has(.every) ? nil : .collectBy(count: count, every: every)
  }

  private func readGathering(_ node: YAMLNode) -> DurationSpec? {
    guard let scalar = node.scalar, scalar.isText else {
      values.reportWrongType(node, .key(.collect), takes: LanguageTable.collectShape)
      return nil
    }
    if scalar.text.holdsExpression { return values.readAnyDuration(node, .key(.collect)) }
    return values.readTick(node, .key(.collect)).map { .literal($0) }
  }

  private func readWindowed(_ fields: MappingReader) -> StreamOperatorSpec.Kind? {
    let step = fields.integer(.step)
    guard let length = fields.integer(.windowed), step != nil || !fields.has(.step) else {
      return nil
    }
    return .keeping(.windowed(length, step: step))
  }

  private func readRemoveDuplicates(_ fields: MappingReader, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    guard case .mapping = node.content else {
      return values.readExpression(node, .key(.removeDuplicates)).map { .removeDuplicates(by: $0) }
    }
    return values.open(node, LanguageTable.comparer, "`removeDuplicates`")
      .flatMap { $0.expression(.when) }.map { .keeping(.removeDuplicates(when: $0)) }
  }

  /// Reads an interval or the name of a source, which begins with no digit.
  private func readSignal(_ node: YAMLNode) -> SignalSpec? {
    let isTime = node.text.map { $0.holdsExpression || $0.first?.isNumber == true } ?? true
    if isTime { return readTime(node, .sample).map { .every($0) } }
    return values.readAddress(node, .key(.sample)).map { .source($0) }
  }

  private func readTime(_ node: YAMLNode, _ key: Key) -> DurationSpec? {
    if node.text?.holdsExpression == true { return values.readAnyDuration(node, .key(key)) }
    return values.readTick(node, .key(key)).map { .literal($0) }
  }

  private func readTimeOperator(_ fields: MappingReader, _ verb: Key, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    if verb == .sample { return readSignal(node).map { .sample($0) } }
    guard let time = fields.anyDuration(verb) else { return nil }
    switch verb {
    case .debounce:
      return .debounce(time, flush: fields.bool(.flush)?.value ?? false)
    case .throttle: return .throttle(time, readTrailing(fields))
    case .audit: return .audit(time)
    case .delay: return .delay(time)
    case .timeout: return readTimeout(fields, time)
    default: return nil
    }
  }

  private func readTrailing(_ fields: MappingReader) -> StreamOperatorSpec.Trailing {
    if fields.bool(.trailing)?.value == false { return .none }
    return fields.bool(.latest)?.value == false ? .first : .latest
  }

  private func readTimeout(_ fields: MappingReader, _ time: DurationSpec)
    -> StreamOperatorSpec.Kind?
  {
    let onlyFirst = fields.bool(.first)?.value ?? false
    let end: TimeoutEndSpec?
    if fields.has(.fallback) {
      end = fields.address(.fallback).map { .fallback($0) }
    } else if fields.has(.error) {
      end = fields.data(.error).map { .failure($0) }
    } else {
      end = .completion
    }
    return end.map { .timeout(time, $0, onlyFirst: onlyFirst) }
  }

  private func readRetry(_ node: YAMLNode) -> StreamOperatorSpec.Kind? {
    guard case .mapping = node.content else {
      return values.readInteger(node, in: 0...Int.max, .key(.retry)).map { .retry($0) }
    }
    guard let fields = values.open(node, LanguageTable.streamRetry, "`retry`") else { return nil }
    var policy = RetryPolicySpec(range: fields.range)
    policy.maxAttempts = fields.integer(.maxAttempts)
    policy.initialDelay = fields.tick(.initialDelay)
    policy.maxDelay = fields.tick(.maxDelay)
    policy.multiplier = fields.number(.multiplier)
    policy.jitter = fields.number(.jitter)
    return .retryLater(policy)
  }

  private func readFailureOperator(_ fields: MappingReader, _ verb: Key, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    switch verb {
    case .retry: readRetry(node)
    case .catch: fields.address(verb).map { .catch($0) }
    case .replaceError: fields.data(verb).map { .replaceError($0) }
    case .mapError: fields.expression(verb).map { .mapError($0) }
    default: nil
    }
  }

  private func readSharingOperator(_ fields: MappingReader, _ verb: Key, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    guard verb == .buffer else { return readPlain(verb, node) }
    let policy = fields.word(.whenFull)
    if let other = node.text, node.scalar?.isText == true {
      let verb = other.first?.isNumber == true ? "collect" : "collectUntil"
      values.reportWrongType(
        node, .key(.buffer), takes: .integer(1...Int.max),
        help: "write `\(verb): \(other)` for lists of values")
      return nil
    }
    guard let size = fields.integer(.buffer), policy != nil || !fields.has(.whenFull) else {
      return nil
    }
    let whenFull = policy.flatMap { StreamOperatorSpec.WhenFull(rawValue: $0.value) }
    return .buffer(size: size, whenFull: whenFull ?? .dropNewest)
  }
}

// MARK: - operators that bring others in

extension StreamReader {
  private func readSeveralOperator(_ fields: MappingReader, _ verb: Key, _ node: YAMLNode)
    -> StreamOperatorSpec.Kind?
  {
    switch verb {
    case .prepend:
      readOther(node).map { .prependStream($0) } ?? readItems(node, verb).map { .prepend($0) }
    case .append:
      readOther(node).map { .appendStream($0) } ?? readItems(node, verb).map { .append($0) }
    case .merge: readInputs(node, verb).map { .merge($0) }
    case .combineLatest: readInputs(node, verb).map { .combineLatest($0) }
    case .zip: readInputs(node, verb).map { .zip($0) }
    case .withLatest: readInput(node, .key(verb)).map { .withLatest($0) }
    default: nil
    }
  }

  /// Reads `{ stream: name }`, the values of another stream.
  private func readOther(_ node: YAMLNode) -> Located<String>? {
    guard let entries = node.entries, entries.count == 1, let only = entries.first,
      only.key == Key.stream.rawValue
    else { return nil }
    return values.readAddress(only.value, .key(.stream))
  }

  /// Reads a list of values, or a single one.
  private func readItems(_ node: YAMLNode, _ verb: Key) -> [DataSpec]? {
    if node.scalar?.isAbsent == true {
      values.reportWrongType(node, .key(verb), takes: .value)
      return nil
    }
    guard case .sequence(let nodes) = node.content else {
      return values.readData(node).map { [$0] }
    }
    let items = nodes.compactMap { values.readData($0) }
    return items.count == nodes.count ? items : nil
  }
}

extension StreamOperatorRule {
  fileprivate var note: Diagnostic.Fact { .init("signature", forms.joined(separator: "   ")) }
}

extension LanguageTable {
  /// Returns the operators that take this key beside their verb.
  static func operators(takingBeside key: String) -> [String] {
    streamOperators.filter { rule in
      rule.mapping.keys.contains { $0.name == key && $0 !== rule.verb }
    }.map(\.verb.name)
  }

  fileprivate static let collectShape =
    streamOperator(named: Key.collect.rawValue)?.verb.shape ?? .value
}

extension Value {
  fileprivate var isInteger: Bool { if case .int = self { true } else { false } }
}
