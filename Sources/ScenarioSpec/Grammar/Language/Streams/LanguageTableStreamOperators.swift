/// The operators of one stream.
extension LanguageTable {
  static let valueOperators: [StreamOperatorRule] = [
    .of(
      .values, .map, .expression, "Makes this of each value.", example: "value * 2", emits: .results
    ) { $0.expression.map { .map($0) } },
    .of(
      .values, .filter, .expression, "Only values of which this holds.", example: "value > 3",
      emits: .same
    ) { $0.expression.map { .filter($0) } },
    .of(
      .values, .compactMap, .expression, "Makes this of each value, and leaves out what is null.",
      example: "value.?name.orValue(null)", emits: .results
    ) { $0.expression.map { .compactMap($0) } },
    StreamOperatorRule(
      .values,
      KeyRule(
        .removeDuplicates, .anyOf([.expression, .mapping(.comparer)]),
        "Leaves out a value equal to the one before, or of which this expression gives the same.",
        example: "value.id", required: true), word: .removeDuplicates(by: nil),
      forms: [
        "removeDuplicates", "removeDuplicates: value.id",
        "removeDuplicates: { when: value - before < 2 }",
      ], emits: .same, read: \.removeDuplicates),
    StreamOperatorRule(
      .values,
      KeyRule(
        .groupBy, .expression, "Groups the values by this key and merges the output of all groups.",
        example: "value.symbol", required: true),
      with: [
        KeyRule(
          .through, .streamOperators,
          "The operators, which run for each key by themselves from its first value on. In their "
            + "expressions, `key` is that key.",
          example: "[removeDuplicates, { debounce: 1s }]", required: true)
      ], forms: ["{ groupBy: value.symbol, through: [removeDuplicates] }"], read: \.groups),
    fold(.scan, "Computes each result from `value` and `result`, which is the result before.") {
      .scan($0, initial: $1)
    },
    fold(.reduce, "Goes on from `result`, and gives the last result at the end.") {
      .reduce($0, initial: $1)
    },
    .word(.values, .flatten, .flatten, "The elements of each list, one after the other."),
    .of(
      .values, .replaceEmpty, .value, "A value for a stream that ends without any.",
      example: "none"
    ) { $0.data.map { .replaceEmpty($0) } },
    .word(
      .values, .measureInterval, .measureInterval,
      "The time since the value before, in place of each value."),
  ]

  static let timeOperators: [StreamOperatorRule] = [
    StreamOperatorRule(
      .time,
      KeyRule(
        .debounce, .anyDuration, "The latest value, if no other one comes for this time.",
        example: "1s", required: true),
      with: [
        KeyRule(
          .flush, .bool, "Whether a value that waits is given at the end; the default is `false`.",
          example: "true")
      ], forms: ["debounce: 1s", "{ debounce: 1s, flush: true }"], emits: .same,
      read: { entry in entry.time.map { .debounce($0, flush: entry.holds(.flush)) } }),
    StreamOperatorRule(
      .time,
      KeyRule(
        .throttle, .anyDuration, "The first value at once, then at most one in each interval.",
        example: "1s", required: true),
      with: [
        KeyRule(
          .latest, .bool,
          "Whether it is the latest of its time or the first; the default is `true`.",
          example: "false"),
        KeyRule(
          .trailing, .bool,
          "Whether a value of an interval is given at its end; the default is `true`.",
          example: "false"),
      ], atMostOneOf: [[.latest, .trailing]],
      forms: [
        "throttle: 1s", "{ throttle: 1s, latest: false }", "{ throttle: 1s, trailing: false }",
      ], emits: .same, read: { entry in entry.time.map { .throttle($0, entry.trailing) } }),
    .of(
      .time, .audit, .anyDuration,
      "The latest value this time after the first of them; then the next value begins again.",
      example: "1s", emits: .same
    ) { $0.time.map { .audit($0) } },
    StreamOperatorRule(
      .time,
      KeyRule(
        .sample, .anyOf([.anyDuration, .address]),
        "The latest value, if there is a new one: in such intervals, or whenever a source emits.",
        example: "1s", required: true),
      forms: ["sample: 1s", "sample: asked"], follows: .after, read: \.sample),
    .of(
      .time, .delay, .anyDuration, "Delays everything by this time.", example: "200ms",
      emits: .same
    ) { $0.time.map { .delay($0) } },
    timeout,
  ]

  private static let timeout = StreamOperatorRule(
    .time,
    KeyRule(
      .timeout, .anyDuration, "Ends the stream if no value comes for this time.", example: "5s",
      required: true),
    with: [
      KeyRule(
        .error, .value, "What the stream then fails with; without it, it completes.",
        example: "too late"),
      KeyRule(
        .fallback, .address, "The stream that it goes on with then, in place of its end.",
        example: "cached"),
      KeyRule(
        .first, .bool,
        "Whether only the first value has to come in this time; the default is `false`.",
        example: "true"),
    ], atMostOneOf: [[.error, .fallback]],
    forms: [
      "timeout: 5s", "{ timeout: 5s, error: too late }", "{ timeout: 5s, fallback: cached }",
      "{ timeout: 5s, first: true }",
    ], read: \.timeout)

  static let failureOperators: [StreamOperatorRule] = [
    StreamOperatorRule(
      .failures,
      KeyRule(
        .retry, .anyOf([fromZero, .mapping(.streamRetry)]),
        "Subscribes again after a failure: at once, at most this many times, or after pauses.",
        example: "2", required: true),
      forms: ["retry: 2", "retry: { maxAttempts: 5, initialDelay: 1s }"], emits: .same,
      follows: .again, read: \.retry),
    .of(
      .failures, .catch, .address, "Goes on with another stream after a failure.",
      example: "cached"
    ) { $0.source.map { .catch($0) } },
    .of(
      .failures, .replaceError, .value,
      "A value in place of a failure, then the end; `error` is in scope.", example: "none"
    ) { $0.data.map { .replaceError($0) } },
    .of(
      .failures, .mapError, .expression, "Fails with this instead; `error` is in scope.",
      example: "error.reason", emits: .same
    ) { $0.expression.map { .mapError($0) } },
  ]

  static let fromZero = Shape.integer(0...Int.max)

  private static func fold(
    _ verb: Key, _ text: String,
    _ make: @escaping @Sendable (ExpressionText, DataSpec?) -> StreamOperator<Written>
  ) -> StreamOperatorRule {
    let name = verb.rawValue
    return StreamOperatorRule(
      .values, KeyRule(verb, .expression, text, example: "result + value", required: true),
      with: [
        KeyRule(
          .initial, .value, "The result before the first value; without it, the first value is.",
          example: "0")
      ], forms: ["\(name): result + value", "{ \(name): result + value, initial: 0 }"],
      read: { $0.folded(make) })
  }
}
