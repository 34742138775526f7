import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values
import Verdicts

@testable import TraceRecording

/// What a replay compares, and what it does not.
@Suite struct ReplayRulesTests {
  private static let headers = """
    scenario: Headers
    endpoints: { api: { http: [{ get: /a, respond: { json: 1 } }] } }
    steps:
      - request: { endpoint: api, get: /a, headers: { Accept: text/a } }
    """

  @Test(arguments: [
    ("\"accept\":\"text/a\"", "\"accept\":\"text/b\"", false),
    ("\"host\":\"api\"", "\"host\":\"another\"", true),
  ])
  func `a header is compared if the scenario writes it`(
    old: String, new: String, isEqual: Bool
  ) throws {
    let replayed = try replay(Self.headers) { $0.replacing(old, with: new) }
    #expect(replayed.comparison.divergences.isEmpty == isEqual)
  }

  /// A redirect of a real endpoint, whose URL begins with another host and a path.
  @Test(arguments: ["http://shop.example:8080/v1/end", "/v1/end", "/end"])
  func `a redirect of a real endpoint leads where it led in the recording`(
    location: String
  ) throws {
    let text = """
      scenario: A redirect
      endpoints:
        api:
          http:
            - { get: /a, respond: { status: 302, headers: { Location: /end } } }
            - { get: /end, respond: { json: 1 } }
      steps:
        - request: { endpoint: api, get: /a, redirects: 1, expect: { json: 1, path: /end } }
      """
    let replayed = try replay(text) { trace in
      trace.replacing("\"worlds\":{\"api\":\"mock\"}", with: "\"worlds\":{\"api\":\"real\"}")
        .replacing("\"location\":\"/end\"", with: "\"location\":\"\(location)\"")
    }
    #expect(replayed.comparison.divergences.isEmpty)
    #expect(replayed.verdict.outcome == .passed, "\(replayed.verdict.failures.map(\.message))")
  }

