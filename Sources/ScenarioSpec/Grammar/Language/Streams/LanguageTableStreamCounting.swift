import TextSearch

/// The operators of a stream that count its values, and take some of them.
extension LanguageTable {
  static let countingOperators: [StreamOperatorRule] = [
    .word(.counting, .count, .count, "The number of values, at the end."),
    .word(.counting, .min, .min, "The least value, at the end.", emits: .same),
    .word(.counting, .max, .max, "The greatest value, at the end.", emits: .same),
    StreamOperatorRule(
      .counting,
      KeyRule(
        .first, .expression, "The first value, or the first of which this holds; then the end.",
        example: "value > 3", required: true), word: .first(where: nil),
      forms: ["first", "first: value > 3"], emits: .same,
      read: { $0.expression.map { .first(where: $0) } }),
    .word(.counting, .last, .last, "The last value, at the end.", emits: .same),
    .of(
      .counting, .output, fromZero, "The value at this place, counted from 0; then the end.",
      example: "2", emits: .same
    ) { $0.number.map { .output(at: $0) } },
    .of(
      .counting, .prefix, fromZero, "This number of values, and then the end.", example: "3",
      emits: .same
    ) { $0.number.map { .prefix($0) } },
    .of(
      .counting, .suffix, fromZero, "This number of the last values, at the end.", example: "3",
      emits: .same
    ) { $0.number.map { .keeping(.suffix($0)) } },
    StreamOperatorRule(
      .counting,
      KeyRule(
        .prefixWhile, .expression, "Values as long as this holds, and then the end.",
        example: "value < 10", required: true),
      with: [
        KeyRule(
          .inclusive, .bool,
          "Whether the value that ends it passes too; the default is `false`.", example: "true")
      ], forms: ["prefixWhile: value < 10", "{ prefixWhile: value < 10, inclusive: true }"],
      emits: .same,
      read: { entry in
        entry.expression.map { .prefixWhile($0, inclusive: entry.holds(.inclusive)) }
      }),
    .of(
      .counting, .prefixUntil, .address, "Values until this source emits, and then the end.",
      example: "stop", emits: .same, follows: .before
    ) { $0.source.map { .prefixUntil($0) } },
    StreamOperatorRule(
      .counting,
      KeyRule(
        .dropFirst, fromZero, "Leaves out the first value, or this number of values.", example: "2",
        required: true), word: .dropFirst(1), forms: ["dropFirst", "dropFirst: 2"], emits: .same,
      read: { $0.number.map { .dropFirst($0) } }),
    .of(
      .counting, .dropLast, fromZero, "Leaves out this number of the last values.", example: "2",
      emits: .same
    ) { $0.number.map { .keeping(.dropLast($0)) } },
    .of(
      .counting, .dropWhile, .expression, "Leaves out values as long as this holds.",
      example: "value < 10", emits: .same
    ) { $0.expression.map { .dropWhile($0) } },
    .of(
      .counting, .dropUntil, .address, "Leaves out values until this source emits.",
      example: "start", emits: .same, follows: .before
    ) { $0.source.map { .dropUntil($0) } },
    .word(
      .counting, .ignoreOutput, .ignoreOutput,
      "Leaves out all values; only the end and failures pass.", emits: .same),
    .of(
      .counting, .contains, .value, "Whether this value comes: `true` at once, `false` at the end.",
      example: "3"
    ) { $0.data.map { .contains($0) } },
    .of(
      .counting, .allSatisfy, .expression,
      "Whether this holds of all values: `false` at once, `true` at the end.",
      example: "value > 0"
    ) { $0.expression.map { .allSatisfy($0) } },
    StreamOperatorRule(
      .counting,
      KeyRule(
        .collect, .anyOf([.integer(1...Int.max), .anyDuration]),
        "All values as one list at the end, or lists of a fixed number, or the values of each "
          + "interval.",
        example: "3", required: true),
      with: [
        KeyRule(
          .every, .anyDuration,
          "The time after which a list that is not full is given all the same.",
          example: "1s")
      ], word: .plain(.collect),
      forms: ["collect", "collect: 3", "collect: 1s", "{ collect: 3, every: 1s }"],
      read: \.collect),
    .of(
      .counting, .collectUntil, .address,
      "What came since this source emitted before, as one list whenever it emits, and at the end.",
      example: "saved", follows: .after
    ) { $0.source.map { .collectUntil($0) } },
    StreamOperatorRule(
      .counting,
      KeyRule(
        .windowed, .integer(1...Int.max),
        "Lists of this number of values, each one value later than the one before.", example: "2",
        required: true),
      with: [
        KeyRule(
          .step, .integer(1...Int.max), "By how many values each list is later; the default is 1.",
          example: "2")
      ], forms: ["windowed: 2", "{ windowed: 3, step: 2 }"], read: \.windowed),
  ]
}
