import Testing

@testable import World

@Suite struct BackoffTests {
  private func pauses(_ backoff: Backoff, unit: Double = 0.5) -> [Int64] {
    (1...5).map { backoff.pause($0, unit: unit) }
  }

  @Test func `each pause is longer than the one before, up to the longest`() {
    var backoff = Backoff(initial: 1_000, max: 60_000, multiplier: 2)
    #expect(pauses(backoff) == [1_000, 2_000, 4_000, 8_000, 16_000])
    backoff.max = 5_000
    #expect(pauses(backoff) == [1_000, 2_000, 4_000, 5_000, 5_000])
    backoff.multiplier = 1.5
    #expect(pauses(backoff) == [1_000, 1_500, 2_250, 3_375, 5_000])
    backoff.multiplier = 1
    #expect(pauses(backoff) == [1_000, 1_000, 1_000, 1_000, 1_000])
    backoff.initial = 0
    #expect(pauses(backoff) == [0, 0, 0, 0, 0])
  }

  @Test
  func `chance makes a pause shorter or longer by its share, but not longer than the longest`() {
    let backoff = Backoff(initial: 1_000, max: 2_100, multiplier: 2, jitter: 0.5)
    #expect(backoff.pause(1, unit: 0) == 500)
    #expect(backoff.pause(1, unit: 0.5) == 1_000)
    #expect(backoff.pause(1, unit: 0.999) == 1_499)
    #expect(backoff.pause(2, unit: 0) == 1_000)
    #expect(backoff.pause(2, unit: 0.999) == 2_100)
    #expect(backoff.pause(3, unit: 0.999) == 2_100)
  }

  @Test func `what is no number is the longest pause, and what is negative is none`() {
    #expect(Backoff(initial: 5, max: 9, multiplier: .nan).pause(3, unit: 0.5) == 9)
    #expect(Backoff(initial: 0, max: 9, multiplier: .infinity).pause(3, unit: 0.5) == 9)
    #expect(Backoff(initial: 5, max: 9, jitter: .nan).pause(1, unit: 0.5) == 9)
    #expect(Backoff(initial: 5, max: 9, multiplier: -2).pause(2, unit: 0.5) == 0)
    #expect(Backoff(initial: 5, max: 9, jitter: 3).pause(1, unit: 0) == 0)
    #expect(Backoff(initial: 5, max: -9).pause(1, unit: 0.5) == 0)
  }

  @Test func `the longest time that can be counted is a pause like any other`() {
    #expect(Backoff(initial: .max, max: .max).pause(1, unit: 0.5) == .max)
    let half = Backoff(initial: .max / 2, max: .max / 2, multiplier: 100, jitter: 1)
    #expect(half.pause(.max, unit: 0.999) == .max / 2)
    #expect(Backoff(initial: 1, max: .max, multiplier: 1e300).pause(.max, unit: 1) == .max)
  }

  @Test func `a pause that does not grow is found at once for any attempt`() {
    #expect(Backoff(initial: 7, max: 9).pause(.max, unit: 0.5) == 7)
    #expect(Backoff(initial: 0, max: 9, multiplier: 2).pause(.max, unit: 0.5) == 0)
  }

  @Test func `no pause is longer than the longest, and none is negative`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<2_000 {
      let backoff = random.backoff()
      for attempt in [Int.min, -1, 0, 1, 2, 3, 10, 100, 1_000] {
        let pause = backoff.pause(attempt, unit: random.double())
        #expect((0...max(backoff.max, 0)).contains(pause), "\(backoff), attempt \(attempt)")
      }
    }
  }

  @Test func `without chance no pause is shorter than the one before`() {
    var random = SeededRandom(seed: 2)
    for _ in 0..<2_000 {
      var backoff = random.backoff()
      backoff.initial = max(backoff.initial, 0)
      backoff.multiplier = 1 + random.double() * 3
      backoff.jitter = 0
      let pauses = (1...50).map { backoff.pause($0, unit: random.double()) }
      #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 }, "\(backoff)")
    }
  }
}

extension SeededRandom {
  /// Anything the type can hold, sensible or not.
  fileprivate mutating func backoff() -> Backoff {
    let factors: [Double] = [0, 0.5, 1, 1.1, 2, 100, -3, 1e300, .infinity, -.infinity, .nan]
    return Backoff(
      initial: time(), max: time(), multiplier: factors[int(in: 0...factors.count - 1)],
      jitter: factors[int(in: 0...factors.count - 1)])
  }

  /// Times of all magnitudes, so that the smallest and the largest meet.
  private mutating func time() -> Int64 {
    Int64(truncatingIfNeeded: next()) >> Int64(int(in: 0...63))
  }
}
