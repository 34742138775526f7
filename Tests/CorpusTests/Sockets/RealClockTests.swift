import Diagnostics
import Protocols
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

/// The calendar time that scenarios see.
@Suite struct RealClockTests {
  private func page(_ steps: String, clock: String? = nil, in world: WorldKind) throws -> String {
    let server = try #require(RealServer(answer: RealClockTests.giveCookies))
    defer { server.stop() }
    let text = """
      scenario: The time
      endpoints: { api: { url: "http://localhost:\(server.port)" } }
      \(clock.map { "clock: \($0)" } ?? "timeout: 5s")
      steps:
      \(steps)
      """
    let file = loadScenarios(SourceFile(path: "time.yaml", text: text))
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    let failures = runAgain(atMost: 3) {
      runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: world).verdict
    }.failures
    return render(failures, in: file.sources)
  }

  /// Answers with the cookies it was sent; sets one that lasts and one that is over since 2021.
  @Sendable private static func giveCookies(_ request: RealRequest) -> RealAnswer {
    var response = HTTPResponse(
      status: 200, headers: ["Set-Cookie": "old=1; Expires=Wed, 13 Jan 2021 22:23:01 GMT"],
      body: Array((request.http.headers["Cookie"] ?? "none").utf8))
    response.headers.add("Set-Cookie", "new=1; Expires=Wed, 13 Jan 2100 22:23:01 GMT")
    return .response(response)
  }

  private static let isToday = "  - check: now() > timestamp('2026-01-01T00:00:00Z')"
  private static let isIn2000 = "  - check: now() < timestamp('2000-01-01T00:01:00Z')"
  private static let isFixed =
    "  - check: now() >= timestamp('2020-03-01T09:00:00Z') && now().getFullYear() == 2020"

  @Test(
    arguments: [
      (nil, isToday), ("now", isToday), ("2020-03-01T09:00:00Z", isFixed),
    ] as [(String?, String)])
  func `with real endpoints it is the machine's time unless the scenario fixes it`(
    clock: String?, steps: String
  ) throws {
    #expect(try page(steps, clock: clock, in: .real(RealWorldSettings())) == "")
  }

  @Test(
    arguments: [
      (nil, isIn2000), ("now", isToday), ("2020-03-01T09:00:00Z", isFixed),
    ] as [(String?, String)])
  func `with mocks it is the scenario's time unless it asks for the machine's`(
    clock: String?, steps: String
  ) throws {
    #expect(try page(steps, clock: clock, in: .mock) == "")
    #expect(try page(steps, clock: clock, in: .sockets) == "")
  }

  @Test func `a real server's cookie that has expired is not sent back`() throws {
    let steps = """
        - request: { endpoint: api, get: / }
        - request: { endpoint: api, get: /, expect: { text: new=1 } }
      """
    #expect(try page(steps, in: .real(RealWorldSettings())) == "")
  }
}
