import Diagnostics
import ScenarioEngine
import ScenarioRuns
import ScenarioSpec
import TestKit
import Testing
import Values
import Verdicts

/// Scenarios whose endpoints are in different worlds.
@Suite(.serialized) struct EndpointWorldTests {
  private static let real = """
    scenario: Real
    endpoints: { api: { http: [{ get: /fact, respond: { json: { fact: meow, id: 93 } } }] } }
    steps: [{ wait: 1h }]
    """

  private func text(_ port: Int, against: String = "") -> String {
    """
    scenario: Two endpoints
    \(against)
    endpoints:
      api:
        url: "http://localhost:\(port)"
        http: [{ get: /fact, respond: { json: { fact: meow, id: { $like: 7 } } } }]
      other: { http: [{ get: /fact, respond: { json: { fact: purr } } }] }
    steps:
      - request: { endpoint: api, get: /fact, expect: { json: { id: ID } } }
      - request: { endpoint: other, get: /fact, expect: { json: { fact: purr } } }
    """
  }

  private func verdict(
    _ text: String, id: Int, in world: WorldKind
  ) throws -> Verdict {
    let text = text.replacing("ID", with: "\(id)")
    let file = loadScenarios(SourceFile(path: "worlds.yaml", text: text))
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    return runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: world).verdict
  }

  private func choices(
    _ others: WorldName?, _ choices: [(String, WorldName)] = []
  ) -> WorldKind {
    var made = WorldChoices()
    made.others = others
    made.choices = choices.map { WorldChoices.Choice($0.0, $0.1) }
    return .chosen(made)
  }

  @Test func `one endpoint is real and the other one a mock, by choice of file or command line`()
    throws
  {
    let server = try #require(RehearsedServer(EndpointWorldTests.real))
    defer { server.stop() }
    let plain = text(server.port)
    let written = text(server.port, against: "against: { api: real }")
    for (text, id, world) in [
      (plain, 7, .mock), (plain, 93, choices(nil, [("api", .real)])),
      (plain, 93, choices(.sockets, [("api", .real)])),
      (plain, 93, choices(.real, [("other", .sockets)])), (written, 93, .mock),
      (written, 7, choices(.mock)), (written, 7, choices(nil, [("api", .sockets)])),
      (written, 93, choices(nil, [("other", .sockets)])),
    ] as [(String, Int, WorldKind)] {
      let verdict = try verdict(text, id: id, in: world)
      #expect(verdict.failures.map(\.message) == [], "\(world)")
      #expect(verdict.outcome == .passed)
    }
  }

  @Test func `a real endpoint beside a mock is compared with its own mock`() throws {
    let server = try #require(
      RehearsedServer(EndpointWorldTests.real.replacing("id: 93", with: "id: '93'")))
    defer { server.stop() }
    let verdict = try verdict(
      text(server.port).replacing("{ id: ID }", with: "{ id: { $any: true } }"), id: 7,
      in: choices(nil, [("api", .real)]))
    #expect(verdict.failures.map(\.id.rawValue) == ["drift"])
  }

  @Test func `a scenario for a world runs if one of its endpoints is there`() throws {
    let server = try #require(RehearsedServer(EndpointWorldTests.real))
    defer { server.stop() }
    let text = text(server.port, against: "only: real")
    let mixed = choices(.mock, [("api", .real)])
    #expect(try verdict(text, id: 93, in: mixed).outcome == .passed)
    let elsewhere = choices(.mock, [("other", .sockets)])
    #expect(
      try verdict(text, id: 7, in: elsewhere).outcome
        == .skipped(reason: "it runs only against real"))
  }

  @Test func `what cannot be chosen is reported`() throws {
    let unknown = try verdict(text(1), id: 7, in: choices(nil, [("ohter", .sockets)]))
    #expect(unknown.warnings.map(\.help) == ["did you mean `other`?"])
    let noURL = try verdict(text(1), id: 7, in: choices(nil, [("other", .real)]))
    #expect(noURL.failures.map(\.id.rawValue) == ["endpoint-without-url"])
    var traced = WorldChoices()
    traced.trace = TraceWorld("none.trace.jsonl")
    traced.choices = [.init("api", .trace), .init("other", .sockets)]
    let mixed = try verdict(text(1), id: 7, in: .chosen(traced))
    #expect(mixed.failures.map(\.id.rawValue) == ["worlds-do-not-mix"])
    let file = loadScenarios(
      SourceFile(path: "a.yaml", text: text(1, against: "against: { apo: real }")))
    #expect(file.diagnostics.map(\.id.rawValue) == ["unknown-name"])
  }

  @Test func `endpoints have addresses where others may connect, and in memory their names`() throws
  {
    for (world, pattern) in [(.mock, "^http://api$"), (.sockets, "^http://127.0.0.1:[0-9]+$")]
      as [(WorldKind, String)]
    {
      let verdict = try verdict(
        """
        scenario: Addresses
        against: { other: real }
        endpoints: { api: { http: [] }, other: { url: "http://localhost:1" } }
        steps: [{ check: "api.url.matches('\(pattern)')" }]
        """, id: 1, in: world == .mock ? choices(.mock) : world)
      #expect(verdict.failures.map(\.message) == [])
    }
  }
}
