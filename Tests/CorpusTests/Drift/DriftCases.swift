extension DriftCase {
  static let all = answers + streams + sockets

  private static let ask = "steps: [{ request: { endpoint: api, get: /fact } }]"

  /// Returns a case of one answer, by the mock and by the real endpoint.
  private static func answer(
    _ name: String, mock: String, real: String, drifts: [String] = []
  ) -> DriftCase {
    DriftCase(
      name, mock: "http: [{ get: /fact, \(mock) }]", real: "http: [{ get: /fact, \(real) }]", ask,
      drifts: drifts)
  }

  private static let answers = [
    answer(
      "an answer that says more than the mock does",
      mock: "respond: { headers: { ETag: a }, json: { fact: purr } }",
      real: "respond: { headers: { etag: a, Age: '1' }, json: { fact: purr, id: 1 } }"),
    answer(
      "another field", mock: "respond: { json: { fact: purr, id: 1 } }",
      real: "respond: { json: { fact: meow, id: 1 } }",
      drifts: ["drift { fact: purr, id: 1 }: `.json.fact` is meow"]),
    answer(
      "a field with an expression", mock: "respond: { json: { fact: '${request.path}', id: 1 } }",
      real: "respond: { json: { fact: purr, id: 1 } }",
      drifts: ["drift '${request.path}': `.json.fact` is purr"]),
    answer(
      "examples, whose values differ each time",
      mock: """
        respond: { headers: { Location: { $like: /tasks/1 } }, json: {
          id: { $like: 7 }, at: { $example: 2026-01-05, $match: { $regex: '^\\d{4}-' } },
          tags: { $eachLike: { id: 1, name: { $example: a, $match: { $startsWith: a } } } },
          owner: { $like: { name: Ann, since: { $exactly: { $like: 1 } } } } } }
        """,
      real: """
        respond: { headers: { Location: /tasks/93 }, json: {
          id: 93, at: 2027-02-01, tags: [{ id: 5, name: ab }, { id: 6, name: ac }],
          owner: { name: Bob, since: { $exactly: { $like: 2 } } } } }
        """),
    answer(
      "an example of another type", mock: "respond: { json: { id: { $like: 7 } } }",
      real: "respond: { json: { id: '7' } }",
      drifts: ["drift 7: `$like` does not hold for \"7\""]),
    answer(
      "an example that does not match",
      mock: "respond: { json: { at: { $example: a1, $match: { $regex: '^a' } } } }",
      real: "respond: { json: { at: b1 } }",
      drifts: ["drift $regex: `$regex` does not hold for b1"]),
    answer(
      "an empty list where one element is an example",
      mock: "respond: { json: { tags: { $eachLike: 1 } } }",
      real: "respond: { json: { tags: [] } }",
      drifts: ["drift $eachLike: `$eachLike` does not hold for []"]),
    answer(
      "another status", mock: "respond: { status: 201 }", real: "respond: { status: 200 }",
      drifts: ["drift 201: `.status` is 200"]),
    answer(
      "a header that is not there", mock: "respond: { headers: { ETag: a } }",
      real: "respond: { headers: { Age: '1' } }",
      drifts: ["drift a: `.headers` has no entry `etag`"]),
    answer(
      "another text", mock: "respond: { text: purr }", real: "respond: { text: meow }",
      drifts: ["drift purr: `.text` is meow"]),
    answer(
      "a mock that drops on purpose", mock: "respond: [drop, { json: 1 }]",
      real: "respond: { status: 500 }"),
    answer(
      "a script that ends in an answer",
      mock:
        "script: [{ wait: 1h }, { if: request.method == 'GET', then: [{ respond: { json: 1 } }] }]",
      real: "respond: { json: 2 }", drifts: ["drift 1: `.json` is 2"]),
    DriftCase(
      "answers in turn",
      mock: "state: { n: 1 }, http: [{ get: /fact, respond: [{ json: 1 }, { json: 2 }] }]",
      real: "http: [{ get: /fact, respond: { json: 1 } }]",
      """
      steps:
        - request: { endpoint: api, get: /fact }
        - request: { endpoint: api, get: /fact }
      """, drifts: ["drift 2: `.json` is 1"]),
    DriftCase(
      "values that scripts have set",
      mock: """
        state: { n: 0 }, http: [{ get: /fact, script: [
          { set: { api.n: "${api.n + 1}" } }, { respond: { json: "${api.n}" } }] }]
        """,
      real: "http: [{ get: /fact, respond: [{ json: 1 }, { json: 3 }] }]",
      """
      steps:
        - request: { endpoint: api, get: /fact }
        - request: { endpoint: api, get: /fact }
        - check: api.n == 0
      """, drifts: ["drift \"${api.n}\": `.json` is 3"]),
    DriftCase(
      "the same difference again and again",
      mock: "http: [{ get: /fact, respond: { json: 1 } }, { get: /id, respond: { json: 1 } }]",
      real: "http: [{ get: /fact, respond: { json: 2 } }, { get: /id, respond: { json: 2 } }]",
      """
      steps:
        - repeat: 9
          steps: [{ request: { endpoint: api, get: /fact } }]
        - request: { endpoint: api, get: /id, expect: { json: 1 } }
      """, drifts: ["drift 1: `.json` is 2"]),
    DriftCase(
      "a request nothing is written for", mock: "http: [{ get: /facts, respond: {} }]",
      real: "http: [{ get: /fact, respond: {} }]", ask,
      drifts: ["drift { get: /facts, respond: {} }: the closest entry"]),
  ]

  private static func stream(
    _ name: String, mock: String, real: String, _ steps: String, drifts: [String] = []
  ) -> DriftCase {
    DriftCase(
      name, mock: "sse: [\(mock)]", real: "sse: [\(real)]",
      """
      connections: { news: { sse: { endpoint: api, path: /news, headers: { X-Key: k } } } }
      steps:
        - connect: news
        \(steps)
        - disconnect: news
      """, drifts: drifts)
  }

  private static let three = """
    { accept: {}, script: [{ event: { data: 1 } }, { event: { id: b, data: { n: 2 } } }, \
    { event: { data: 3 } }, { wait: 1h }] }
    """

  private static func lines(_ numbers: String) -> String {
    """
    { accept: {}, script: [{ forEach: { n: \(numbers) }, \
    steps: [{ event: { data: { n: '${n}' } } }] }, { wait: 1h }] }
    """
  }

  private static let streams = [
    stream(
      "the same events, and more",
      mock: """
        { accept: {}, script: [{ event: { data: 1 } }, { wait: 1h }, \
        { event: { data: { n: 2 } } }] }
        """, real: three, "- expect: { news: [{ data: '1' }, { id: b }, { data: '3' }] }"),
    stream(
      "another field of an event",
      mock: """
        { accept: {}, script: [{ event: { data: 1 } }, { forEach: { n: [4, 5] },
          steps: [{ event: { data: { n: "${n}" } } }] }] }
        """, real: three, "- expect: { news: [{ data: '1' }, { id: b }, { data: '3' }] }",
      drifts: ["drift \"${n}\": `.data.n` is 2"]),
    stream(
      "an event that is missing",
      mock: """
        { accept: {}, script: [{ event: { data: 1 } }, { event: { data: 3 } }, \
        { event: { data: 4 } }] }
        """, real: "{ accept: {}, script: [{ event: { data: 1 } }, { event: { data: 3 } }] }",
      """
      - expect:
            news: [{ data: '1' }, { data: '3' }]
            news.state: [connecting, connected, { disconnected: { $any: true } }]
      """,
      drifts: ["drift 4: this did not come"]),
    stream(
      "an event that does not come in time",
      mock: "{ accept: {}, script: [{ event: { data: 1 } }] }",
      real: "{ accept: {}, script: [{ wait: 1h }] }",
      "- expect: { news: { data: '1' } }\n    within: 800ms",
      drifts: ["drift 1: this did not come", "not-in-time"]),
    DriftCase(
      "another line", mock: "ndjson: [\(lines("[1, 3]"))]", real: "ndjson: [\(lines("[1, 2]"))]",
      """
      connections: { rows: { ndjson: { endpoint: api, path: /rows } } }
      steps:
        - connect: rows
        - expect: { rows: [{ n: 1 }, { n: 2 }] }
        - disconnect: rows
      """, drifts: ["drift '${n}': `.n` is 2"]),
    stream(
      "a connection that is made again",
      mock: """
        { accept: {}, script: [{ event: { data: 1 } }, { wait: 1h }] }, \
        { accept: {}, script: [{ event: { data: 2 } }, { wait: 1h }] }
        """,
      real: "{ accept: {}, script: [{ event: { data: 1 } }, { wait: 1h }] }",
      """
      - expect: { news: { data: '1' } }
        - disconnect: news
        - connect: news
        - expect: { news: { data: '1' } }
      """, drifts: ["drift 2: `.data` is \"1\""]),
    stream(
      "a stream that is refused", mock: "{ accept: {}, script: [{ event: { data: 1 } }] }",
      real: "{ refuse: { status: 403 } }",
      "- expect: { news.state: [connecting, { disconnected: { streamError: { status: 403 } } }] }",
      drifts: ["drift { accept: {}, script: [{ event: { data: 1 } }] }: `.status` is 403"]),
    stream(
      "a request that the mock does not take",
      mock: "{ accept: { headers: { x-key: j } }, script: [] }",
      real: three, "- expect: { news: [{ data: '1' }, { id: b }, { data: '3' }] }",
      drifts: ["drift { accept: { headers: { x-key: j } }, script: [] }: the closest entry"]),
  ]

  private static func socket(
    _ name: String, mock: String, real: String, drifts: [String] = []
  ) -> DriftCase {
    DriftCase(
      name, mock: "websocket: [\(mock)]", real: "websocket: [\(real)]",
      """
      connections: { chat: { websocket: { endpoint: api, path: /, protocols: [v2, v1] } } }
      steps:
        - connect: chat
        - expect: { chat.state: [connecting, { connected: { $any: true } }] }
        - send: { chat: { hello: Ada } }
        - expect: { chat: { greeting: Hello Ada } }
        - ignore: [chat.state]
        - disconnect: chat
      """, drifts: drifts)
  }

  private static let greeter = """
    { accept: { protocol: v1 }, script: [{ receive: { hello: { $as: name } } }, \
    { send: { greeting: "Hello ${name}", id: 1 } }, { wait: 1h }] }
    """

  private static let sockets = [
    socket("a talk as it is written", mock: greeter, real: greeter),
    socket(
      "another subprotocol",
      mock: "{ accept: { protocol: v2 }, script: [] }", real: greeter,
      drifts: ["drift v2: `.protocol` is v1"]),
    socket(
      "another message",
      mock: """
        { accept: {}, script: [{ receive: { hello: { $as: name } } }, \
        { send: { greeting: "Hi ${name}" } }, { send: never }] }
        """, real: greeter, drifts: ["drift \"Hi ${name}\": `.greeting` is \"Hello Ada\""]),
    socket(
      "a message that the mock does not take",
      mock: "{ accept: {}, script: [{ receive: { hello: Bob } }, { send: 1 }] }", real: greeter,
      drifts: ["drift Bob: `.hello` is \"Ada\""]),
  ]
}
