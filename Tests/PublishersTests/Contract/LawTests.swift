import Publishers
import Testing

/// The contract of every operator if its subscriber acts while it receives: sends, ends a source,
/// requests more or cancels.
@Suite struct LawTests {
  @Test(arguments: candidates)
  func `acting while being served breaks nothing, and in the end all is freed`(
    _ candidate: Candidate
  ) {
    for seed in 1...400 {
      let play = Play(seed: seed)
      let publisher = candidate.make(play.sources)
      weak var served: StrictSubscriber?
      do {
        let strict = play.run(publisher)
        served = strict
        #expect(strict.faults == [], "seed \(seed)")
      }
      #expect(served == nil, "still held after the end, seed \(seed)")
      withExtendedLifetime((play, publisher)) {}
    }
  }

  @Test(arguments: [false, true])
  func `who leaves is freed although others stay`(_ leavesInside: Bool) {
    let subject = PassthroughSubject<String, Oops>()
    let others = (0..<9).map { _ in StrictSubscriber() }
    for other in others.prefix(5) { subject.receive(subscriber: other) }
    weak var freed: StrictSubscriber?
    do {
      let leaving = StrictSubscriber { if $0.hasTaken { $0.cancel() } }
      freed = leaving
      subject.receive(subscriber: leaving)
      leaving.request(.unlimited)
      for other in others.dropFirst(5) { subject.receive(subscriber: other) }
      if leavesInside { subject.send("a") } else { leaving.cancel() }
    }
    #expect(freed == nil)
    for other in others { other.request(.max(1)) }
    subject.send("b")
    #expect(others.allSatisfy { $0.hasTaken })
    for other in others { other.cancel() }
  }
}

/// Two subjects, an operator on them, and a subscriber that acts by a seeded generator.
private final class Play {
  private var dice: Dice
  private let scheduler = VirtualScheduler()
  private let a: any Subject<String, Oops>
  private let b: any Subject<String, Oops>
  /// The number of actions from inside that are left. Without a bound sends would never end.
  private var remaining = 12

  init(seed: Int) {
    dice = Dice(state: UInt64(seed))
    a = makeSubject(&dice)
    b = makeSubject(&dice)
  }

  var sources: Candidate.Sources {
    Candidate.Sources(a: erased(a), b: erased(b), scheduler: scheduler)
  }

  /// Runs all actions, and ends the subscription.
  func run(_ publisher: Candidate.Source) -> StrictSubscriber {
    let strict = StrictSubscriber { [self] strict in
      if remaining > 0, dice.roll(2) == 0 {
        remaining -= 1
        act(strict)
      }
    }
    publisher.receive(subscriber: strict)
    for _ in 0..<16 {
      act(strict)
      if dice.roll(2) == 0 { scheduler.advance(by: .milliseconds(dice.roll(3))) }
    }
    strict.cancel()
    scheduler.run()
    return strict
  }

  private func act(_ strict: StrictSubscriber) {
    switch dice.roll(20) {
    case 0: a.send(completion: .finished)
    case 1: b.send(completion: .finished)
    case 2: (dice.roll(2) == 0 ? a : b).send(completion: .failure(Oops()))
    case 3: strict.cancel()
    case 4...6: strict.request(.max(dice.roll(3) + 1))
    case 7: strict.request(.unlimited)
    case 8...14: a.send(["a", "b", "c"][dice.roll(3)])
    default: b.send(["x", "y"][dice.roll(2)])
    }
  }
}

private func makeSubject(_ dice: inout Dice) -> any Subject<String, Oops> {
  switch dice.roll(3) {
  case 0: CurrentValueSubject("z")
  case 1: PassthroughSubject(serialize: true)
  default: PassthroughSubject()
  }
}

private func erased(_ subject: any Subject<String, Oops>) -> Candidate.Source {
  func erase<S: Subject<String, Oops>>(_ subject: S) -> Candidate.Source {
    subject.eraseToAnyPublisher()
  }
  return erase(subject)
}
