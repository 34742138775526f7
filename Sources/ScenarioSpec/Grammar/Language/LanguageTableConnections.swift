extension LanguageTable {
  static let connectionsRule = KeyRule(
    .connections, .map(.stageName, .mapping(.connection)),
    "Clients that stay connected: event streams and WebSockets.",
    example: "{ prices: { sse: { endpoint: feed, path: /prices } } }")

  package static let connection = MappingRule(
    .connection, title: "A connection",
    "A client that stays connected. It emits what it receives; its `state` is notConnected, "
      + "connecting, connected or disconnected, the last with its reason.",
    exactlyOneOf: [[.sse, .websocket, .ndjson]],
    needs: [Need(key: .ping, oneOf: [.websocket])],
    keys: [
      KeyRule(
        .sse, .mapping(.connectionRequest), "The request that opens a stream of events.",
        example: "{ endpoint: feed, path: /prices }"),
      KeyRule(
        .websocket, .mapping(.socketRequest), "The request that opens a WebSocket.",
        example: "{ endpoint: chat, path: /room, protocols: [chat.v2] }"),
      KeyRule(
        .ndjson, .mapping(.connectionRequest),
        "The request that opens a stream of lines, each a JSON value.",
        example: "{ endpoint: feed, path: /changes }"),
      KeyRule(
        .retry, .mapping(.retryPolicy),
        "How a connection that is lost or cannot be made is tried again; without it, it is not.",
        example: "{ maxAttempts: 5, initialDelay: 1s }"),
      KeyRule(
        .ping, .mapping(.ping),
        "The pings by which a WebSocket finds out that the other side is gone.",
        example: "{ interval: 30s, maxFailures: 3 }"),
      KeyRule(
        .idle, .tick, "The longest silence. A longer one is treated as an error.",
        example: "45s"),
      KeyRule(
        .onConnect, .script(.action),
        "Steps that run each time the connection has opened, such as those that subscribe again. "
          + "They end when the connection is lost.",
        example: "[{ send: { room: { join: lobby } } }]"),
    ])

  package static let connectionRequest = MappingRule(
    .connectionRequest, title: "A request for a stream",
    "The request of each connection. Its values are evaluated again each time.",
    exactlyOneOf: [[.path] + requestMethods], atMostOneOf: [bodyKeys],
    keys: [
      endpointRule, KeyRule(.path, .scalar, "The path of a request with GET.", example: "/prices"),
    ] + requestMethods.map(requestRule) + requestParts + requestBodies)

  package static let socketRequest = MappingRule(
    .socketRequest, title: "A request for a WebSocket",
    "The request of each connection. Its values are evaluated again each time.",
    keys: [
      endpointRule,
      KeyRule(.path, .scalar, "The path of the request.", example: "/room", required: true),
    ] + requestParts + [
      KeyRule(
        .protocols, .list(.scalar), "Subprotocols that are offered, the one liked best first.",
        example: "[chat.v2, chat.v1]")
    ])

  private static let endpointRule = KeyRule(
    .endpoint, .address, "The endpoint of the request.", example: "feed", required: true)

  /// The keys of attempts with growing pauses, which are durations of some shape.
  static func attempts(pauses: Shape) -> [KeyRule] {
    [
      KeyRule(
        .maxAttempts, .integer(0...Int.max),
        "The most tries in a row, the first one among them; without it, there is no end.",
        example: "5"),
      KeyRule(
        .initialDelay, pauses, "The pause before the second attempt. The default is 1s.",
        example: "1s"),
      KeyRule(
        .maxDelay, pauses,
        "The longest pause, unless the server asks for more. The default is 60s.", example: "60s"),
      KeyRule(
        .multiplier, .number(from: 1), "How much longer each pause is. The default is 2.",
        example: "1.5"),
      KeyRule(
        .jitter, .number(from: 0),
        "The share by which a pause is randomly shorter or longer; what the server asks for is "
          + "only made longer. The default is 0.",
        example: "0.1"),
    ]
  }

  package static let retryPolicy = MappingRule(
    .retryPolicy, title: "A retry policy",
    "How something that failed is tried again: after `initialDelay`, and then each time "
      + "`multiplier` times as long, but never longer than `maxDelay`.",
    keys: attempts(pauses: .duration) + [
      KeyRule(
        .giveUpOn, .list(.integer(100...4_999)),
        "Statuses, and close codes of a WebSocket, after which the client does not retry. The "
          + "default is 204 and those from 400 to 499, without 408, 425 and 429; and the codes "
          + "1000, 1002, 1003 and 1007 to 1010.", example: "[401, 404, 4001]")
    ])

  package static let ping = MappingRule(
    .ping, title: "Pings", "A ping is sent at once, and then after each interval.",
    keys: [
      KeyRule(
        .interval, .tick, "The longest time for the answer to a ping. The default is 30s.",
        example: "30s"),
      KeyRule(
        .maxFailures, .integer(0...Int.max),
        "How many pings in a row may stay unanswered before the client closes the connection. "
          + "The default is 3.", example: "3"),
    ])

  static let connectionSteps = [
    StepRule(
      .acting,
      KeyRule(
        .connect, .anyOf([.address, .list(.address)]), "Opens connections.", example: "prices",
        required: true),
      in: [.scenario, .finally, .action]),
    StepRule(
      .acting,
      KeyRule(
        .disconnect, .anyOf([.address, .list(.address)]),
        "Closes connections; they may be opened again.", example: "prices", required: true),
      in: [.scenario, .finally, .action]),
    StepRule(
      .acting,
      KeyRule(
        .serve, .map(.address, .anyOf([servedWords, .mapping(.served)])),
        "Makes mock endpoints act now, on the connections they have.",
        example: "{ feed: { event: { data: { price: 41 } } } }", required: true),
      with: [
        KeyRule(
          .to, .anyOf([.words(["all", "last"]), .count(1...Int.max)]),
          "The connections it is for: all of them, the last one, or the one with this number. The "
            + "default is all.", example: "last")
      ], in: [.scenario, .finally, .action]),
  ]
}
