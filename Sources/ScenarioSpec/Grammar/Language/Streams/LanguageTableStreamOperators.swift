/// The operators of one stream.
extension LanguageTable {
  static let valueOperators: [StreamOperatorRule] = [
    .of(.values, .map, .expression, "Makes this of each value.", example: "value * 2"),
    .of(.values, .filter, .expression, "Only values of which this holds.", example: "value > 3"),
    .of(
      .values, .compactMap, .expression, "Makes this of each value, and leaves out what is null.",
      example: "value.?name.orValue(null)"),
    StreamOperatorRule(
      .values,
      KeyRule(
        .removeDuplicates, .expression,
        "Leaves out a value equal to the one before, or of which this expression gives the same.",
        example: "value.id", required: true), isWord: true,
      forms: ["removeDuplicates", "removeDuplicates: value.id"]),
    fold(.scan, "Computes each result from `value` and `result`, which is the result before."),
    fold(.reduce, "Goes on from `result`, and gives the last result at the end."),
    .word(.values, .flatten, "The elements of each list, one after the other."),
    .of(
      .values, .replaceEmpty, .value, "A value for a stream that ends without any.",
      example: "none"),
    .word(.values, .measureInterval, "The time since the value before, in place of each value."),
  ]

  static let countingOperators: [StreamOperatorRule] = [
    .word(.counting, .count, "The number of values, at the end."),
    .word(.counting, .min, "The least value, at the end."),
    .word(.counting, .max, "The greatest value, at the end."),
    StreamOperatorRule(
      .counting,
      KeyRule(
        .first, .expression, "The first value, or the first of which this holds; then the end.",
        example: "value > 3", required: true), isWord: true, forms: ["first", "first: value > 3"]),
    .word(.counting, .last, "The last value, at the end."),
    .of(
      .counting, .output, fromZero, "The value at this place, counted from 0; then the end.",
      example: "2"),
    .of(.counting, .prefix, fromZero, "So many values, and then the end.", example: "3"),
    .of(
      .counting, .prefixWhile, .expression, "Values as long as this holds, and then the end.",
      example: "value < 10"),
    .of(
      .counting, .prefixUntil, .address, "Values until this source emits, and then the end.",
      example: "stop"),
    StreamOperatorRule(
      .counting,
      KeyRule(
        .dropFirst, fromZero, "Leaves out the first value, or so many.", example: "2",
        required: true), isWord: true, forms: ["dropFirst", "dropFirst: 2"]),
    .of(
      .counting, .dropWhile, .expression, "Leaves out values as long as this holds.",
      example: "value < 10"),
    .of(
      .counting, .dropUntil, .address, "Leaves out values until this source emits.",
      example: "start"),
    .word(.counting, .ignoreOutput, "Leaves out all values; only the end and failures pass."),
    .of(
      .counting, .contains, .value, "Whether this value comes: `true` at once, `false` at the end.",
      example: "3"),
    .of(
      .counting, .allSatisfy, .expression,
      "Whether this holds of all values: `false` at once, `true` at the end.",
      example: "value > 0"),
    StreamOperatorRule(
      .counting,
      KeyRule(
        .collect, .anyOf([.integer(1...Int.max), .anyDuration]),
        "All values as one list at the end, or lists of so many, or of what came in such a time.",
        example: "3", required: true),
      with: [
        KeyRule(
          .every, .anyDuration,
          "The time after which a list that is not full is given all the same.",
          example: "1s")
      ], isWord: true,
      forms: ["collect", "collect: 3", "collect: 1s", "{ collect: 3, every: 1s }"]),
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
      ], forms: ["debounce: 1s", "{ debounce: 1s, flush: true }"]),
    StreamOperatorRule(
      .time,
      KeyRule(
        .throttle, .anyDuration, "The first value at once, then at most one in each interval.",
        example: "1s", required: true),
      with: [
        KeyRule(
          .latest, .bool,
          "Whether it is the latest of its time or the first; the default is `true`.",
          example: "false")
      ], forms: ["throttle: 1s", "{ throttle: 1s, latest: false }"]),
    .of(.time, .delay, .anyDuration, "Delays everything by this time.", example: "200ms"),
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
    ])

  static let failureOperators: [StreamOperatorRule] = [
    StreamOperatorRule(
      .failures,
      KeyRule(
        .retry, .anyOf([fromZero, .mapping(.streamRetry)]),
        "Subscribes again after a failure: at once, at most this many times, or after pauses.",
        example: "2", required: true),
      forms: ["retry: 2", "retry: { maxAttempts: 5, initialDelay: 1s }"]),
    .of(
      .failures, .catch, .address, "Goes on with another stream after a failure.",
      example: "cached"),
    .of(
      .failures, .replaceError, .value,
      "A value in place of a failure, then the end; `error` is in scope.", example: "none"),
    .of(
      .failures, .mapError, .expression, "Fails with this instead; `error` is in scope.",
      example: "error.reason"),
  ]

  private static let fromZero = Shape.integer(0...Int.max)

  private static func fold(_ verb: Key, _ text: String) -> StreamOperatorRule {
    let name = verb.rawValue
    return StreamOperatorRule(
      .values, KeyRule(verb, .expression, text, example: "result + value", required: true),
      with: [
        KeyRule(
          .initial, .value, "The result before the first value; without it, the first value is.",
          example: "0")
      ], forms: ["\(name): result + value", "{ \(name): result + value, initial: 0 }"])
  }
}
