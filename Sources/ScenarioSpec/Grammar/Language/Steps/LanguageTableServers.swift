/// The steps of mock endpoints on connections that stay open.
extension LanguageTable {
  package static let conversation = conversation(
    .conversation, title: "An event stream of a mock", .eventStream,
    accepts: "{ path: /prices, headers: { Last-Event-ID: '2' } }",
    does: "[{ event: { data: { price: 41 } } }, { wait: forever }]")

  package static let lineConversation = conversation(
    .lineConversation, title: "A stream of lines of a mock", .lines,
    accepts: "{ path: /changes }",
    does: "[{ event: { id: 1, state: ready } }, { wait: forever }]")

  /// Makes the rule of a stream of a mock, with examples of what it accepts and does.
  private static func conversation(
    _ name: MappingName, title: String, _ place: Place, accepts: String, does: String
  ) -> MappingRule {
    MappingRule(
      name, title: title,
      "What the mock does with one connection: it accepts it and runs a script, or refuses it.",
      exactlyOneOf: [[.accept, .refuse]],
      needs: [Need(key: .script, oneOf: [.accept]), Need(key: .headers, oneOf: [.accept])],
      keys: [
        KeyRule(
          .accept, .mapping(.acceptance), "What the request must carry; anything else fails.",
          example: accepts),
        refuseRule, streamHeadersRule,
        KeyRule(
          .script, .script(place),
          "Steps on the connection; behind the last one the stream ends in good order.",
          example: does),
      ])
  }

  package static let socketConversation = MappingRule(
    .socketConversation, title: "A WebSocket of a mock",
    "What the mock does with one connection: it accepts it and runs a script, or refuses it.",
    exactlyOneOf: [[.accept, .refuse]],
    needs: [Need(key: .script, oneOf: [.accept]), Need(key: .headers, oneOf: [.accept])],
    keys: [
      KeyRule(
        .accept, .mapping(.socketAcceptance),
        "What the request must carry, anything else fails; and how the handshake is answered.",
        example: "{ path: /room, protocol: chat.v2 }"),
      refuseRule, streamHeadersRule,
      KeyRule(
        .script, .script(.webSocket),
        "Steps on the connection; behind the last one it is closed with code 1000.",
        example: "[{ receive: hello }, { send: welcome }]"),
    ])

  private static let refuseRule = KeyRule(
    .refuse, answerShape, "The answer that turns the connection away.", example: "{ status: 503 }")

  package static let acceptance = MappingRule(
    .acceptance, title: "What is accepted", "What the request of an event stream must carry.",
    keys: requestConditions)

  package static let socketAcceptance = MappingRule(
    .socketAcceptance, title: "What a WebSocket is accepted with",
    "What the request of a WebSocket must carry, and how the handshake is answered.",
    keys: requestConditions + [
      KeyRule(
        .protocol, .scalar, "The subprotocol that is chosen; it must have been offered.",
        example: "chat.v2"),
      KeyRule(
        .acceptKey, .scalar, "Sent in place of the right `Sec-WebSocket-Accept`.",
        example: "wrong"),
    ])

  private static let requestConditions =
    [
      KeyRule(.path, .matcher, "What the path is like.", example: "/prices"),
      KeyRule(.method, .matcher, "What the method is like.", example: "POST"),
      KeyRule(.query, .matcher, "What the query holds.", example: "{ symbol: ACME }"),
      KeyRule(
        .headers, .matcher, "What header fields it has; their names in any case.",
        example: "{ Last-Event-ID: '2' }"),
      KeyRule(.json, .matcher, "What the body holds, read as JSON.", example: "{ stream: true }"),
      KeyRule(.text, .matcher, "What the body is, read as text.", example: "{ $contains: go }"),
      KeyRule(
        .when, .expression, "What else must hold of the `request`.",
        example: "request.connection > 1"),
    ]

  package static let serverEvent = MappingRule(
    .serverEvent, title: "A server-sent event",
    "An event as a mock sends it; all keys may be left "
      + "out.",
    keys: [
      KeyRule(.id, .scalar, "Its id, which the client sends when it comes back.", example: "'7'"),
      KeyRule(.event, .scalar, "Its type; without one it is a `message`.", example: "price"),
      KeyRule(
        .data, .value, "What it carries: text as it is, anything else as JSON.",
        example: "{ symbol: ACME, price: 41 }"),
      KeyRule(
        .retry, .anyDuration, "How long the client shall wait before it comes back.",
        example: "500ms"),
      KeyRule(.comment, .scalar, "A line that clients pass over.", example: "still here"),
    ])

