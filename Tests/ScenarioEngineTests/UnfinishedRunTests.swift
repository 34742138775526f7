import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

@testable import LiveWorld
@testable import ScenarioEngine

/// A run that ends frees its world, whatever operation is under way.
@Suite struct UnfinishedRunTests {
  private static let stage = """
    scenario: something is under way when it ends
    endpoints:
      api:
        http:
          - { get: /later, script: [{ wait: 10s }, { respond: { text: hi } }] }
          - { get: /went, script: [{ respond: { text: hi } }, { wait: 10s }] }
          - { get: /stalled, respond: stall }
          - { get: /after, respond: { text: hi, after: 10s } }
          - { get: /broken, respond: { status: 503 } }
      feed:
        sse: [{ accept: {}, script: [{ event: one }, { wait: forever }] }]
      gone: { sse: [{ refuse: { status: 503 } }] }
      lines:
        ndjson: [{ accept: {}, script: [{ event: { data: one } }, { wait: forever }] }]
      chat:
        websocket: [{ accept: {}, script: [{ receive: hello }, { wait: forever }] }]
    connections:
      news: { sse: { endpoint: feed, path: / }, idle: 1m }
      lost: { sse: { endpoint: gone, path: / }, retry: { initialDelay: 1m } }
      changes: { ndjson: { endpoint: lines, path: / } }
      room: { websocket: { endpoint: chat, path: / }, ping: { interval: 1m } }
    providers:
      later: { endpoint: api, get: /later }
      went: { endpoint: api, get: /went }
      stalled: { endpoint: api, get: /stalled }
      broken: { endpoint: api, get: /broken, retry: { initialDelay: 1m } }
      ticked: { stream: ticks }
    lists: { slow: { items: [] } }
    streams:
      ticks: { interval: 1h }
      words: { subject: {} }
      asked: { from: words, through: [{ flatMap: { provider: stalled } }] }
    reactors:
      page:
        state: { a: none, b: none }
        actions:
          later: [{ load: { a: later } }]
          went: [{ load: { a: went } }]
          stalled: [{ load: { a: stalled, b: stalled } }]
          broken: [{ load: { a: broken } }]
          ticked: [{ load: { a: ticked } }]
          list: [{ load: { slow: stalled } }]
          waits: [{ wait: 100s }]
          parts: [{ parallel: [[{ wait: 10s }], [{ load: { a: later } }]] }]
    steps:

    """

  /// The steps before the end. Each starts something that is still under way then.
  private static let under = [
    "send: page.later", "send: page.went", "send: page.stalled", "send: page.broken",
    "send: page.ticked", "send: page.list", "send: page.waits", "send: page.parts",
    "connect: news", "connect: lost", "connect: changes", "connect: room",
    "emit: { words: one }",
    "parallel: [[{ request: { endpoint: api, get: /stalled } }], [{ check: \"false\" }]]",
    "parallel: [[{ request: { endpoint: api, get: /after } }], [{ wait: 4ms }, { check: 1 > 2 }]]",
    "parallel: [[{ expect: { words: one } }], [{ wait: 4ms }, { check: \"1 > 2\" }]]",
    "network: { latency: 1s }\n  - connect: news", "network: { latency: 1s }\n  - send: page.later",
    "network: { faults: { delay: { share: 1, upTo: 1h } } }\n  - connect: room",
    "network: { faults: { stall: 1 } }\n  - send: page.went",
  ]

  @Test(arguments: under, ["wait: 0s", "check: \"false\""])
  func `a world is freed with its run, whatever was under way`(step: String, end: String) throws {
    let text = UnfinishedRunTests.stage + "  - \(step)\n  - wait: 5ms\n  - \(end)\n"
    let file = loadScenarios(SourceFile(path: "x.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    for isReal in [false, true] {
      weak var scheduler: Scheduler?
      weak var loop: EventLoop?
      do {
        let (world, made) = try makeWorld(isReal)
        (scheduler, loop) = (world.scheduler, made)
        _ = runScenario(
          SharedPlan(plan), inputs: RunInputs(seed: 1), judge: ScenarioJudge(plan), in: world)
      }
      #expect(scheduler == nil, "\(isReal ? "sockets" : "memory")")
      #expect(loop == nil)
    }
  }

  private func makeWorld(_ isReal: Bool) throws -> (RunWorld, EventLoop?) {
    guard isReal else { return (.simulated(), nil) }
    let scheduler = Scheduler()
    let loop = try #require(EventLoop(scheduler))
    let network = SocketNetwork(on: loop)
    return (RunWorld(scheduler: scheduler, network: network, wall: loop), loop)
  }
}
