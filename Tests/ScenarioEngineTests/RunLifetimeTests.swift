import Diagnostics
import ScenarioRuns
import Testing
import Verdicts

@testable import ScenarioEngine

@Suite struct RunLifetimeTests {
  private static let text = """
    scenario: everything is still under way when it fails
    endpoints:
      api:
        http:
          - { get: /a, script: [{ wait: 10s }, { respond: { text: hi } }] }
          - { get: /b, script: [{ respond: { text: hi } }, { wait: 10s }] }
          - { get: /c, respond: stall }
    providers:
      a: { endpoint: api, get: /a }
      b: { endpoint: api, get: /b }
      c: { endpoint: api, get: /c }
    reactors:
      r:
        state: { f: none, g: none, h: none }
        actions:
          go: [{ load: { f: a, g: b, h: c } }]
          slow: [{ wait: 100s }]
          side: [{ parallel: [[{ wait: 10s }], [{ load: { f: a } }]] }]
    steps:
      - send: r.go
      - send: r.slow
      - send: r.side
      - wait: 1s
      - parallel: [[{ wait: 10s }], [{ check: "false" }]]
    """

  @Test func `a run that failed in the middle of everything is freed`() throws {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: Self.text))
    let plan = try #require(loaded.plans.first)
    weak var freed: ScenarioRun?
    do {
      let run = ScenarioRun(plan, inputs: RunInputs(seed: 1), judge: ScenarioJudge(plan))
      freed = run
      run.setStage()
      run.runSteps()
      #expect(run.isStopped)
      run.takeDown()
    }
    #expect(freed == nil)
  }
}
