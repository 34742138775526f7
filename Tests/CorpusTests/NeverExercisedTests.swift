import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

/// The parts of a scenario that never happen although it holds.
@Suite struct NeverExercisedTests {
  private func verdict(_ text: String) throws -> Verdict {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    let plan = try #require(loaded.plans.first)
    return runScenario(plan, inputs: RunInputs(seed: 1), sources: loaded.sources).verdict
  }

  private let unused = """
    scenario: Much is written and little happens
    graph: { a: 0, b: 0 }
    endpoints:
      api:
        http:
          - { get: /used, respond: { status: 200 } }
          - { get: /unused, respond: { status: 200 } }
          - get: /script
            script:
              - respond: { status: 204 }
              - if: request.path == '/other'
                then:
                  - wait: 1s
      feed:
        sse:
          - accept: {}
            script:
              - event: { data: first }
              - wait: 1h
              - event: { data: last }
          - accept: {}
            script: []
    connections: { c: { sse: { endpoint: feed, path: / } } }
    invariants:
      - leadsTo: { when: { a: 1 }, then: { b: 1 } }
      - leadsTo: { when: { a: 2 }, then: { b: 2 } }
    steps:
      - request: { endpoint: api, get: /used }
      - request: { endpoint: api, get: /script }
      - connect: c
      - set: { a: 2 }
      - set: { b: 2 }
    """

  @Test func `what a run never used is listed with its line, in the order of the file`() throws {
    let verdict = try verdict(unused)
    #expect(verdict.outcome == .passed)
    #expect(
      verdict.neverExercised.map { "\($0.line) \($0.part)" } == [
        "7 route `GET /unused` of `api`", "13 step `wait`", "20 step `event`",
        "21 stream entry of `feed`", "25 invariant `leadsTo`",
      ])
  }

  @Test func `what never happened fails a strict run`() throws {
    let strict = try verdict(unused).strict()
    #expect(strict.outcome == .failed)
    #expect(strict.failures.map(\.id.rawValue) == ["never-exercised"])
    #expect(strict.failures.first?.labels.count == 5)
  }

  @Test func `a strict run of a scenario that uses everything holds`() throws {
    let verdict = try verdict("scenario: x\ngraph: { a: 0 }\nsteps: [check: a == 0]")
    #expect(verdict.neverExercised.isEmpty)
    #expect(verdict.strict().outcome == .passed)
  }

  @Test func `nothing is never exercised where the scenario failed`() throws {
    let failed = try verdict(unused + "\n  - check: a == 7")
    #expect(failed.outcome == .failed)
    #expect(failed.neverExercised.isEmpty)
    #expect(failed.strict().failures == failed.failures)
  }

  @Test(arguments: [
    ("check: total == 0", ["unread-node-fails"]), ("set: { total: 2 }", []),
    ("check: kind(share) == 'error'", []),
  ])
  func `a computed node without a value that nothing reads is warned of`(
    step: String, warnings: [String]
  ) throws {
    let text = """
      scenario: x
      graph: { total: 0, share: { computed: 100 / total } }
      steps: [{ \(step) }]
      """
    #expect(try verdict(text).warnings.map(\.id.rawValue) == warnings)
  }
}
