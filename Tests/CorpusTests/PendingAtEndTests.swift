import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts

/// Exactly the operations that are pending at the end of a scenario are reported.
@Suite struct OpenEndTests {
  private static let stage = """
    scenario: Open ends
    endpoints:
      feed:
        sse: [{ accept: {}, script: [{ event: one }, { wait: forever }] }]
      lines:
        ndjson: [{ accept: {}, script: [{ event: { data: one } }, { wait: forever }] }]
      chat:
        websocket: [{ accept: {}, script: [{ wait: forever }] }]
      gone:
        sse: [{ refuse: { status: 503 } }]
      api:
        http:
          - { get: /stalled, respond: stall }
          - { get: /broken, respond: { status: 503 } }
          - { get: /fact, respond: { text: Cats sleep } }
    connections:
      news: { sse: { endpoint: feed, path: /news } }
      changes: { ndjson: { endpoint: lines, path: /changes } }
      room: { websocket: { endpoint: chat, path: /room } }
      lost: { sse: { endpoint: gone, path: / }, retry: { initialDelay: 1m } }
    providers:
      stalled: { endpoint: api, get: /stalled }
      fact: { endpoint: api, get: /fact }
      broken: { endpoint: api, get: /broken, retry: { initialDelay: 1m } }
    reactors:
      page:
        state: { a: none }
        actions:
          stalled: [{ load: { a: stalled } }]
          broken: [{ load: { a: broken } }]
          fact: [{ load: { a: fact } }]
    steps:
      - ignore: [feed, lines, chat, gone, api, news, changes, room, lost, page.a]
      - ignore: [news.state, changes.state, room.state, lost.state]

    """

  private static let cases: [(steps: String, open: [String])] = [
    ("- connect: news\n- wait: 10ms", ["sse news feed connected"]),
    ("- connect: changes\n- wait: 10ms", ["ndjson changes lines connected"]),
    ("- connect: room\n- wait: 10ms", ["websocket room chat connected"]),
    ("- network: { latency: 1s }\n- connect: news", ["sse news feed connecting"]),
    ("- connect: lost\n- wait: 10ms", ["sse lost gone pausing"]),
    ("- send: page.stalled\n- wait: 10ms", ["request GET /stalled api unanswered"]),
    ("- send: page.broken\n- wait: 10ms", ["request GET /broken api pausing"]),
    ("- send: page.fact\n- wait: 10ms", []),
    ("- request: { endpoint: api, get: /fact }", []),
    ("- connect: news\n- wait: 10ms\n- disconnect: news", []),
    ("- connect: room\n- wait: 10ms\n- disconnect: room\n- wait: 10ms", []),
    (
      "- send: page.stalled\n- connect: room\n- connect: news\n- wait: 10ms",
      [
        "sse news feed connected", "websocket room chat connected",
        "request GET /stalled api unanswered",
      ]
    ),
  ]

  @Test(arguments: cases.indices)
  func `an operation that is pending at the end is reported, and fails nothing`(place: Int) throws {
    let (steps, open) = OpenEndTests.cases[place]
    for world in [WorldKind.mock, .sockets] {
      let verdict = try run(steps, in: world).verdict
      #expect(verdict.pendingAtEnd.first.map(text) == open, "\(steps) \(world.name)")
      #expect(verdict.outcome == .passed, "\(steps) \(world.name) \(verdict.failures)")
    }
  }

  @Test func `what finally ends is not left open`() throws {
    let verdict = try run("- connect: news\n- wait: 10ms\nfinally:\n  - disconnect: news").verdict
    #expect(verdict.pendingAtEnd.first == [])
    #expect(verdict.outcome == .passed)
  }

  @Test func `a scenario that fails also reports its pending operations, and since when`() throws {
    let judged = try run("- wait: 3ms\n- connect: room\n- wait: 10ms\n- check: 1 == 2")
    #expect(judged.verdict.outcome == .failed)
    #expect(judged.verdict.pendingAtEnd.first.map(text) == ["websocket room chat connected"])
    #expect(judged.verdict.pendingAtEnd.first.map(\.since) == [3_000])
  }

  @Test func `judging the log again finds the same open`() throws {
    let steps = "- connect: news\n- send: page.stalled\n- wait: 10ms"
    let file = try load(steps)
    let plan = try #require(file.plans.first)
    let judged = runScenario(plan, inputs: RunInputs(seed: 1))
    let again = judge(judged.log, plan: plan)
    #expect(again.pendingAtEnd.first == judged.verdict.pendingAtEnd.first)
    #expect(again.pendingAtEnd.first.count == 2)
  }

  private func text(_ thing: PendingAtEnd) -> String {
    "\(thing.kind) \(thing.name) \(thing.endpoint) \(thing.state)"
  }

  private func load(_ steps: String) throws -> LoadedFile {
    let lines = steps.split(separator: "\n").map { $0.hasPrefix("-") ? "  \($0)" : "\($0)" }
    let text = OpenEndTests.stage + lines.joined(separator: "\n")
    return loadScenarios(SourceFile(path: "open.yaml", text: text))
  }

  private func run(_ steps: String, in world: WorldKind = .mock) throws -> JudgedRun {
    let file = try load(steps)
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    return runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: world)
  }
}
