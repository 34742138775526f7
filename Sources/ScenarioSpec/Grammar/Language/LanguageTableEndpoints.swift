extension LanguageTable {
  package static let endpoint = MappingRule(
    .endpoint, title: "An endpoint",
    "A part of the world outside: how its mock behaves, and where the real one is.",
    keys: [
      KeyRule(
        .url, .scalar, "Where the real endpoint is: http, https or a unix socket.",
        example: "${env.CATFACTS_URL}", secrecy: .password),
      KeyRule(
        .state, .map(.name, .value), "Values that the mock's scripts may read and set.",
        example: "{ calls: 0 }"),
      KeyRule(
        .http, .list(.mapping(.route)),
        "Routes of the mock; the first that fits a request answers.",
        example: "[{ get: /fact, respond: { json: { fact: Cats sleep } } }]"),
      KeyRule(
        .sse, .list(.mapping(.conversation)),
        "What the mock does with event streams, selected by path and method; the last entry "
          + "repeats.",
        example: "[{ accept: { path: /prices }, script: [{ event: { data: { price: 41 } } }] }]"),
      KeyRule(
        .ndjson, .list(.mapping(.conversation)),
        "What the mock does with streams of lines, selected by path and method; the last entry "
          + "repeats. The `data` of each event is a line.",
        example: "[{ accept: { path: /changes }, script: [{ event: { data: { id: 1 } } }] }]"),
      KeyRule(
        .websocket, .list(.mapping(.socketConversation)),
        "What the mock does with WebSockets, selected by path and method; the last entry repeats.",
        example: "[{ accept: { path: /room }, script: [{ receive: hello }, { send: welcome }] }]"),
    ])

  package static let route = MappingRule(
    .route, title: "A route", "What a mock answers to requests of one method and path.",
    exactlyOneOf: [routeMethods, [.respond, .script, .sse, .ndjson, .websocket, .turns]],
    keys: routeMethods.map(routeRule) + [
      KeyRule(
        .when, .expression, "Answers only if this holds for the `request`.",
        example: "request.query.page == '2'"),
      KeyRule(
        .respond, .anyOf([answerShape, .list(answerShape)]),
        "The answer, or answers taken call by call, of which the last one repeats.",
        example: "[{ status: 503 }, { json: { fact: Cats sleep } }]"),
      KeyRule(
        .script, .script(.endpoint), "Steps that run for every call.",
        example: "[{ wait: 1s }, { respond: { status: 204 } }]"),
    ] + streamRules + [
      KeyRule(
        .turns, .list(.mapping(.turn)),
        "What happens call by call, where answers and streams take turns; the last one repeats.",
        example: "[{ respond: { status: 503 } }, { sse: [{ event: { data: 1 } }] }]")
    ])

  package static let turn = MappingRule(
    .turn, title: "A turn of a route", "What a route does with one call.",
    exactlyOneOf: [[.respond, .sse, .ndjson, .websocket]],
    keys: [
      KeyRule(.respond, answerShape, "The answer.", example: "{ status: 503 }")
    ] + streamRules)

  /// The scripts of connections that stay open.
  private static let streamRules = [
    KeyRule(
      .sse, .script(.eventStream),
      "Opens an event stream and runs these steps on it; after the last one the stream ends.",
      example: "[{ event: { data: { price: 41 } } }, { wait: forever }]"),
    KeyRule(
      .ndjson, .script(.eventStream),
      "Opens a stream of lines and runs these steps on it; the `data` of each event is a line.",
      example: "[{ event: { data: { id: 1 } } }]"),
    KeyRule(
      .websocket, .script(.webSocket),
      "Accepts a WebSocket and runs these steps on it; after the last one it is closed with code "
        + "1000.",
      example: "[{ receive: hello }, { send: welcome }]"),
  ]

  package static let answer = MappingRule(
    .answer, title: "An answer",
    "The response to a request. `drop` in its place ends the connection without one, `stall` never "
      + "answers.",
    atMostOneOf: [[.json, .text]],
    keys: [
      KeyRule(.status, .count(100...599), "The status code. The default is 200.", example: "503"),
      KeyRule(
        .headers, .map(.text, .scalar), "Header fields of the response.",
        example: "{ Retry-After: '2' }"),
      KeyRule(
        .json, .value, "The body, sent as JSON.", example: "{ fact: Cats sleep, length: 10 }"),
      KeyRule(.text, .scalar, "The body, sent as text.", example: "try again"),
      KeyRule(.after, .anyDuration, "The time that the answer takes.", example: "200ms"),
    ])

  static let answerShape = Shape.anyOf([.mapping(.answer), .words(["drop", "stall"])])
  package static let routeMethods = requestMethods + [.any]

  private static func routeRule(_ method: Key) -> KeyRule {
    let text =
      method == .any
      ? "The path that is answered, with any method."
      : "The path that is answered to \(method.rawValue.uppercased())."
    return KeyRule(
      method, .path, text + " A name in braces stands for one segment.", example: "/tasks/{id}")
  }
}
