import ScenarioTesting
import TestKit
import Testing

@Suite struct ConfigurationTests {
  private static let setup = """
    endpoints:
      api: { http: [{ get: /me, respond: { json: { user: 7 } } }] }
    setup:
      - request: { endpoint: api, get: /me, expect: { json: { user: { $as: user } } } }

    """
  private static let uses = "scenario: A\nsteps: [{ check: user == 7 }]\n"

  @Test func `scenarios see what the set-up of their folder captures`() async throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("rehearse.yaml", Self.setup))
    #expect(folder.write("a.scenario.yaml", Self.uses))
    let scenarios = Scenarios(in: folder.path)
    #expect(scenarios.map(\.title) == ["A"])
    for scenario in scenarios {
      #expect(await Stage().outcome(of: scenario).result == .passed)
    }
  }

  @Test func `a set-up that fails, or a wrong configuration, is a case that fails`() async throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.uses))
    for text in [Self.setup.split(separator: "{ user: 7 }").joined(separator: "{}"), "var: {}"] {
      #expect(folder.write("rehearse.yaml", text))
      let first = try #require(Scenarios(in: folder.path).first)
      #expect(await Stage().outcome(of: first).result == .failed)
    }
  }
}
