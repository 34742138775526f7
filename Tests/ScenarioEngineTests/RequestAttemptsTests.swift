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

  @Test func `each pause is longer than the one before, and none longer than allowed`() {
    #expect(pauses { _ in } == [1_000, 2_000, 4_000, 8_000, 16_000])
    #expect(pauses { $0.maxDelay = 5_000_000 } == [1_000, 2_000, 4_000, 5_000, 5_000])
    #expect(pauses { ($0.jitter, $0.maxDelay) = (1, 3_000_000) }.allSatisfy { $0 <= 3_000 })
  }

  @Test func `an answer says the least that a request waits, whatever the policy has as longest`() {
    var policy = RequestRetryPlan()
    (policy.jitter, policy.maxDelay) = (0.5, 5_000_000)
    for chance in [0.0, 0.5, 0.999] {
      var attempts = RequestAttempts(policy)
      let decision = attempts.answered(503, retryAfter: 10_000_000, chance: { chance })
      #expect(decision == .goOn(after: 10_000_000))
    }
  }

  /// The pauses of a request that never succeeds, in milliseconds, with as much chance as there is.
  private func pauses(_ change: (inout RequestRetryPlan) -> Void) -> [Int64] {
    var policy = RequestRetryPlan()
    policy.maxAttempts = 6
    change(&policy)
    var attempts = RequestAttempts(policy)
    return (1...5).compactMap { _ in
      guard case .goOn(let pause) = attempts.answered(503, chance: { 0.999 }) else { return nil }
      return pause / 1_000
    }
  }
}
