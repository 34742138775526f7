import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// Programs whose WebSocket to a real server is disturbed on the way.
@Suite(.serialized) struct RelayedSweepTests {
  /// The mock of the scenario as the real server, and the scenario with its URL.
  private func split(_ text: String, port: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = lines.firstIndex { $0.hasPrefix("endpoints:") } ?? 0
    let end = lines[begin...].firstIndex { $0.hasPrefix("sweep:") } ?? lines.endIndex
    let url = "endpoints: { server: { url: \"http://127.0.0.1:\(port)\" } }"
    return (lines[..<begin] + [Substring(url)] + lines[end...]).joined(separator: "\n")
  }

  private func sweep(_ text: String, row: Int) throws -> SweepResult {
    let path = packageRoot + "/scenarios/sweep/programs/relayed.scenario.yaml"
    let loaded = loadScenarios(SourceFile(path: path, text: text))
    let plan = try #require(loaded.plans.first, "\(loaded.diagnostics)")
    var options = SweepOptions()
    options.jobs = 4
    options.world = .real(RealWorldSettings())
    return sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1, row: plan.rows[row]), sources: loaded.sources,
      options: options)
  }

  @Test func `a WebSocket of a program to a real server is cut between its messages`() throws {
    let text = try #require(fileText("scenarios/sweep/programs/rooms.scenario.yaml"))
    let upstream = """
      scenario: The real server
      endpoints:
        api:
          websocket:
            - accept: { path: /rooms }
              script:
                - receive: { join: lobby, after: { $as: after } }
                - if: after < 1
                  then: [{ send: { number: 1 } }]
                - wait: 50ms
                - if: after < 2
                  then: [{ send: { number: 2 } }]
                - wait: forever
      steps: [{ wait: 60s }]
      """
    let server = try #require(RehearsedServer(upstream))
    defer { server.stop() }
    let relayed = split(text, port: server.port)
    let right = try sweep(relayed, row: 0)
    #expect(right.good.outcome == .passed, "\(right.good.failures)")
    let late = right.flaky.count + right.missed.count
    #expect(right.places >= 5 && right.held + late == right.places, "\(right.groups)")
    let wrong = try sweep(relayed, row: 1)
    #expect(Set(wrong.groups.map(\.diagnostic.id)) == ["eventually-failed"])
    let courses = wrong.groups.flatMap { $0.courses.map(\.name) }
    #expect(courses.contains("cut after message 1 of server, connection 1"), "\(courses)")
  }
}
