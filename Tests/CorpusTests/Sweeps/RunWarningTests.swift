import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// The rules of protocols in a run without disturbances.
@Suite struct RunWarningTests {
  private func run(_ text: String) throws -> Verdict {
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
    let plan = try #require(file.plans.first)
    return runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources).verdict
  }

  private func feed(_ script: String, retry: String, steps: String) -> String {
    """
    scenario: A feed
    endpoints:
      server:
        sse:
          - accept: { path: /feed }
            script: \(script)
    connections:
      feed: { sse: { endpoint: server, path: /feed }\(retry) }
    steps:
      - ignore: [server, feed.state]
      - connect: feed
    \(steps)
    """
  }

  @Test func `a client comes back when the server asked it to, whatever its policy says`() throws {
    let verdict = try run(
      feed(
        "[{ event: { data: a, retry: 5s } }, { wait: 1s }]",
        retry: ", retry: { initialDelay: 100ms, maxDelay: 1s }",
        steps: "  - expect: [{ feed: { data: a } }, { feed: { data: a }, after: 6s }]"))
    #expect(verdict.outcome == .passed)
    #expect(verdict.warnings.isEmpty, "\(verdict.warnings)")
  }

  @Test func `a step that connects again is not warned of`() throws {
    let verdict = try run(
      feed(
        "[{ event: { data: a, retry: 5s } }]", retry: "",
        steps: """
            - expect: { feed: { data: a } }
            - connect: feed
            - expect: { feed: { data: a } }
          """))
    #expect(verdict.outcome == .passed)
    #expect(verdict.warnings.isEmpty, "\(verdict.warnings)")
  }

  @Test func `what a mock sends against the rules is not warned of`() throws {
    let verdict = try run(
      feed(
        "[{ event: { id: '2', data: '[DONE]' } }, { event: { id: '1', data: late } }]", retry: "",
        steps: "  - expect: { feed: [{ id: '2' }, { id: '1' }] }"))
    #expect(verdict.outcome == .passed)
    #expect(verdict.warnings.isEmpty, "\(verdict.warnings)")
  }

  @Test func `a text that a provider announces as JSON is warned of`() throws {
    let verdict = try run(
      """
      scenario: An order
      endpoints:
        api: { http: [{ post: /orders, respond: { json: {} } }] }
      providers:
        order:
          endpoint: api
          post: /orders
          headers: { Content-Type: application/json }
          text: "{ not JSON"
      reactors:
        shop: { state: { order: none }, actions: { buy: [{ load: { order: order } }] } }
      steps:
        - send: shop.buy
        - expect: { api: { post: /orders }, shop.order: [loading, { loaded: {} }] }
      """)
    #expect(verdict.outcome == .passed)
    #expect(verdict.warnings.map(\.id) == ["content-type-does-not-fit"])
  }

  @Test func `what a step itself sends is what the scenario is about`() throws {
    let verdict = try run(
      """
      scenario: A wrong order
      endpoints:
        api:
          sse: [{ accept: { path: /feed } }]
          http: [{ post: /orders, respond: { status: 400 } }]
      steps:
        - request:
            endpoint: api
            post: /orders
            headers: { Content-Type: application/json }
            text: "{ not JSON"
            expect: { status: 400 }
      """)
    #expect(verdict.outcome == .passed)
    #expect(verdict.warnings.isEmpty, "\(verdict.warnings)")
  }

  private func callOverSocket(answers: String, steps: String) -> String {
    """
    scenario: A client answers a call
    endpoints:
      rpc:
        websocket:
          - accept: { path: /rpc }
            script: [{ send: { jsonrpc: "2.0", id: 1, method: ping } }, { wait: forever }]
    connections: { line: { websocket: { endpoint: rpc, path: /rpc } } }
    \(answers)
    steps:
      - ignore: [rpc, line.state]
      - connect: line
    \(steps)
    """
  }

  private let answer = #"{ send: { line: { jsonrpc: "2.0", id: 1, result: pong } } }"#

  @Test func `a client that answers a call twice in the instant it connects is warned of`() throws {
    let verdict = try run(
      callOverSocket(
        answers: """
          reactors:
            client: { follows: { line: answer }, actions: { answer: [\(answer), \(answer)] } }
          """, steps: "  - expect: { line: { id: 1 } }"))
    #expect(verdict.outcome == .passed, "\(verdict.failures)")
    #expect(verdict.warnings.map(\.id) == ["call-not-answered-once"])
  }

  @Test func `a step may answer a call twice`() throws {
    let verdict = try run(
      callOverSocket(
        answers: "", steps: "  - expect: { line: { id: 1 } }\n  - \(answer)\n  - \(answer)"))
    #expect(verdict.outcome == .passed, "\(verdict.failures)")
    #expect(verdict.warnings.isEmpty, "\(verdict.warnings)")
  }
}
