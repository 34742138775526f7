import Publishers
import Testing

/// The contract of every operator with its subscriber, for any behaviour of its sources and any
/// demand.
@Suite struct ContractTests {
  @Test(arguments: candidates)
  func `values only on demand, one end, and nothing after it or after cancelling`(
    _ candidate: Candidate
  ) {
    for seed in 1...300 {
      var dice = Dice(state: UInt64(seed))
      let lab = Lab()
      let strict = StrictSubscriber(leaves: seed % 4 == 0)
      let publisher = candidate.make(lab.sources(&dice))
      publisher.receive(subscriber: strict)
      for _ in 0..<12 {
        switch dice.roll(6) {
        case 0: strict.request(.max(dice.roll(3) + 1))
        case 1 where dice.roll(4) == 0: strict.request(.unlimited)
        case 2 where dice.roll(5) == 0: strict.cancel()
        default: lab.scheduler.advance(by: .milliseconds(dice.roll(3)))
        }
      }
      lab.scheduler.advance(by: .milliseconds(100))
      #expect(strict.faults == [], "seed \(seed)")
    }
  }

  @Test(arguments: candidates)
  func `the same run comes out the same again`(_ candidate: Candidate) {
    for seed in 1...20 {
      let texts = (0..<2).map { _ in
        var dice = Dice(state: UInt64(seed))
        let lab = Lab()
        return lab.run(candidate.make(lab.sources(&dice)))
      }
      #expect(texts[0] == texts[1])
    }
  }
}

/// A seeded generator, so that a failure can be repeated.
struct Dice {
  var state: UInt64

  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(sides))
  }
}

extension Lab {
  fileprivate func sources(_ dice: inout Dice) -> Candidate.Sources {
    Candidate.Sources(a: source(&dice), b: source(&dice), scheduler: scheduler)
  }

  /// Returns a hot, a cold or an immediate source with values, pauses, and one of three ends.
  fileprivate func source(_ dice: inout Dice) -> AnyPublisher<String, Oops> {
    let length = dice.roll(8)
    let marble = (0..<length).map { _ in ["a", "b", "-", "(ab)", "c"][dice.roll(5)] }.joined()
    let end = ["|", "#", ""][dice.roll(3)]
    switch dice.roll(3) {
    case 0: return hot(marble + end).eraseToAnyPublisher()
    case 1: return cold(marble + end)
    default:
      let values = marble.filter { $0.isLetter }.map { String($0) }.publisher
      let sure = values.setFailureType(to: Oops.self)
      if end == "#" { return sure.append(Fail(error: Oops())).eraseToAnyPublisher() }
      return sure.eraseToAnyPublisher()
    }
  }
}
