import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts

/// The same bad lines in memory and over sockets.
@Suite(.serialized) struct FaultsOverSocketsTests {
  /// A client that always reconnects, and an endpoint that sends a lot.
  private static let text = """
    scenario: A line that is bad
    endpoints:
      feed:
        sse:
          - accept: {}
            script:
              - repeat: 40
                steps: [{ event: abcdefghijklmnopqrstuvwxyz }, { event: two }, { wait: 1ms }]
              - wait: forever
      chat:
        websocket:
          - accept: {}
            script:
              - repeat: 40
                steps: [{ send: abcdefghijklmnopqrstuvwxyz }, { send: two }, { wait: 1ms }]
              - wait: forever
    connections:
      news: { sse: { endpoint: feed, path: / }, retry: { initialDelay: 1ms }, idle: 40ms }
      room: { websocket: { endpoint: chat, path: / } }
    steps:
      - ignore: [feed, chat, news, news.state, room, room.state]
      - network: LINE
      - connect: news
      - connect: room
      - wait: 200ms
    """

  @Test(arguments: [
    "refuse: 0.5", "drop: 0.2", "reset: 0.2", "stall: 0.2", "corrupt: 0.4", "duplicate: 0.4",
    "delay: { share: 0.5, upTo: 2ms }", "drop: 0.1, reset: 0.1, corrupt: 0.1, refuse: 0.2",
  ])
  func `the same seed strikes the same faults over sockets as in memory`(faults: String) throws {
    for line in ["{ faults: { \(faults) } }", "{ fragments: [1, 7], faults: { \(faults) } }"] {
      let plan = try plan(line)
      let inMemory = runScenario(plan, inputs: RunInputs(seed: 5), in: .mock).log
      let overSockets = runScenario(plan, inputs: RunInputs(seed: 5), in: .sockets).log
      var compared = 0
      for endpoint in plan.endpoints.indices {
        let expected = strikes(inMemory, at: endpoint)
        let actual = strikes(overSockets, at: endpoint)
        // How far a run comes in its time is a matter of the machine.
        let count = min(expected.count, actual.count, 12)
        #expect(actual.prefix(count) == expected.prefix(count), "\(line)")
        compared += count
      }
      #expect(compared > 0, "\(line)")
    }
  }

  @Test func `bytes are cut at every byte, and arrive as they were sent`() throws {
    let text = """
      scenario: Cut
      endpoints:
        api: { http: [{ post: /echo, respond: { text: "${request.text}" } }] }
        feed: { sse: [{ accept: {}, script: [{ event: ünïcödé }] }] }
      connections: { news: { sse: { endpoint: feed, path: / } } }
      steps:
        - network: { fragments: 1 }
        - request: { endpoint: api, post: /echo, text: "tea", expect: { text: "tea" } }
        - connect: news
        - ignore: [feed, news.state]
        - expect: { news: { data: ünïcödé } }
      """
    let file = loadScenarios(SourceFile(path: "cut.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .sockets)
    let report = run.verdict.failures.map { render($0, in: file.sources) }.joined()
    #expect(run.verdict.outcome == .passed, "\(report)")
  }

  private func plan(_ line: String) throws -> ScenarioPlan {
    let text = FaultsOverSocketsTests.text.replacing("LINE", with: line)
    let file = loadScenarios(SourceFile(path: "bad-line.yaml", text: text))
    return try #require(file.plans.first, "\(file.diagnostics)")
  }

  private func strikes(_ log: EventLog, at endpoint: EndpointID) -> [String] {
    log.events.compactMap { event in
      guard case .faulted(let fault) = event.kind, fault.endpoint == endpoint else { return nil }
      let way = fault.isToServer.map { $0 ? "to the server" : "to the client" } ?? ""
      return "\(fault.connection) \(fault.kind) \(way)"
    }
  }
}
