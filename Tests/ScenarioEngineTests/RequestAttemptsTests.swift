import ScenarioPlan
import Testing

@testable import ScenarioEngine

@Suite struct RequestAttemptsTests {
  private let still = { 0.5 }

  @Test func `what is in the list is tried again until there were enough attempts`() {
    var attempts = RequestAttempts(RequestRetryPlan())
    #expect(attempts.answered(503, chance: still) == .goOn(after: 1_000_000))
    #expect(attempts.failed(.connectionLost, chance: still) == .goOn(after: 2_000_000))
    #expect(attempts.answered(503, chance: still) == .end)
  }

  @Test func `what is not in the list ends the request`() {
    var attempts = RequestAttempts(RequestRetryPlan())
    #expect(attempts.answered(404, chance: still) == .end)
    var others = RequestAttempts(RequestRetryPlan())
    #expect(others.answered(200, chance: still) == .end)
    #expect(others.failed(.protocolError, chance: still) == .end)
  }

  @Test func `chance is asked only where a policy leaves something to it`() {
    var asked = 0
    let chance = {
      asked += 1
      return 0.0
    }
    var steady = RequestAttempts(RequestRetryPlan())
    _ = steady.answered(503, chance: chance)
    #expect(asked == 0)
    var policy = RequestRetryPlan()
    policy.jitter = 0.5
    var spread = RequestAttempts(policy)
    #expect(spread.answered(503, chance: chance) == .goOn(after: 500_000))
    #expect(asked == 1)
  }
}
