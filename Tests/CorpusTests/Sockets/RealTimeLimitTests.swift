import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// Limits of time where a clock measures it.
@Suite(.serialized) struct RealTimeLimitTests {
  private func verdict(
    _ scenario: String, in world: WorldKind = .sockets, attempts: Int = 0
  ) throws -> (Verdict, SourceMap) {
    let file = loadScenarios(SourceFile(path: "limit.yaml", text: "scenario: A\n" + scenario))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    let verdict = runAgain(atMost: attempts) {
      runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: world).verdict
    }
    return (verdict, file.sources)
  }

  private static let slow =
    "endpoints: { api: { http: [{ get: /job, respond: { json: done, after: 30ms } }] } }\n"
  @Test(
    arguments: [
      slow + "steps: [{ request: { endpoint: api, get: /job, expect: { within: 30ms } } }]",
      slow + "steps: [{ request: { endpoint: api, get: /job, timeout: 30ms } }]",
      """
      timeout: 30ms
      reactors: { late: { state: { a: 0 }, actions: { go: [{ wait: 30ms }, { set: { a: 1 } }] } } }
      steps: [{ send: late.go }, { expect: { late.a: 1 } }]
      """,
      """
      reactors: { late: { state: { a: 0 }, actions: { go: [{ wait: 30ms }, { set: { a: 1 } }] } } }
      steps: [{ send: late.go }, { expect: [{ late.a: 1, within: 30ms }] }]
      """,
      """
      reactors: { late: { state: { a: 0 }, actions: { go: [{ wait: 30ms }, { set: { a: 1 } }] } } }
      steps: [{ send: late.go }, { eventually: late.a == 1, within: 30ms }]
      """,
      """
      graph: { a: 0, b: 0 }
      invariants: [{ leadsTo: { when: { a: 1 }, then: { b: 1 }, within: 30ms } }]
      steps: [{ set: { a: 1 } }, { wait: 30ms }, { set: { b: 1 } }]
      """,
      """
      graph: { count: 0 }
      steps:
        - retry: { until: count == 4, every: 10ms, timeout: 30ms }
          steps: [{ set: { count: "${count + 1}" } }]
      """,
      """
      reactors:
        jobs:
          state: { tries: 0 }
          actions:
            work:
              - retry: { until: tries == 4, every: 10ms, timeout: 30ms }
                steps: [{ set: { tries: "${tries + 1}" } }]
      steps: [{ send: jobs.work }, { eventually: jobs.tries == 4 }]
      """,
    ])
  func `what is due just when its time is over is in time`(scenario: String) throws {
    let (verdict, sources) = try verdict("time: wall\n" + scenario, attempts: 5)
    let isPassed = verdict.outcome == .passed || verdict.outcome == .flaky
    #expect(isPassed, "\(render(verdict.failures, in: sources))")
  }

  @Test(
    arguments: [
      (
        "endpoints: { api: { http: [{ get: /job, respond: { json: done, after: 200ms } }] } }\n"
          + "steps: [{ request: { endpoint: api, get: /job, expect: { within: 30ms } } }]",
        "slow-answer"
      ),
      (
        "endpoints: { api: { http: [{ get: /job, respond: { json: done, after: 200ms } }] } }\n"
          + "steps: [{ request: { endpoint: api, get: /job, timeout: 30ms } }]", "request-failed"
      ),
      (
        """
        graph: { a: 0, b: 0 }
        invariants: [{ leadsTo: { when: { a: 1 }, then: { b: 1 }, within: 30ms } }]
        steps: [{ set: { a: 1 } }, { wait: 200ms }, { set: { b: 1 } }]
        """, "invariant-unanswered"
      ),
      (
        """
        graph: { count: 0 }
        steps:
          - retry: { until: count == 4, every: 50ms, timeout: 60ms }
            steps: [{ set: { count: "${count + 1}" } }]
        """, "gave-up"
      ),
    ])
  func `what comes later than the tolerance is too late`(scenario: String, id: String) throws {
    let (verdict, _) = try verdict("time: wall\n" + scenario)
    #expect(verdict.failures.map(\.id.rawValue) == [id])
  }

  @Test func `in virtual time there is no tolerance`() throws {
    let scenario = """
      graph: { count: 0 }
      steps:
        - retry: { until: count == 4, every: 10ms, timeout: 29999us }
          steps: [{ set: { count: "${count + 1}" } }]
      """
    #expect(try verdict(scenario, in: .mock).0.failures.map(\.id.rawValue) == ["gave-up"])
  }

  @Test(
    arguments: [
      ("mock", .mock, nil), ("[sockets, mock]", .sockets, nil),
      ("mock", .sockets, "it runs only against mock"),
      ("[sockets, real]", .mock, "it runs only against sockets or real"),
    ] as [(String, WorldKind, String?)])
  func `a scenario is skipped in a world that it does not name`(
    worlds: String, world: WorldKind, reason: String?
  ) throws {
    let outcome = try verdict(
      "only: \(worlds)\ngraph: { a: 0 }\nsteps: [{ check: a == 0 }]", in: world
    ).0.outcome
    #expect(outcome == reason.map { .skipped(reason: $0) } ?? .passed)
  }
}
