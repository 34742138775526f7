import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

/// The choice among routes for clients that accept JSON and streams.
@Suite struct RouteOrderTests {
  private static let endpoint = """
    scenario: Which route answers
    endpoints:
      tools:
        sse: [{ accept: { path: /both }, script: [{ event: short form }, close] }]
        http:
          - { post: /rpc, match: { json: { method: ping } }, respond: { text: route } }
          - { post: /rpc, sse: [{ event: stream }, close] }
          - { get: /both, respond: { text: route } }
    steps:

    """

  @Test(arguments: [
    ("post: /rpc, json: { method: ping }", "application/json, text/event-stream", "route"),
    ("post: /rpc, json: { method: ping }", "text/event-stream", "route"),
    ("post: /rpc, json: { method: watch }", "application/json", "data: stream\\n\\n"),
    ("get: /both", "text/event-stream", "data: short form\\n\\n"),
    ("get: /both", "*/*", "route"),
  ])
  func `the first route that fits answers, and Accept chooses only among the short forms`(
    request: String, accepted: String, text: String
  ) throws {
    let step =
      "  - request: { endpoint: tools, \(request), headers: { Accept: '\(accepted)' }, "
      + "expect: { text: \"\(text)\" } }\n"
    let file = SourceFile(path: "x.yaml", text: RouteOrderTests.endpoint + step)
    let loaded = loadScenarios(file)
    let plan = try #require(loaded.plans.first)
    let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: loaded.sources)
    #expect(run.verdict.failures.isEmpty)
  }
}