  package static let closing = MappingRule(
    .closing, title: "A close frame", "The close frame of a WebSocket.",
    keys: [
      KeyRule(.code, .count(0...65_535), "Its code. The default is 1000.", example: "1001"),
      KeyRule(.reason, .scalar, "Its reason.", example: "going away"),
    ])

  package static let hexadecimal = MappingRule(
    .hexadecimal, title: "Bytes", "Bytes that are written in hexadecimal digits.",
    keys: [
      KeyRule(
        .hex, .text, "Two digits for each byte; blanks between them are ignored.",
        example: "'81 02 68 69'", required: true)
    ])

  package static let served = MappingRule(
    .served, title: "What is served", "What a step makes a mock endpoint do on its connections.",
    exactlyOneOf: [[.event, .send, .bytes, .close, .pings]],
    keys: [eventRule, messageRule, bytesRule, closeRule, pingsRule])

  static let servedWords = Shape.words([
    "drop", "reset", "stall", "close", "halfClose", "stop", "start", "restart",
  ])

  private static let eventRule = KeyRule(
    .event, .anyOf([.scalar, .mapping(.serverEvent)]),
    "Sends a server-sent event; a text alone is its data.",
    example: "{ id: '1', event: price, data: { price: 41 } }", required: false)

  private static let lineRule = KeyRule(
    .event, .value,
    "Sends a line: the value as JSON. Of a map with `data`, that is what is sent.",
    example: "{ type: ADDED, object: { id: 1 } }", required: false)

  private static let messageRule = KeyRule(
    .send, .value,
    "Sends a message of a WebSocket: text as it is, bytes as a binary one, anything "
      + "else as JSON.", example: "{ type: welcome }")

  static let bytesShape = Shape.anyOf([.scalar, .mapping(.hexadecimal)])

  private static let bytesRule = KeyRule(
    .bytes, .anyOf([.scalar, .mapping(.hexadecimal), .list(bytesShape)]),
    "Sends raw bytes; a list piece by piece.", example: "['data: sp', \"lit\\n\\n\"]")

  private static let closeRule = KeyRule(
    .close, .anyOf([.flag, .mapping(.closing)]),
    "Closes the connection properly: a WebSocket with a close frame.",
    example: "{ code: 1001, reason: going away }")

  private static let pingsRule = KeyRule(
    .pings, .words(["answer", "ignore"]), "Whether pings are answered from now on.",
    example: "ignore")

  static let serverSteps = [
    act(eventRule, in: [.eventStream]),
    act(lineRule, in: [.lines]),
    act(messageRule, in: [.webSocket]),
    StepRule(
      .answering,
      KeyRule(
        .receive, .matcher, "Waits for the next message of the client, which must be like this.",
        example: "{ type: hello, name: { $as: name } }", required: true),
      in: [.webSocket], takesTime: true),
    act(bytesRule, in: streams),
    word(.drop, "Ends the connection without closing it properly.", in: streams),
    word(.stall, "Sends nothing any more, and leaves the connection open.", in: streams),
    word(.reset, "Breaks the connection.", in: Place.endpoints),
    word(.halfClose, "Ends sending, and still receives.", in: streams),
    word(.close, "Ends the stream in good order.", in: [.eventStream, .lines]),
    act(closeRule, in: [.webSocket], isWord: true),
    act(pingsRule, in: [.webSocket]),
  ]

  private static let streams: [Place] = [.eventStream, .lines, .webSocket]

  /// Makes a rule for a verb that needs its value, although the same key is optional elsewhere.
  private static func act(_ key: KeyRule, in places: [Place], isWord: Bool = false) -> StepRule {
    StepRule(
      .answering, KeyRule(key.key, key.shape, key.text, example: key.example, required: true),
      in: places, takesTime: true, isWord: isWord)
  }

  private static func word(_ key: Key, _ text: String, in places: [Place]) -> StepRule {
    StepRule(
      .answering, KeyRule(key, .flag, text, example: "true", required: true), in: places,
      takesTime: true, isWord: true)
  }
}
