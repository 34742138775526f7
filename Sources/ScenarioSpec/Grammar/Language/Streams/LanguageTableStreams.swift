extension LanguageTable {
  package static let stream = MappingRule(
    .stream, title: "A stream",
    "A publisher: where its events come from, and the operators they go through. The word "
      + "`subject` stands for a subject that has no value at the start.",
    exactlyOneOf: [streamOrigins],
    atMostOneOf: [
      [.replay, .params, .cold], [.replay, .subject], [.cold, .subject], [.cold, .hot],
    ],
    needs: [Key.tick, .values, .error, .hot].map { Need(key: $0, oneOf: [.marble]) },
    keys: [
      KeyRule(
        .from, .anyOf([inputShape, .list(inputShape)]),
        "What a source emits, unchanged; a list merges several.",
        example: "typed"),
      KeyRule(
        .combineLatest, severalShape,
        "The latest values of all whenever one emits: a list, or a map where they have labels.",
        example: "{ left: a, right: b }"),
      KeyRule(
        .zip, severalShape,
        "The first values of all, then the second ones: lists, or maps where they have labels.",
        example: "[a, b]"),
      KeyRule(
        .subject, .value, "Steps send values into it; this is the one it begins with.",
        example: "{ text: \"\" }"),
      KeyRule(
        .interval, .anyDuration, "Counts from 0, once in each interval.", example: "1s"),
      KeyRule(
        .items, .list(.value), "These values at once, and then the end, for each subscriber.",
        example: "[1, 2, 3]"),
      KeyRule(
        .marble, .diagram, "Events over time as a diagram, played again for each subscriber.",
        example: "\"--a-(bc)|\""),
      KeyRule(
        .tick, .tick, "How long each character of the diagram takes. The default is 1ms.",
        example: "10ms"),
      KeyRule(
        .values, .map(.symbol, .value),
        "What the diagram's characters stand for; without it, for themselves.",
        example: "{ a: 1, b: { id: 2 }, c: 3 }"),
      KeyRule(.error, .value, "What `#` in the diagram fails with.", example: "offline"),
      KeyRule(
        .hot, .bool, "Plays the diagram once, from the beginning, for all subscribers.",
        example: "true"),
      KeyRule(
        .through, .streamOperators, "The operators, one after the other.",
        example: "[removeDuplicates, { debounce: 1s }]"),
      KeyRule(
        .cold, .bool,
        "Starts again for each subscriber, as diagrams and `items` do. Without it, a stream that "
          + "follows others is shared by its subscribers.", example: "true"),
      KeyRule(
        .replay, .integer(1...Int.max),
        "Later subscribers first get this number of the latest values.", example: "1"),
      KeyRule(
        .params, .list(.name),
        "Names for values that `switch`, `flatMap`, `concatMap` or `exhaust` give. The stream then "
          + "starts for each such call.",
        example: "[symbol]"),
    ])

  package static let input = MappingRule(
    .input, title: "An input of a stream",
    "A source of which the stream takes only some events, or a part of each.",
    keys: [
      KeyRule(.source, .address, "The source.", example: "prices", required: true),
      KeyRule(.where, .expression, "Takes only events for which this holds.", example: "value > 3"),
      KeyRule(.map, .expression, "The value that replaces each event.", example: "value * 2"),
    ])

  package static let call = MappingRule(
    .call, title: "A call for each value",
    "What `switch`, `flatMap`, `concatMap` and `exhaust` do for each value: ask a provider, or "
      + "follow a stream.",
    exactlyOneOf: [[.provider, .stream]], keys: callKeys)

  package static let callChoice = MappingRule(
    .callChoice, title: "A call that the value chooses",
    "An entry of a list behind `switch`, `flatMap`, `concatMap` or `exhaust`. The first entry "
      + "whose `when` holds is called. If none holds, the stream fails.",
    exactlyOneOf: [[.provider, .stream]],
    keys: [
      KeyRule(
        .when, .expression,
        "Calls this only if the expression holds for the value. Without it, the entry is for all "
          + "other values, and the last one.",
        example: "value.startsWith('news')")
    ] + callKeys)

  private static let callKeys = [
    KeyRule(.provider, .address, "The provider that loads.", example: "hits"),
    KeyRule(.stream, .address, "The stream that is followed.", example: "prices"),
    KeyRule(
      .with, .map(.name, .value),
      "Values for the parameters of the provider or stream; without it, a single parameter is "
        + "the value.",
      example: "{ query: '${value}' }"),
    KeyRule(
      .replaceError, .value,
      "The result of a call that fails; `error` is in scope. Without it the stream fails.",
      example: "[]"),
  ]

  package static let comparer = MappingRule(
    .comparer, title: "A comparison of values", "When a value counts as a duplicate.",
    keys: [
      KeyRule(
        .when, .expression,
        "What holds of a duplicate; `before` is the value that passed before it.",
        example: "value - before < 2", required: true)
    ])

  package static let streamRetry = MappingRule(
    .streamRetry, title: "How a stream is retried",
    "The pauses before a stream that failed is subscribed to again: first `initialDelay`, and then "
      + "each time `multiplier` times as long, but never longer than `maxDelay`. A value that "
      + "comes makes the next failure the first one.",
    keys: attempts(pauses: .tick))

  package static let marble = MappingRule(
    .marble, title: "A diagram in `expect`",
    "In the map form of `expect`, what a source emits over time, or when it is subscribed to.",
    needs: [
      Need(key: .tick, oneOf: [.marble, .subscriptions], pointsAtKey: true),
      Need(key: .values, oneOf: [.marble], pointsAtKey: true),
      Need(key: .error, oneOf: [.marble], pointsAtKey: true),
    ],
    keys: [
      KeyRule(
        .marble, .diagram,
        "What is emitted, tick by tick, from the beginning of the assertion's span.",
        example: "\"--a-(bc)|\""),
      KeyRule(
        .tick, .tick, "How long each character of the diagram takes. The default is 1ms.",
        example: "100ms"),
      KeyRule(
        .values, .map(.symbol, .matcher),
        "What the values that the diagram's characters stand for are like.",
        example: "{ a: 1, b: { $gt: 2 }, c: 3 }"),
      KeyRule(.error, .matcher, "What the error that `#` shows is like.", example: "offline"),
      KeyRule(
        .subscriptions, .anyOf([.diagram, .list(.diagram)]),
        "When the stream is subscribed to (`^`) and left (`!`), each subscription as a diagram.",
        example: "\"^--!\""),
    ])

  static let streamOrigins: [Key] = [
    .from, .combineLatest, .zip, .subject, .interval, .items, .marble,
  ]

  static let inputShape = Shape.anyOf([.address, .mapping(.input)])
  static let severalShape = Shape.anyOf([.list(inputShape), .map(.name, inputShape)])
}