  @Test func `a WebSocket of a real endpoint opens without the headers that a trace leaves out`()
    throws
  {
    let text = """
      scenario: A room
      endpoints:
        chat: { websocket: [{ accept: {}, script: [{ receive: hi }, { send: there }] }] }
      connections: { room: { websocket: { endpoint: chat, path: / } } }
      steps:
        - ignore: [chat, room.state]
        - connect: room
        - send: { room: hi }
        - expect: { room: there }
      """
    let replayed = try replay(text) { trace in
      trace.replacing(#/"sec-websocket-(key|accept)":"[^"]*",/#, with: "")
    }
    #expect(replayed.comparison.divergences.isEmpty)
    #expect(replayed.verdict.outcome == .passed, "\(replayed.verdict.failures.map(\.message))")
  }

  /// The scenario has the bytes that the trace must have as its only line of the kind.
  @Test(arguments: [
    (
      // Of a message in frames, with a pong between them, and an unknown opcode.
      """
      endpoints:
        chat:
          websocket:
            - accept: {}
              script:
                - send: hi
                - bytes: [{ hex: 01 01 61 }, { hex: 8a 00 80 01 62 01 01 61 }, { hex: 8a 00 }]
                - bytes: { hex: 83 00 }
                - wait: forever
      connections: { room: { websocket: { endpoint: chat, path: / } } }
      steps:
        - ignore: [chat, room.state]
        - connect: room
        - expect: { room: [hi, ab] }
        - check: room.state.disconnected.connectionLost.receiveFailed == 'websocket-unknown-opcode'
      """, [0x01, 0x01, 0x61, 0x83, 0x00]
    ),
    (
      // Of an answer, all.
      """
      endpoints: { api: { http: [{ get: /, respond: { text: abcd, fault: partialBody } }] } }
      steps: [{ fails: { request: { endpoint: api, get: / } } }]
      """,
      Array(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nab".utf8)
    ),
  ])
  func `what broke the rules or was cut is in the trace, and is replayed`(
    text: String, bytes: [UInt8]
  ) throws {
    let replayed = try replay("scenario: A\n" + text) { trace in
      let recorded = trace.split(separator: "\n").filter { $0.contains("\"kind\":\"bytes\"") }
      #expect(recorded.count == 1, "\(trace)")
      #expect(recorded.allSatisfy { $0.contains("\"\(Base64.encode(bytes))\"") }, "\(recorded)")
      return trace
    }
    #expect(replayed.comparison.divergences.isEmpty)
    #expect(replayed.verdict.outcome == .passed, "\(replayed.verdict.failures.map(\.message))")
  }

  @Test func `a stream that breaks the rules of HTTP is replayed with its head`() throws {
    let replayed = try replay(
      """
      scenario: A
      endpoints:
        api:
          http:
            - get: /
              respond:
                headers: { Content-Type: text/event-stream }
                text: a
                fault: malformedChunk
      connections: { news: { sse: { endpoint: api, path: / } } }
      steps:
        - ignore: [api, news.state]
        - connect: news
        - check: has(news.state.disconnected.streamError)
      """
    ) { trace in
      #expect(trace.contains("\"kind\":\"bytes\""), "\(trace)")
      return trace
    }
    #expect(replayed.comparison.divergences.isEmpty)
    #expect(replayed.verdict.outcome == .passed, "\(replayed.verdict.failures.map(\.message))")
  }

  @Test func `raw bytes of a real endpoint have neither other headers nor a body`() {
    let bytes = "HTTP/1.1 200 OK\r\nSet-Cookie: s=1\r\nContent-Length: 9\r\n\r\n{\"token\":"
    let line = TrafficLines(allowsFewHeaders: true).line(for: .bytes(Array(bytes.utf8)))
    #expect(
      line.value == TraceValue(.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n".utf8))))
  }

  private func replay(_ text: String, altered: (String) -> String) throws -> ReplayedRun {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    #expect(file.complaints == [])
    let one = CorpusRun(plan: try #require(file.plans.first), row: nil, sources: file.sources)
    let trace = altered(TracedRun(one).text)
    let run = try #require(ReadTrace(Array(trace.utf8)).runs.first)
    return ScenarioRuns.replay(
      one.plan, by: run, inputs: RunInputs(seed: 1), sources: one.sources)
  }
}

/// A failed scenario, and the run of it that was recorded when it passed.
@Suite struct GoodRunTests {
  private static let shop = """
    scenario: A shop
    endpoints: { api: { http: [{ get: /a, respond: { json: { price: 1 }, after: 1s } }] } }
    providers: { price: { endpoint: api, get: /a, value: "${response.json.price}" } }
    reactors: { page: { state: { price: none }, actions: { go: [{ load: { price: price } }] } } }
    steps:
      - ignore: [api]
      - send: page.go
      - expect: { page.price: [loading, { loaded: 1 }] }
    """

  @Test(arguments: [
    (
      "price: 1 }", "price: 2 }", 8, "api response 200 {\"price\":1} at 1s",
      "api response 200 {\"price\":2} at 1s"
    ),
    ("after: 1s", "after: 6s", 8, "api response 200 {\"price\":1} at 1s", "nothing"),
  ])
  func `a failure shows where the run left the recorded good run first`(
    old: String, new: String, line: Int, recorded: String, now: String
  ) throws {
    try expect(
      [
        "= good run  traces/a.a-shop.trace.jsonl:\(line) is where this run left it first; the "
          + "scenario has changed since", "= recorded  \(recorded)\n", "= now       \(now)\n",
      ], onReplacing: old, with: new)
  }

  @Test func `a failure says that the run left no event of the good run`() throws {
    try expect(
      [
        "= good run  traces/a.a-shop.trace.jsonl: the same events up to 1s; the scenario has "
          + "changed since"
      ], onReplacing: "loaded: 1", with: "loaded: 2")
  }

  private func expect(
    _ notes: [String], onReplacing old: String, with new: String
  ) throws {
    let folder = try TemporaryFolder()
    let scenario = folder.file("a.scenario.yaml")
    #expect(folder.write("a.scenario.yaml", Self.shop))
    let recording = try #require(
      SpawnedCommand(["run", scenario, "--record=" + folder.file("traces")]))
    #expect(recording.exitCode() == 0, "\(recording.said)")
    #expect(folder.write("a.scenario.yaml", Self.shop.replacing(old, with: new)))
    let failed = try #require(SpawnedCommand(["run", scenario]))
    #expect(failed.exitCode() == 1)
    let said = failed.said.replacing(folder.file(""), with: "")
    for note in notes { #expect(said.contains(note), "\(said)") }
    let again = try #require(SpawnedCommand(["run", scenario, "--format", "json"]))
    #expect(again.exitCode() == 1)
    #expect(again.said.contains("{\"name\":\"good run\",\"text\":"))
  }
}
