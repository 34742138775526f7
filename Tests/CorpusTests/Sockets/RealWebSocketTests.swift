import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

/// WebSockets of scenarios with real servers.
@Suite struct RealWebSocketTests {
  private func verdict(_ steps: String, at port: Int) throws -> Verdict {
    let text = """
      scenario: A client
      endpoints:
        api:
          url: "http://127.0.0.1:\(port)"
          websocket: [{ accept: {}, script: [{ receive: hi }, { send: ok }] }]
      connections: { c: { websocket: { endpoint: api, path: / } } }
      \(steps)
      """
    let file = loadScenarios(SourceFile(path: "client.yaml", text: text))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    return runScenario(
      plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .real(RealWorldSettings())
    ).verdict
  }

  private static let echo = """
    scenario: A server
    endpoints:
      api:
        websocket: [{ accept: {}, script: [{ receive: hi }, { send: ok }, { wait: 20s }] }]
    steps: [{ wait: 20s }]
    """

  @Test func `a message may be sent as soon as the step connect is over`() throws {
    let server = try #require(RehearsedServer(RealWebSocketTests.echo))
    defer { server.stop() }
    let verdict = try verdict(
      "steps: [{ connect: c }, { send: { c: hi } }, { expect: { c: ok } }]", at: server.port)
    #expect(verdict.failures.map(\.message) == [])
  }

  @Test func `the step connect waits no longer than the timeout`() throws {
    let server = try #require(
      RehearsedServer(
        """
        scenario: A server
        endpoints: { api: { http: [{ get: /, respond: stall }] } }
        steps: [{ wait: 20s }]
        """))
    defer { server.stop() }
    let verdict = try verdict(
      "timeout: 100ms\nsteps: [{ connect: c }, { check: \"c.state == 'connecting'\" }]",
      at: server.port)
    #expect(verdict.failures.map(\.message) == [])
  }

  @Test func `a server that is not there ends the step connect`() throws {
    let verdict = try verdict(
      "steps: [{ connect: c }, { check: has(c.state.disconnected) }]", at: 1)
    #expect(verdict.failures.map(\.message) == [])
  }

  @Test func `a scenario that ends says goodbye to its server`() throws {
    let served = try Served(
      """
      scenario: A server
      endpoints:
        api:
          websocket: [{ accept: {}, script: [{ receive: hi }, { send: ok }, { wait: forever }] }]
      steps:
        - expect: { api: [{ get: / }, { message: hi }, { cancelled: { code: 1000 } }] }
      """, timeout: 5_000_000
    ) { ports in
      let steps = "steps: [{ connect: c }, { send: { c: hi } }, { expect: { c: ok } }]"
      let verdict = try? verdict(steps, at: Int(ports["api"] ?? 0))
      return verdict?.failures.map(\.message) ?? ["none"]
    }
    #expect(served.answers == [])
    #expect(served.verdict?.failures.map(\.message) == [])
  }
}
