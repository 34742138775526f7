import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values
import Verdicts

/// Scenarios whose endpoints answer as they did in a trace.
@Suite struct TraceWorldTests {
  @Test(arguments: Corpus.sample(of: Corpus.passing, every: 10))
  func `a scenario holds against its own trace`(path: String) throws {
    let runs = TracedRun.runs(of: path).filter { !$0.plan.endpoints.isEmpty }
    for one in runs where one.plan.reasonToSkip(in: .trace(TraceWorld(""))) == nil {
      let world = try world([TracedRun(one).text])
      let verdict = one.run(in: world).verdict
      if verdict.obstacle == .scenario { continue }
      if let reason = Self.exceptions[one.plan.title] {
        #expect(verdict.outcome == .failed, "\(one.title) holds; the list says: \(reason)")
      } else {
        #expect(verdict.outcome == .passed, "\(one.title): \(verdict.failures.map(\.message))")
      }
    }
  }

  /// The scenarios that are other ones in the world of their own trace, and why.
  private static let exceptions = [
    "Where there is nobody to serve, the step fails": "a `serve` step does nothing, and holds",
    "A network of single bytes brings single bytes, and latency is exact":
      "a trace has answers, and not the pieces in which they came",
    "A server's heartbeat does not hear a client that sleeps":
      "a trace has when something came, at the waking, and not when it was sent",
  ]

  private static func has(_ program: String) -> Bool {
    SpawnedCommand(["--version"], program: program)?.exitCode() == 0
  }

  private static func program(price: Int) -> String {
    """
    scenario: A program asks for a price
    endpoints:
      api: { http: [{ get: /price, respond: { json: { price: \(price) } } }] }
    programs:
      client:
        run:
          - python3
          - -c
          - |
            import os, urllib.request
            print(urllib.request.urlopen(os.environ["URL"] + "/price").read().decode())
        env: { URL: "${api.url}" }
    steps:
      - expect: { client: { price: 41 } }
      - expect: { api: { get: /price } }

    """
  }

