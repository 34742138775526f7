import ScenarioRuns
import TestKit
import Testing
import Values

/// Secrets in every place of a trace: recorded, searched, replayed, and as a world.
@Suite struct TraceSecretsTests {
  /// A place at which a scenario has the secret `s`, as a step.
  struct Place: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let step: String

    init(_ name: String, _ step: String) { (testDescription, self.step) = (name, step) }

    static func request(_ name: String, _ members: String) -> Place {
      Place(name, "request: { endpoint: api, \(members), expect: { status: 200 } }")
    }
  }

  private static let places: [Place] = [
    .request("a header", "get: /a, headers: { X-Key: 'a ${s} b' }"),
    .request("a password", "get: /a, auth: { basic: { user: ann, password: '${s}' } }"),
    .request("a long user", "get: /a, auth: { basic: { user: annabelle, password: '${s}' } }"),
    .request("a user", "get: /a, auth: { basic: { user: '${s}', password: pw } }"),
    .request("a bearer token", "get: /a, auth: { bearer: '${s}' }"),
    .request("a written header", "get: /a, headers: { Authorization: \(written) }"),
    .request("a query", "get: /a, query: { q: '${s}', n: 1 }"),
    .request("a path", "get: '/${s}'"),
    .request("a form", "post: /a, form: { k: '${s}', n: 1 }"),
    .request("JSON", "post: /a, json: { k: '${s}', list: ['x ${s}'] }"),
    .request("a key of JSON", "post: /a, json: \"${ {s: 1} }\""),
    .request("text", "post: /a, text: 'k=${s}'"),
    .request("a cookie", "get: /a, cookies: { sid: '${s}' }"),
    .request("parts", "post: /a, multipart: [{ name: k, text: '${s}' }]"),
    .request("JSON in JSON", "post: /a, json: { k: '${json.encode({\"k\": s})}' }"),
    .request("Base64", "post: /a, json: { k: '${base64.encode(bytes(s))}' }"),
    .request("bytes", "post: /a, json: { k: '${s + \"!\"}' }"),
    Place("a message", "send: { chat: { k: '${s}' } }"),
    Place("a text message", "send: { chat: 'say ${s}' }"),
    Place("a node", "set: { kept: { k: '${s}' } }"),
    Place("a stream", "send: { out: 'say ${s}' }"),
    Place("a log", "log: 'say ${s}'"),
  ]
  private static let written = #""${'basic ' + base64.encode(bytes('ann:' + s))}""#

  /// Letters that encodings change, one that is short, and one of bytes that JSON escapes.
  private static let secrets = ["Zk7q+9 vx", "tea", #"q"Zk\9"#, "Zkü-9‰", "Zk%41+&=9"]

  private static func scenario(_ place: Place, _ secret: String) -> String {
    """
    scenario: A place of a secret
    vars: { s: { value: \(Value.string(secret).json()), secret: true } }
    endpoints:
      api: { http: [{ get: "/{x}", respond: { json: 1 } }, { post: "/{x}", respond: { json: 1 } }] }
      room: { websocket: [{ accept: {}, script: [{ wait: forever }] }] }
    connections: { chat: { websocket: { endpoint: room, path: / } } }
    graph: { kept: none }
    streams: { out: { subject: "" } }
    steps:
      - ignore: [api, room, kept, out, chat.state]
      - connect: chat
      - \(place.step)
      - wait: 1ms

    """
  }

  @Test(arguments: places)
  func `a trace has no secret in any place, and is replayed without it`(place: Place) throws {
    // Three bytes are so short in Base64 that they occur by chance.
    for secret in Self.secrets where place.testDescription != "Base64" || secret != "tea" {
      let folder = try TemporaryFolder()
      let isWritten = folder.write("a.yaml", Self.scenario(place, secret))
      try #require(isWritten)
      try expect(["run", folder.file("a.yaml"), "--record=" + folder.file("traces")], secret)
      let path = folder.file("traces/a.a-place-of-a-secret.trace.jsonl")
      let trace = try #require(folder.text("traces/a.a-place-of-a-secret.trace.jsonl"))
      #expect(trace.contains("‹s›"), "\(secret): \(trace)")
      for form in Self.forms(of: secret) {
        #expect(!trace.contains(form), "\(secret): \(form) is in \(trace)")
      }
      try expect(["replay", path], secret)
      let blind = folder.write("a.yaml", Self.scenario(place, "another"))
      try #require(blind)
      try expect(["replay", path], secret)
      try expect(["replay", path, "--var", "s=" + secret], secret)
      if place.step.hasPrefix("request") {
        try expect(["run", folder.file("a.yaml"), "--against", "trace:" + path], secret)
      }
    }
  }

  /// The ways in which a trace must not show a secret.
  private static func forms(of secret: String) -> [String] {
    let bytes = Array(secret.utf8)
    let code = Base64.encode(bytes)
    let percent = bytes.map { "%" + String($0, radix: 16) }.joined()
    return [
      secret, String(Value.string(secret).json().dropFirst().dropLast()), code,
      Base64.encode(Array("ann:".utf8) + bytes), percent, percent.uppercased(),
      String(Base64.encode(Array("annabelle:".utf8) + bytes).dropLast(4)),
    ]
  }

  fileprivate func expect(_ words: [String], _ secret: String) throws {
    let command = try #require(SpawnedCommand(words))
    let code = command.exitCode()
    #expect(code == 0, "\(secret): \(words): \(command.said)")
  }

  /// Steps that capture a secret of an answer, which earlier lines have as well.
  private static let captures: [Place] = [
    .login("a part of JSON", "json: { token: \(captured) }"),
    .login("a header", "headers: { X-T: \(captured) }"),
    .login("a cookie", "cookies: { sid: \(captured) }"),
    Place("an event", "expect: { news: { data: { token: \(captured) } } }"),
    Place("a text event", "expect: { more: { data: \(captured) } }"),
    Place("a message", "expect: { chat: { token: \(captured) } }"),
    Place("a line", "expect: { rows: { token: \(captured) } }"),
  ]
  fileprivate static let captured = "{ $as: s, $secret: true }"

  private static func scenario(capturing place: Place) -> String {
    let clients = ["news", "more", "chat", "rows"]
    let client = clients.first { place.step.hasPrefix("expect: { \($0):") }
    let event =
      "accept: {}, script: [{ event: { data: { token: srv-Zk-991 } } }, { wait: forever }]"
    return """
      scenario: A secret of an answer
      endpoints:
        api:
          http:
            - post: /login
              respond:
                headers: { X-T: srv-Zk-991, Set-Cookie: sid=srv-Zk-991 }
                json: { token: srv-Zk-991, n: 1 }
            - { post: /use, respond: { json: 1 } }
        feed: { sse: [{ \(event) }] }
        tail: { sse: [{ accept: {}, script: [{ event: srv-Zk-991 }, { wait: forever }] }] }
        room:
          websocket: [{ accept: {}, script: [{ send: { token: srv-Zk-991 } }, { wait: forever }] }]
        list: { ndjson: [{ \(event) }] }
      connections:
        news: { sse: { endpoint: feed, path: / } }
        more: { sse: { endpoint: tail, path: / } }
        chat: { websocket: { endpoint: room, path: / } }
        rows: { ndjson: { endpoint: list, path: / } }
      steps:
        - ignore: [api, feed, tail, room, list, news.state, more.state, chat.state, rows.state]
        - \(client.map { "connect: \($0)" } ?? "check: true")
        - \(place.step)
        - request:
            endpoint: api
            post: /use
            auth: { basic: { user: ann, password: "${s}" } }
            json: { t: "${s}" }
            expect: { status: 200 }

      """
  }

  @Test(arguments: captures)
  func `a secret that an answer has is not in the line of that answer`(place: Place) throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.yaml", Self.scenario(capturing: place))
    try #require(isWritten)
    try expect(["run", folder.file("a.yaml"), "--record=" + folder.file("traces")], "captured")
    let path = folder.file("traces/a.a-secret-of-an-answer.trace.jsonl")
    let trace = try #require(folder.text("traces/a.a-secret-of-an-answer.trace.jsonl"))
    for form in Self.forms(of: "srv-Zk-991") { #expect(!trace.contains(form), "\(trace)") }
    try expect(["replay", path], "captured")
  }
}

