import Values
import YAMLSyntax

/// An operator that is being read, such as `{ debounce: 1s, flush: true }`.
///
/// Each property reads one kind of parameter; nil after it has reported what is wrong.
struct OperatorReading {
  let reader: DocumentReader
  let fields: MappingReader
  let rule: StreamOperatorRule
  /// The value of the verb.
  let node: YAMLNode

  private var verb: Key { rule.verb.key }

  // MARK: - the value of the verb

  var expression: ExpressionText? { fields.expression(verb) }
  var data: DataSpec? { fields.data(verb) }
  var number: Int? { fields.integer(verb)?.value }
  var source: Located<String>? { fields.address(verb) }
  var time: DurationSpec? { fields.anyDuration(verb) }
  var input: InputSpec? { reader.readInput(node, .key(verb)) }
  var inputs: [InputSpec]? { reader.readInputs(node, verb) }

  /// The operator if the value of the verb is `true`.
  var flag: StreamOperator<Written>? {
    if node.value == true { return rule.word }
    reader.report(.unwantedParameter(of: verb, at: node.range))
    return nil
  }

  // MARK: - keys beside the verb

  /// Returns whether a key beside the verb is true; without it, it is not.
  func holds(_ key: Key) -> Bool { fields.bool(key)?.value ?? false }

  var trailing: TrailingValue {
    if fields.bool(.trailing)?.value == false { return .none }
    return fields.bool(.latest)?.value == false ? .first : .latest
  }

  // MARK: - whole operators

  func folded(_ make: (ExpressionText, DataSpec?) -> StreamOperator<Written>)
    -> StreamOperator<Written>?
  {
    let initial = fields.data(.initial)
    guard let rule = expression, initial != nil || !fields.has(.initial) else { return nil }
    return make(rule, initial)
  }

  var groups: StreamOperator<Written>? {
    guard let operators = reader.readOperators(fields), let key = expression,
      fields.has(.through)
    else { return nil }
    return .groupBy(key, operators)
  }

  var removeDuplicates: StreamOperator<Written>? {
    guard case .mapping = node.content else {
      return reader.readExpression(node, .key(verb)).map { .removeDuplicates(by: $0) }
    }
    return reader.open(node, LanguageTable.comparer, "`removeDuplicates`")
      .flatMap { $0.expression(.when) }.map { .keeping(.removeDuplicates(when: $0)) }
  }

  var windowed: StreamOperator<Written>? {
    let step = fields.integer(.step)
    guard let length = number, step != nil || !fields.has(.step) else { return nil }
    return .keeping(.windowed(length, step: step?.value ?? 1))
  }

  /// A number is the length of a list, a duration the time for which it is collected.
  var collect: StreamOperator<Written>? {
    let every = fields.anyDuration(.every)
    guard fields.has(.every) || node.scalar?.value.isInteger == true else {
      return gathering.map { .collectBy(count: nil, every: $0) }
    }
    guard let count = reader.readInteger(node, in: 1...Int.max, .key(verb)) else { return nil }
    if let every, case .literal(let length) = every, length.value == 0 {
      reader.report(.outOfRange("`every`", takes: Shape.tick.phrase, at: length.range))
      return nil
    }
    return every == nil && fields.has(.every) ? nil : .collectBy(count: count.value, every: every)
  }

  private var gathering: DurationSpec? {
    guard let scalar = node.scalar, scalar.isText else {
      reader.reportWrongType(node, .key(verb), takes: rule.verb.shape)
      return nil
    }
    return interval
  }

  /// A time above zero.
  private var interval: DurationSpec? {
    if node.text?.holdsExpression == true { return reader.readAnyDuration(node, .key(verb)) }
    return reader.readTick(node, .key(verb)).map { .literal($0) }
  }

  /// An interval, or the name of a source, which begins with no digit.
  var sample: StreamOperator<Written>? {
    let isTime = node.text.map { $0.holdsExpression || $0.first?.isNumber == true } ?? true
    if isTime { return interval.map { .sample(.every($0)) } }
    return reader.readAddress(node, .key(verb)).map { .sample(.source($0)) }
  }

  var timeout: StreamOperator<Written>? {
    guard let time else { return nil }
    let onlyFirst = holds(.first)
    let end: TimeoutEnd<Written>?
    if fields.has(.fallback) {
      end = fields.address(.fallback).map { .fallback($0) }
    } else if fields.has(.error) {
      end = fields.data(.error).map { .failure($0) }
    } else {
      end = .completion
    }
    return end.map { .timeout(time, $0, onlyFirst: onlyFirst) }
  }

  var retry: StreamOperator<Written>? {
    guard case .mapping = node.content else {
      return reader.readInteger(node, in: 0...Int.max, .key(verb)).map { .retry($0.value) }
    }
    guard let fields = reader.open(node, LanguageTable.streamRetry, "`retry`") else { return nil }
    var policy = RetryPolicySpec(range: fields.range)
    policy.maxAttempts = fields.integer(.maxAttempts)
    policy.initialDelay = fields.tick(.initialDelay)
    policy.maxDelay = fields.tick(.maxDelay)
    policy.multiplier = fields.number(.multiplier)
    policy.jitter = fields.number(.jitter)
    return .retryLater(policy)
  }

  var buffer: StreamOperator<Written>? {
    let policy = fields.word(.whenFull)
    if let other = node.text, node.scalar?.isText == true {
      let verb = other.first?.isNumber == true ? "collect" : "collectUntil"
      reader.reportWrongType(
        node, .key(.buffer), takes: .integer(1...Int.max),
        help: "write `\(verb): \(other)` for lists of values")
      return nil
    }
    guard let size = number, policy != nil || !fields.has(.whenFull) else { return nil }
    let whenFull = policy.flatMap { WhenFull(rawValue: $0.value) }
    return .buffer(size: size, whenFull: whenFull ?? .dropNewest)
  }

  /// Reads a value, a list of them, or `{ stream: name }`, the values of another stream.
  func values(
    _ make: ([DataSpec]) -> StreamOperator<Written>,
    orThoseOf other: (Located<String>) -> StreamOperator<Written>
  ) -> StreamOperator<Written>? {
    if let entries = node.entries, entries.count == 1, let only = entries.first,
      only.key == Key.stream.rawValue,
      let stream = reader.readAddress(only.value, .key(.stream))
    {
      return other(stream)
    }
    if node.scalar?.isAbsent == true {
      reader.reportWrongType(node, .key(verb), takes: .value)
      return nil
    }
    guard case .sequence(let nodes) = node.content else {
      return reader.readData(node).map { make([$0]) }
    }
    let items = nodes.compactMap { reader.readData($0) }
    return items.count == nodes.count ? make(items) : nil
  }
}

extension Value {
  fileprivate var isInteger: Bool { if case .int = self { true } else { false } }
}
