import TextSearch

extension LanguageTable {
  package static let node = MappingRule(
    .node, title: "A node",
    "A node of the state graph that is not simply written as its value.",
    exactlyOneOf: [[.stored, .computed, .latest]],
    needs: [Need(key: .of, oneOf: [.latest]), Need(key: .initial, oneOf: [.latest])],
    keys: [
      KeyRule(
        .stored, .value, "A stored node's value at the start, if the value itself is a map.",
        example: "{ name: Ann, age: 30 }"),
      KeyRule(
        .computed, .expression, "The rule of a computed node, over other nodes.",
        example: "count % 2 == 0"),
      KeyRule(
        .latest, .address, "A source that the node follows: it holds the latest event.",
        example: "events"),
      KeyRule(
        .of, .expression, "What of each event is the node's value; without it, the event itself.",
        example: "value.name"),
      KeyRule(.initial, .value, "The value before the first event.", example: "none"),
    ])

  package static let reactor = MappingRule(
    .reactor, title: "A reactor", "State, and the actions that change it.",
    keys: [
      KeyRule(
        .state, .map(.name, .value), "The fields and their values at the start.",
        example: "{ fact: none, hidden: false }"),
      KeyRule(
        .bindings, .map(.name, .anyOf([.name, .mapping(.binding)])),
        "Writing the field sends the action.", example: "{ hidden: toggle }"),
      KeyRule(
        .actions, .map(.name, .anyOf([.script(.action), .mapping(.action)])),
        "What the reactor does when it is sent a message: a script, or a map with more settings.",
        example: "{ toggle: [{ set: { hidden: '${!hidden}' } }] }"),
      KeyRule(
        .follows, .map(.address, .anyOf([.name, .mapping(.follow)])),
        "Each event of the source sends the action.", example: "{ count: reload }"),
      KeyRule(
        .start, .name, "The action that is sent before the first step.", example: "load"),
    ])

  package static let binding = MappingRule(
    .binding, title: "A bound field", "A field that also keeps what is written from outside.",
    keys: [
      KeyRule(.action, .name, "The action that is sent.", example: "search", required: true),
      KeyRule(
        .keeps, .bool,
        "Whether the field gets what was written, before the action runs. The default is `false`: "
          + "the action alone decides what becomes of it.", example: "true"),
    ])

  package static let follow = MappingRule(
    .follow, title: "A followed source", "A source whose events send an action, for some time.",
    keys: [
      KeyRule(.action, .name, "The action that is sent.", example: "reload", required: true),
      KeyRule(
        .until, .address, "After the first event of this source, no event sends the action.",
        example: "closed"),
      KeyRule(
        .initial, .bool,
        "Whether the value that the source has at the start sends the action too. The default is "
          + "`false`.", example: "true"),
    ])

  package static let action = MappingRule(
    .action, title: "An action", "An action with more settings than its script.",
    atMostOneOf: [[.inFlight, .join, .queue]],
    keys: [
      KeyRule(
        .params, .list(.name), "Names for what the payload carries, in scope of the steps.",
        example: "[id, title]"),
      KeyRule(
        .steps, .script(.action), "The script; `payload` is what was sent along.",
        example: "[{ wait: 1s }]", required: true),
      KeyRule(
        .inFlight, .scalar,
        "Starting the action again cancels the run under way with this id, which may have values "
          + "of the payload.",
        example: "\"save ${id}\""),
      KeyRule(
        .join, .scalar, "Starting the action again waits for the run under way with this id.",
        example: "refresh"),
      KeyRule(
        .queue, .scalar,
        "Starting the action again waits for its turn: runs with this id follow each other.",
        example: "save"),
      KeyRule(
        .lifecycle, .bool, "Runs under way end with the reactor's life cycle.", example: "true"),
    ])

  package static let provider = MappingRule(
    .provider, title: "A provider",
    "Where data comes from: items written here, a JSON file, the answer to a request or a query, "
      + "or a stream.",
    exactlyOneOf: [[.items, .endpoint, .file, .database, .stream]],
    atMostOneOf: [
      [.items, .file, .stream, .database] + requestMethods, [.items, .file, .stream, .query],
      bodyKeys,
    ],
    together: (.file, [.endpoint, .query] + requestMethods),
    needs: [
      Need(key: .endpoint, oneOf: requestMethods), Need(key: .database, oneOf: [.query]),
      Need(key: .live, oneOf: [.database]),
    ]
      + ([.retry, .json, .form, .text, .multipart] + requestTerms.map(\.key)).map {
        Need(key: $0, oneOf: [.endpoint])
      },
    keys: [
      KeyRule(.items, .value, "The data itself.", example: "[{ id: 1, title: Write }]"),
      KeyRule(.endpoint, .address, "The endpoint of the request.", example: "api"),
    ] + requestMethods.map(requestRule) + [
      KeyRule(
        .query, .anyOf([itemsShape, .text]),
        "What is added to the path behind `?`; of a database, the query, with `:name` for "
          + "parameters.",
        example: "{ page: '${page}' }", hasCommas: true)
    ] + requestTerms + requestBodies.filter { $0.key != .file } + [
      KeyRule(
        .params, .list(.name), "Names that a load fills in, in scope of everything here.",
        example: "[page]"),
      KeyRule(
        .value, .value, "What of the answer is provided, from `response`; without it, the body.",
        example: "${response.json.fact}"),
      KeyRule(
        .file, .scalar,
        "A JSON file with the data, relative to the folder of this file; beside `endpoint`, a file "
          + "whose bytes are the body.",
        example: "tasks.json"),
      KeyRule(.database, .address, "The database of the `query`.", example: "local"),
      KeyRule(
        .live, .bool, "Whether the query runs again each time its result may have changed.",
        example: "true"),
      KeyRule(.stream, .address, "A stream whose events are the data.", example: "tasksFeed"),
      KeyRule(
        .retry, .mapping(.requestRetry), "How often a failed request is sent again, and when.",
        example: "{ maxAttempts: 3, initialDelay: 1s, on: [503, connectionLost] }"),
    ])

  package static let requestMethods: [Key] = [
    .get, .post, .put, .patch, .delete, .head, .options,
  ]

  static func requestRule(_ method: Key) -> KeyRule {
    KeyRule(
      method, .scalar, "The path of a request with \(method.rawValue.uppercased()).",
      example: "/tasks")
  }
}