  @Test(.enabled(if: has("python3"), "python3 is not installed"))
  func `a program gets the answers of a trace on a socket`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.yaml", Self.program(price: 41)))
    func run(_ words: String...) throws -> (code: Int?, said: String) {
      let command = try #require(SpawnedCommand(["run", folder.file("a.yaml")] + words))
      let code = command.exitCode()
      return (code.map { Int($0) }, command.said)
    }
    let recorded = try run("--record=" + folder.file("traces"))
    #expect(recorded.code == 0, "\(recorded.said)")
    #expect(folder.write("a.yaml", Self.program(price: 42)))
    #expect(try run().code == 1)
    let played = try run("--against", "trace:" + folder.file("traces"))
    #expect(played.code == 0, "\(played.said)")
    let other = Self.program(price: 42).replacing("+ \"/price\"", with: "+ \"/cost\"")
    #expect(folder.write("a.yaml", other))
    let asked = try run("--against", "trace:" + folder.file("traces"))
    #expect(asked.code == 1)
    #expect(asked.said.contains("request-not-in-trace"), "\(asked.said)")
  }

  @Test func `a line that is missing in a trace is named before the run`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.yaml", Self.shop))
    let path = folder.file("a.trace.jsonl")
    let one = try #require(TracedRun.runs(of: folder.file("a.yaml")).first)
    var lines = TracedRun(one).text.split(separator: "\n")
    lines.remove(at: 4)
    #expect(folder.write("a.trace.jsonl", lines.joined(separator: "\n") + "\n"))
    let words = ["run", folder.file("a.yaml"), "--against", "trace:" + path]
    let command = try #require(SpawnedCommand(words))
    _ = command.exitCode()
    #expect(command.said.contains("warning[trace-number]"), "\(command.said)")
  }

  private static let shop = """
    scenario: A shop
    endpoints:
      api:
        http:
          - { get: /items, when: "request.query.page == '1'", respond: { json: [a], after: 1s } }
          - { get: /items, respond: { json: [b] } }
          - { post: /orders, respond: [{ status: 503 }, { status: 201, json: { id: 7 } }] }
      chat:
        websocket:
          - accept: { path: /ws }
            script:
              - receive: { hello: { $any: true } }
              - wait: 200ms
              - send: { welcome: you }
              - wait: 1s
              - send: { still: there }
    connections:
      room: { websocket: { endpoint: chat, path: /ws } }
    steps:
      - request: { endpoint: api, get: /items, query: { page: 1 } }
      - request: { endpoint: api, get: /items, query: { page: 2 } }
      - request: { endpoint: api, post: /orders, json: { item: a, at: 1 } }
      - request: { endpoint: api, post: /orders, json: { item: a, at: 1 } }
      - connect: room
      - send: { room: { hello: me } }
      - expect: [{ room: { welcome: you } }, { room: { still: there } }]

    """
  private static let endpoints =
    "endpoints: { api: { http: [] }, chat: {} }\n"
    + "connections: { room: { websocket: { endpoint: chat, path: /ws } } }\n"

  @Test(arguments: [
    // Answers come in the recorded order, and the last one repeats.
    """
    - request: { endpoint: api, post: /orders, json: { at: 1, item: a }, expect: { status: 503 } }
    - request: { endpoint: api, post: /orders, json: { at: 1, item: a }, expect: { status: 201 } }
    - request: { endpoint: api, post: /orders, json: { at: 1, item: a }, expect: { status: 201 } }
    """,
    // An answer comes as long after its request as in the trace.
    """
    - wait: 1h
    - request: { endpoint: api, get: /items?page=1, expect: { json: [a], within: 1s } }
    - check: now() == timestamp('2000-01-01T01:00:01Z')
    """,
    // A message waits for the one that it answers.
    """
    - connect: room
    - never: [room]
      for: 10s
    - send: { room: { hello: somebody } }
    - expect:
        - room: { welcome: you }
          after: 200ms
        - room: { still: there }
          after: 1s
    """,
    // The endpoint emits what clients send.
    """
    - request: { endpoint: api, get: /items?page=2 }
    - check: count(api) == 1
    """,
  ])
  func `a scenario of its own is answered by the trace`(steps: String) throws {
    let verdict = try verdict(of: Self.endpoints + "steps:\n" + steps, Self.shop)
    #expect(verdict.outcome == .passed, "\(verdict.failures.map(\.message))")
    #expect(verdict.warnings.map(\.id) == [])
  }

  @Test func `a request that the trace does not hold fails at its step, with the nearest`() throws {
    let steps = "steps:\n- request: { endpoint: api, get: /items, query: { page: 3 } }"
    let verdict = try verdict(of: Self.endpoints + steps, Self.shop)
    let failure = try #require(verdict.failures.first)
    #expect(failure.id == "request-not-in-trace")
    let notes = failure.notes.map(\.text)
    #expect(notes.contains { $0.hasSuffix("a.trace.jsonl:3  GET /items?page=1") }, "\(notes)")
    #expect(notes.contains("query.page: recorded \"1\", asked \"3\""), "\(notes)")
  }

  @Test(arguments: [
    ("api: { http: [] }, chat: {}", "post: /orders, json: { item: b }", ["inexact-answer"]),
    (
      "api: {}, other: { http: [{ get: /x, respond: { status: 200 } }] }", "get: /items?page=2",
      ["mock-beside-trace"]
    ),
  ])
  func `a warning names what the trace did not answer exactly`(
    endpoints: String, request: String, warnings: [DiagnosticID]
  ) throws {
    let verdict = try verdict(
      of: "endpoints: { \(endpoints) }\nsteps: [{ request: { endpoint: api, \(request) } }]",
      Self.shop)
    #expect(verdict.outcome == .passed, "\(verdict.failures.map(\.message))")
    #expect(verdict.warnings.map(\.id) == warnings)
  }

  @Test func `a scenario without an endpoint of the trace does not run`() throws {
    let verdict = try verdict(
      of: "endpoints: { app: {} }\nsteps: [{ wait: 1s }]", Self.shop)
    #expect(verdict.outcome == .couldNotRun)
    #expect(verdict.failures.map(\.id) == ["trace-without-endpoint"])
  }

  @Test func `the traces of a folder answer together, in the order of their names`() throws {
    let first =
      "endpoints: { api: { http: [{ get: /a, respond: { json: 1 } }] } }\n"
      + "steps: [{ request: { endpoint: api, get: /a } }]"
    let second = first.replacing("json: 1", with: "json: 2")
    let steps = """
      endpoints: { api: {} }
      steps:
        - request: { endpoint: api, get: /a, expect: { json: 1 } }
        - request: { endpoint: api, get: /a, expect: { json: 2 } }
      """
    let verdict = try verdict(of: steps, "scenario: A\n" + first, "scenario: A\n" + second)
    #expect(verdict.outcome == .passed, "\(verdict.failures.map(\.message))")
  }

  private func verdict(of text: String, _ recorded: String...) throws -> Verdict {
    let traces = try recorded.map { try TracedRun(run(of: $0)).text }
    return try run(of: "scenario: B\n" + text).run(in: world(traces)).verdict
  }

  private func run(of text: String) throws -> CorpusRun {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    #expect(file.complaints == [])
    return CorpusRun(plan: try #require(file.plans.first), row: nil, sources: file.sources)
  }

  private func world(_ traces: [String]) throws -> WorldKind {
    let folder = try TemporaryFolder()
    for (name, text) in zip(["a", "b"], traces) {
      let isWritten = folder.write("\(name).trace.jsonl", text)
      try #require(isWritten)
    }
    var world = WorldKind.trace(TraceWorld(folder.file("")))
    let reading = world.readTraces()
    #expect(reading.diagnostics == [])
    return world
  }
}
