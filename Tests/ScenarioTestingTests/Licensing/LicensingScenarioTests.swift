import Reactors
import ScenarioTesting
import Testing

/// The library `Licensing` plays the scenarios that `rehearse run scenarios/licensing` runs with
/// the client in YAML. What they expect is the same for both.
@Suite struct LicensingScenarioTests {
  /// The names under which the scenarios use the component.
  private static let uses = ["license", "short", "eight", "nameless"]
  /// The scenarios that no client plays in, each with the reason.
  private static let withoutClient = [
    "What each status looks like": "it only shows statuses that its table gives",
    "A subject in place of the client": "the scenario itself plays the client",
  ]

  @Test(arguments: Scenarios(in: "scenarios/licensing"))
  func `a scenario of licenses holds for the library`(_ scenario: Scenario) async {
    let hasClient = Self.uses.contains { scenario.declares($0) }
    #expect(hasClient == (Self.withoutClient[scenario.title] == nil))
    await Self.stage(for: scenario).test(scenario)
  }

  @Test func `the events are those of the library`() async throws {
    let scenario = try #require(
      Scenarios(in: "scenarios/licensing/activation.scenario.yaml")
        .first { $0.row == "answer about another device" })
    let written = await Stage().outcome(of: scenario)
    let played = await Self.stage(for: scenario).outcome(of: scenario)
    #expect(written.trace.contains("The answer is about something else."))
    #expect(played.trace.contains("The answer is about another device."))
  }

  @Test func `two runs of the library have one trace to the byte`() async throws {
    let scenario = try #require(
      Scenarios(in: "scenarios/licensing/network.scenario.yaml").first)
    let stage = Self.stage(for: scenario)
    let traces = await [stage.outcome(of: scenario).trace, stage.outcome(of: scenario).trace]
    #expect(traces[0] == traces[1])
    #expect(traces[0].contains("validation:error"))
  }

  @Test func `a client that does nothing fails them`() async throws {
    let scenario = try #require(
      Scenarios(in: "scenarios/licensing/activation.scenario.yaml").first)
    let stage = Stage()
    stage.bind(component: "license") { _ in IdleClient() }
    let outcome = await stage.outcome(of: scenario)
    #expect(outcome.failures.map(\.id) == ["nothing-left"])
  }

  private static func stage(for scenario: Scenario) -> Stage {
    let stage = Stage()
    for use in uses where scenario.declares(use) {
      stage.bind(component: use) { LicenseReactor($0) }
    }
    return stage
  }
}

/// A client with the names of the component, and nothing behind them.
private final class IdleClient: Reactor {
  enum Action: Decodable { case activate(key: String) }
  let state = LicenseState(status: ["inactive": "No license activated"])
  func action(_ action: Action) async {}
}
