import ScenarioSpec
import Testing
import Values

@Suite struct RequestRetryTests {
  private func pauses(_ change: (inout RequestRetry) -> Void, chance: Double = 0.5) -> [Int] {
    var policy = RequestRetry()
    change(&policy)
    return (1...5).map { Int(policy.pause(after: $0, chance: chance) / 1_000) }
  }

  @Test func `each pause is longer than the one before, and none longer than allowed`() {
    #expect(pauses { _ in } == [1_000, 2_000, 4_000, 8_000, 16_000])
    #expect(pauses { $0.maxDelay = 5_000_000 } == [1_000, 2_000, 4_000, 5_000, 5_000])
    #expect(pauses { $0.multiplier = 1.5 } == [1_000, 1_500, 2_250, 3_375, 5_062])
    #expect(pauses { $0.multiplier = 1 } == [1_000, 1_000, 1_000, 1_000, 1_000])
    #expect(pauses { $0.initialDelay = 0 } == [0, 0, 0, 0, 0])
  }

  @Test func `chance makes pauses shorter or longer, within bounds`() {
    #expect(pauses({ $0.jitter = 0.5 }, chance: 0).first == 500)
    #expect(pauses({ $0.jitter = 0.5 }, chance: 0.999).first == 1_499)
    #expect(
      pauses({ ($0.jitter, $0.maxDelay) = (1, 3_000_000) }, chance: 0.999).allSatisfy {
        $0 <= 3_000
      })
  }

  @Test func `the longest pause there is can be counted`() {
    var policy = RequestRetry()
    policy.initialDelay = Microseconds.max / 2
    policy.maxDelay = Microseconds.max / 2
    policy.multiplier = 100
    #expect(policy.pause(after: 100, chance: 0.5) > 0)
  }
}
