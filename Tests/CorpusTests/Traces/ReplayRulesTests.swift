import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values
import Verdicts

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

  private func replay(_ text: String, altered: (String) -> String) throws -> ReplayedRun {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    #expect(file.diagnostics == [])
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