/// Captures of whole bodies.
extension TraceSecretsTests {
  private static func scenario(using step: String) -> String {
    """
    scenario: A secret body
    endpoints:
      api:
        http:
          - { get: /me, respond: { json: { name: Annabel, level: 1, tags: [gold] } } }
          - { get: /other, respond: { json: { name: Annabel, level: 1, tags: [gold, 2] } } }
          - { post: /use, respond: { json: { level: 1 } } }
    steps:
      - ignore: api
      - request: { endpoint: api, get: /me, expect: { json: { $as: me, $secret: true } } }
      - request: { endpoint: api, get: /other, expect: { json: { level: 1 } } }
      - \(step)

    """
  }

  private func trace(_ scenario: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.yaml", scenario)
    try #require(isWritten)
    try expect(["run", folder.file("a.yaml"), "--record=" + folder.file("traces")], "body")
    let path = folder.file("traces/a.a-secret-body.trace.jsonl")
    let trace = try #require(folder.text("traces/a.a-secret-body.trace.jsonl"))
    try expect(["replay", path], "body")
    return trace.split(separator: "\n").map(String.init)
  }

  @Test func `a body that is captured as a secret is hidden as this body, and nothing else is`()
    throws
  {
    let lines = try trace(Self.scenario(using: "check: true"))
    let answers = lines.filter { $0.contains("\"kind\":\"response\"") }
    try #require(answers.count == 2)
    let hidden = #"{"level":{"$secret":"me"},"name":"‹me›","tags":["‹me›"]}"#
    #expect(answers[0].contains(hidden), "\(answers[0])")
    #expect(answers[1].contains(#"{"level":1,"name":"Annabel","tags":["gold",2]}"#))
    #expect(answers.allSatisfy { $0.contains("\"status\":200") })
  }

  @Test func `a part of a secret body that the scenario uses is hidden everywhere`() throws {
    let step = "request: { endpoint: api, post: /use, json: { n: '${me.name}' } }"
    let lines = try trace(Self.scenario(using: step))
    #expect(!lines.contains { $0.contains("Annabel") }, "\(lines)")
    #expect(lines.contains { $0.contains(#""body":{"level":1}"#) }, "\(lines)")
    #expect(lines.contains { $0.contains(#"["gold",2]"#) }, "\(lines)")
  }

  @Test func `a secret body is hidden in reports as a whole`() throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write(
      "a.yaml",
      Self.scenario(using: "request: { endpoint: api, get: /me, expect: { json: { level: 2 } } }"))
    try #require(isWritten)
    let command = try #require(SpawnedCommand(["run", folder.file("a.yaml")]))
    #expect(command.exitCode() == 1)
    #expect(command.said.contains("level"), "\(command.said)")
    #expect(!command.said.contains("Annabel"), "\(command.said)")
  }
}

extension TraceSecretsTests.Place {
  fileprivate static func login(_ name: String, _ expected: String) -> Self {
    Self(name, "request: { endpoint: api, post: /login, expect: { \(expected) } }")
  }
}
