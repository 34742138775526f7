import TextSearch

extension LanguageTable {
  package static let endpoint = MappingRule(
    .endpoint, title: "An endpoint",
    "A part of the world outside: how its mock behaves, and where the real one is.",
    needs: [changeNeed],
    keys: [
      KeyRule(
        .url, .scalar, "Where the real endpoint is: http, https or a unix socket.",
        example: "${env.CATFACTS_URL}", secrecy: .password),
      KeyRule(
        .state, .map(.name, .value), "Values that the mock's scripts may read and set.",
        example: "{ calls: 0 }"),
      KeyRule(
        .cors, .anyOf([.bool, .mapping(.crossOrigin)]),
        "Lets pages of other origins read the answers of the mock, and answers their preflight "
          + "requests.", example: "true"),
      KeyRule(
        .proxy, .scalar,
        "The URL of a real server. Requests that no entry answers are passed on to it, where the "
          + "mock is on sockets.", example: "https://api.example.com", secrecy: .password),
      changeRule,
      KeyRule(
        .resumable, .bool,
        "Continues an event stream after the event that `Last-Event-ID` names, instead of sending "
          + "all of it again. In sweeps, its other streams may begin again too. The default is "
          + "false.", example: "true"),
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
        .ndjson, .list(.mapping(.lineConversation)),
        "What the mock does with streams of lines, selected by path and method; the last entry "
          + "repeats. Each event is a line.",
        example: "[{ accept: { path: /changes }, script: [{ event: { id: 1 } }] }]"),
      KeyRule(
        .websocket, .list(.mapping(.socketConversation)),
        "What the mock does with WebSockets, selected by path and method; the last entry repeats.",
        example: "[{ accept: { path: /room }, script: [{ receive: hello }, { send: welcome }] }]"),
    ])

  package static let route = MappingRule(
    .route, title: "A route", "What a mock answers to requests of one method and path.",
    exactlyOneOf: [
      routeMethods, [.respond, .script, .sse, .ndjson, .websocket, .turns, .proxy],
    ],
    needs: [
      streamHeadersNeed, changeNeed, Need(key: .turnsBy, oneOf: [.respond, .turns]),
    ],
    keys: routeMethods.map(routeRule) + [
      KeyRule(
        .when, .expression, "Answers only if this holds for the `request`.",
        example: "request.query.page == '2'"),
      KeyRule(
        .match, .mapping(.requestMatch), "Answers only a request that is like this.",
        example: "{ query: { page: '2' } }"),
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
        example: "[{ respond: { status: 503 } }, { sse: [{ event: { data: 1 } }] }]"),
      KeyRule(
        .turnsBy, .expression,
        "Counts the calls for each value of this by itself, such as each session. Requests for "
          + "which it has no value are counted together.", example: "request.cookies.sid"),
    ])

  package static let turn = MappingRule(
    .turn, title: "A turn of a route", "What a route does with one call.",
    exactlyOneOf: [[.respond, .sse, .ndjson, .websocket, .proxy]],
    needs: [streamHeadersNeed, changeNeed],
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
      .ndjson, .script(.lines),
      "Opens a stream of lines and runs these steps on it; each event is a line.",
      example: "[{ event: { id: 1 } }]"),
    KeyRule(
      .websocket, .script(.webSocket),
      "Accepts a WebSocket and runs these steps on it; after the last one it is closed with code "
        + "1000.",
      example: "[{ receive: hello }, { send: welcome }]"),
    streamHeadersRule,
    KeyRule(
      .proxy, .scalar,
      "Passes the request on to the real server at this URL, where the mock is on sockets.",
      example: "https://api.example.com", secrecy: .password),
    changeRule,
  ]

  private static let changeRule = KeyRule(
    .change, .mapping(.answerChange), "What the answers of `proxy` have in place of their own.",
    example: "{ json: { price: 0 } }")
  private static let changeNeed = Need(key: .change, oneOf: [.proxy], pointsAtKey: true)

  /// The header fields of an answer, which may be examples.
  static let sentItemsShape = Shape.map(.text, .value)

  static let streamHeadersRule = KeyRule(
    .headers, itemsShape,
    "Header fields of the answer that opens the connection; a list repeats the field.",
    example: "{ X-Accel-Buffering: 'no' }")
  private static let streamHeadersNeed = Need(
    key: .headers, oneOf: [.sse, .ndjson, .websocket], pointsAtKey: true)

  package static let requestMatch = MappingRule(
    .requestMatch, title: "What a request is like",
    "The parts of a request that select a route. All that are named must match.",
    keys: [
      KeyRule(.query, .matcher, "What the query holds.", example: "{ symbol: ACME }"),
      KeyRule(
        .headers, .matcher, "What header fields it has; their names in any case.",
        example: "{ Accept-Language: de }"),
      KeyRule(.cookies, .matcher, "What cookies it carries.", example: "{ session: s-1 }"),
      KeyRule(.json, .matcher, "What the body holds, read as JSON.", example: "{ stream: true }"),
      KeyRule(.form, .matcher, "What the fields of a form are.", example: "{ user: ann }"),
      KeyRule(.text, .matcher, "What the body is, read as text.", example: "{ $contains: go }"),
    ])

  package static let crossOrigin = MappingRule(
    .crossOrigin, title: "Other origins",
    "Which pages of other origins may read the answers of a mock. A part that is not named allows "
      + "what the page asks for.",
    keys: [
      KeyRule(
        .origins, .list(.text), "The origins that may. Without it, any may.",
        example: "['https://shop.example']"),
      KeyRule(.methods, .list(.text), "The methods they may use.", example: "[GET, POST]"),
      KeyRule(
        .headers, .list(.text), "The header fields they may send.", example: "[Authorization]"),
      KeyRule(
        .expose, .list(.text), "The header fields of answers that they may read.",
        example: "[X-Total-Count]"),
      KeyRule(
        .credentials, .bool, "Whether they may send cookies. The default is false.",
        example: "true"),
      KeyRule(
        .maxAge, .duration, "How long a browser remembers what it may.", example: "10m"),
    ])

  package static let answer = MappingRule(
    .answer, title: "An answer",
    "The response to a request. `drop` in its place ends the connection without one, `reset` "
      + "breaks it, `stall` never answers.",
    atMostOneOf: [[.json, .text, .file, .bytes], [.chunks, .fault]],
    needs: [Need(key: .chunks, oneOf: [.json, .text, .file, .bytes], pointsAtKey: true)],
    keys: [
      KeyRule(.status, .count(100...599), "The status code. The default is 200.", example: "503"),
      KeyRule(
        .headers, sentItemsShape,
        "Header fields of the response; a list repeats the field, and `$like` is an example.",
        example: "{ Retry-After: '2' }"),
      KeyRule(
        .json, .value,
        "The body, sent as JSON. `$like`, `$eachLike`, and `$example` with `$match` are examples: "
          + "a real endpoint may send another value that is like them.",
        example: "{ fact: Cats sleep, length: 10 }"),
      KeyRule(.text, .scalar, "The body, sent as text.", example: "try again"),
      KeyRule(
        .file, .text,
        "A file whose bytes are the body, relative to the folder of this file. The end of its name "
          + "gives the type, unless `headers` does.", example: "photo.jpg"),
      KeyRule(
        .bytes, .anyOf([.scalar, .mapping(.hexadecimal), .list(bytesShape)]),
        "The body as bytes; the elements of a list are joined.", example: "{ hex: '89 50 4e 47' }"),
      KeyRule(.after, .anyDuration, "The time that the answer takes.", example: "200ms"),
      KeyRule(
        .chunks, .mapping(.chunks), "Sends the body in several pieces, with pauses between them.",
        example: "{ count: 5, every: 100ms }"),
      KeyRule(
        .fault, faultWords,
        "What goes wrong: the connection ends after half of the body (`partialBody`) or after a "
          + "head and bytes that are no chunk (`malformedChunk`), or there are random bytes in "
          + "place of the answer (`garbage`).", example: "garbage"),
    ])

  package static let answerChange = MappingRule(
    .answerChange, title: "A changed answer",
    "Parts of a real server's answer that the mock changes. Expressions may read the `request` and "
      + "the `response` of the server.",
    keys: [
      KeyRule(.status, .count(200...599), "The status code.", example: "503"),
      KeyRule(
        .headers, itemsShape, "Header fields to set. One that is `null` is left out.",
        example: "{ Cache-Control: no-store, ETag: null }"),
      KeyRule(
        .json, .value,
        "Parts of the JSON body. A map is merged into the one that is there, `null` leaves a key "
          + "out, anything else replaces. An answer without success keeps its body.",
        example: "{ price: 0, name: \"${response.json.name.upperAscii()}\" }"),
    ])

  package static let chunks = MappingRule(
    .chunks, title: "A body in pieces", "How many pieces a body is sent in, and the pauses.",
    keys: [
      KeyRule(
        .count, .integer(2...10_000), "The number of pieces. They are of the same size.",
        example: "5", required: true),
      KeyRule(
        .every, .anyDuration, "The pause after each piece.", example: "100ms", required: true),
    ])

  static let faultWords = Shape.words(AnswerFault.allCases.map(\.rawValue))
  static let answerShape = Shape.anyOf([.mapping(.answer), .words(["drop", "reset", "stall"])])
  package static let routeMethods = requestMethods + [.any]

  private static func routeRule(_ method: Key) -> KeyRule {
    let text =
      method == .any
      ? "The path that is answered, with any method."
      : "The path that is answered to \(method.rawValue.uppercased())."
    return KeyRule(
      method, .path,
      text + " A name in braces stands for one segment, and `{name...}` at the end for all that "
        + "follow.", example: "/tasks/{id}")
  }
}
