import Testing

@testable import World

@Suite struct BackoffTests {
  private func pauses(_ backoff: Backoff, unit: Double = 0.5) -> [Int64] {
    (1...5).map { backoff.length(of: Pause($0), unit: unit) }
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
    #expect(backoff.length(of: Pause(1), unit: 0) == 500)
    #expect(backoff.length(of: Pause(1), unit: 0.5) == 1_000)
    #expect(backoff.length(of: Pause(1), unit: 0.999) == 1_499)
    #expect(backoff.length(of: Pause(2), unit: 0) == 1_000)
    #expect(backoff.length(of: Pause(2), unit: 0.999) == 2_100)
    #expect(backoff.length(of: Pause(3), unit: 0.999) == 2_100)
  }

  @Test func `what is no number is the longest pause, and what is negative is none`() {
    #expect(Backoff(initial: 5, max: 9, multiplier: .nan).length(of: Pause(3), unit: 0.5) == 9)
    let endless = Backoff(initial: 0, max: 9, multiplier: .infinity)
    #expect(endless.length(of: Pause(3), unit: 0.5) == 9)
    #expect(Backoff(initial: 5, max: 9, jitter: .nan).length(of: Pause(1), unit: 0.5) == 9)
    #expect(Backoff(initial: 5, max: 9, multiplier: -2).length(of: Pause(2), unit: 0.5) == 0)
    #expect(Backoff(initial: 5, max: 9, jitter: 3).length(of: Pause(1), unit: 0) == 0)
    #expect(Backoff(initial: 5, max: -9).length(of: Pause(1), unit: 0.5) == 0)
  }

  @Test func `the longest time that can be counted is a pause like any other`() {
    #expect(Backoff(initial: .max, max: .max).length(of: Pause(1), unit: 0.5) == .max)
    let half = Backoff(initial: .max / 2, max: .max / 2, multiplier: 100, jitter: 1)
    #expect(half.length(of: Pause(.max), unit: 0.999) == .max / 2)
    #expect(
      Backoff(initial: 1, max: .max, multiplier: 1e300).length(of: Pause(.max), unit: 1) == .max)
  }

  @Test func `a pause that does not grow is found at once for any attempt`() {
    #expect(Backoff(initial: 7, max: 9).length(of: Pause(.max), unit: 0.5) == 7)
    #expect(Backoff(initial: 0, max: 9, multiplier: 2).length(of: Pause(.max), unit: 0.5) == 0)
  }

  @Test func `no pause is longer than the longest, and none is negative`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<2_000 {
      let backoff = random.backoff()
      for attempt in [Int.min, -1, 0, 1, 2, 3, 10, 100, 1_000] {
        let pause = backoff.length(of: Pause(attempt), unit: random.double())
        #expect((0...max(backoff.max, 0)).contains(pause), "\(backoff), attempt \(attempt)")
      }
    }
  }

  @Test func `pauses begin with what the server set, and grow from there`() {
    let backoff = Backoff(initial: 1_000_000, max: 60_000_000, multiplier: 2)
    let pauses = (1...6).map { backoff.length(of: Pause($0, base: 3_000_000), unit: 0.5) }
    #expect(pauses == [3, 6, 12, 24, 48, 60].map { $0 * 1_000_000 })
  }

  @Test func `a server that asks for next to nothing is not flooded`() {
    let backoff = Backoff(initial: 1_000_000, max: 60_000_000)
    #expect(backoff.length(of: Pause(1, base: 0), unit: 0.5) == 100_000)
    let eager = Backoff(initial: 5_000, max: 60_000_000)
    #expect(eager.length(of: Pause(1, base: 0), unit: 0.5) == 5_000)
  }

  @Test func `Retry-After is the least for a pause, and a longer one of the policy stays`() {
    let backoff = Backoff(initial: 1_000_000, max: 60_000_000, multiplier: 2)
    #expect(backoff.length(of: Pause(1, least: 7_000_000), unit: 0.5) == 7_000_000)
    #expect(backoff.length(of: Pause(4, least: 7_000_000), unit: 0.5) == 8_000_000)
    #expect(
      backoff.length(of: Pause(1, base: 3_000_000, least: 2_000_000), unit: 0.5) == 3_000_000)
  }

  @Test func `no chance and no longest pause makes a pause shorter than the server asked for`() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<5_000 {
      let backoff = random.backoff()
      let asked = Pause(random.int(in: 0...9), base: random.advice(), least: random.advice())
      let length = backoff.length(of: asked, unit: random.double())
      #expect(length >= asked.least ?? 0, "\(backoff), \(asked)")
      #expect(length >= asked.base ?? 0, "\(backoff), \(asked)")
      #expect(length <= max(backoff.max, asked.base ?? 0, asked.least ?? 0, 100_000))
    }
  }

  @Test func `chance lengthens what the server asked for by its share`() {
    let backoff = Backoff(initial: 1_000_000, max: 60_000_000, multiplier: 2, jitter: 0.5)
    let asked = [Pause(1, base: 10_000_000), Pause(1, least: 10_000_000)]
    for pause in asked {
      #expect(backoff.length(of: pause, unit: 0) == 10_000_000)
      #expect(backoff.length(of: pause, unit: 0.5) == 12_500_000)
    }
  }

  @Test func `without chance no pause is shorter than the one before`() {
    var random = SeededRandom(seed: 2)
    for _ in 0..<2_000 {
      var backoff = random.backoff()
      backoff.initial = max(backoff.initial, 0)
      backoff.multiplier = 1 + random.double() * 3
      backoff.jitter = 0
      let pauses = (1...50).map { backoff.length(of: Pause($0), unit: random.double()) }
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

  fileprivate mutating func advice() -> Int64? { int(in: 0...1) == 0 ? nil : time() }

  /// Times of all magnitudes, so that the smallest and the largest meet.
  private mutating func time() -> Int64 {
    Int64(truncatingIfNeeded: next()) >> Int64(int(in: 0...63))
  }
}
