import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing

/// A client's machine that sleeps in real time.
@Suite struct SleepOverSocketsTests {
  private static let scenario = """
    scenario: Over sockets, bytes wait for the waking and timers keep what was left
    endpoints:
      feed:
        sse:
          - accept: {}
            script: [{ wait: 100ms }, { event: { data: one } }, { wait: forever }]
    connections:
      news: { sse: { endpoint: feed, path: / } }
    reactors:
      kettle:
        state: { isDone: false }
        actions:
          boil: [{ wait: 200ms }, { set: { isDone: true } }]
    steps:
      - connect: news
      - ignore: [feed, news.state]
      - send: kettle.boil
      - suspend: 600ms
      - expect:
          - { news: { data: one }, after: 600ms }
          - { kettle.isDone: true, after: 200ms }

    """

  @Test func `bytes wait for the waking, and timers keep what was left`() throws {
    let file = loadScenarios(SourceFile(path: "sleep.scenario.yaml", text: Self.scenario))
    let plan = try #require(file.plans.first, "\(file.complaints)")
    let verdict = runAgain(atMost: 5) {
      runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .sockets).verdict
    }
    let isPassed = verdict.outcome == .passed || verdict.outcome == .flaky
    #expect(isPassed, "\(verdict.failures)")
  }
}
