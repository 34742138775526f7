import Publishers
import Testing

/// What every operator owes its subscriber, whatever its sources do and whenever it is asked.
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

/// An operator under test.
struct Candidate: Sendable, CustomTestStringConvertible {
  typealias Source = AnyPublisher<String, Oops>

  /// What an operator is tried on.
  struct Sources {
    var a: Source
    var b: Source
    var scheduler: VirtualScheduler
  }

  var name: String
  var make: @Sendable (Sources) -> Source
  var testDescription: String { name }

  init<P: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Sources) -> P
  ) where P.Output == String, P.Failure == Oops {
    self.name = name
    self.make = { make($0).eraseToAnyPublisher() }
  }
}

/// A seeded generator, so that a fault can be had again.
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

  /// A hot, a cold or an immediate source with values, pauses, and one of three ends.
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

/// Notes every breach of the contract.
private final class StrictSubscriber: Subscriber {
  private var subscription: (any Subscription)?
  private var demand = Demand.none
  private var isOver = false
  private(set) var faults: [String] = []
  private var count = 0
  private let leaves: Bool

  init(leaves: Bool) { self.leaves = leaves }

  func request(_ more: Demand) {
    if isOver { return }
    demand += more
    subscription?.request(more)
  }

  func cancel() {
    isOver = true
    subscription?.cancel()
  }

  func receive(subscription: any Subscription) {
    if self.subscription != nil { faults.append("a second subscription") }
    self.subscription = subscription
  }

  func receive(_ input: String) -> Demand {
    if subscription == nil { faults.append("a value before the subscription") }
    if isOver { faults.append("a value after the end") }
    if demand == .none { faults.append("a value nobody asked for") }
    demand -= 1
    count += 1
    return answer()
  }

  /// Now and then asks for more while it is given a value, in both ways, or leaves.
  private func answer() -> Demand {
    switch count % 5 {
    case 2: request(.max(1))
    case 3:
      demand += 1
      return .max(1)
    case 4 where leaves: cancel()
    default: break
    }
    return .none
  }

  func receive(completion: Completion<Oops>) {
    if subscription == nil { faults.append("an end before the subscription") }
    if isOver { faults.append("an end after the end") }
    isOver = true
  }
}

private let ms2 = Duration.milliseconds(2)

private let candidates: [Candidate] = [
  Candidate("map") { $0.a.map { $0 + "!" } },
  Candidate("filter") { $0.a.filter { $0 != "a" } },
  Candidate("compactMap") { $0.a.compactMap { $0 == "a" ? nil : $0 } },
  Candidate("tryMap") {
    $0.a.tryMap { if $0 == "c" { throw Oops() } else { $0 } }.mapError { _ in Oops() }
  },
  Candidate("removeDuplicates") { $0.a.removeDuplicates() },
  Candidate("scan") { $0.a.scan("") { $0 + $1 } },
  Candidate("reduce") { $0.a.reduce("") { $0 + $1 } },
  Candidate("collect(2)") { $0.a.collect(2).map { $0.joined() } },
  Candidate("prefix") { $0.a.prefix(2) },
  Candidate("prefix(while:)") { $0.a.prefix { $0 != "b" } },
  Candidate("dropFirst") { $0.a.dropFirst(2) },
  Candidate("drop(while:)") { $0.a.drop { $0 == "a" } },
  Candidate("prefix(untilOutputFrom:)") { $0.a.prefix(untilOutputFrom: $0.b) },
  Candidate("drop(untilOutputFrom:)") { $0.a.drop(untilOutputFrom: $0.b) },
  Candidate("first") { $0.a.first() },
  Candidate("last") { $0.a.last() },
  Candidate("merge") { $0.a.merge(with: $0.b) },
  Candidate("combineLatest") { $0.a.combineLatest($0.b) { $0 + $1 } },
  Candidate("zip") { $0.a.zip($0.b) { $0 + $1 } },
  Candidate("flatMap") { $0.a.flatMap { [b = $0.b] _ in b } },
  Candidate("flatMap(maxPublishers: 1)") {
    $0.a.flatMap(maxPublishers: .max(1)) { [b = $0.b] _ in b }
  },
  Candidate("switchToLatest") { $0.a.map { [b = $0.b] _ in b }.switchToLatest() },
  Candidate("append") { $0.a.append($0.b) },
  Candidate("prepend") { $0.a.prepend($0.b) },
  Candidate("catch") { $0.a.catch { [b = $0.b] _ in b } },
  Candidate("retry") { $0.a.retry(2) },
  Candidate("replaceError") { $0.a.replaceError(with: "z").setFailureType(to: Oops.self) },
  Candidate("replaceEmpty") { $0.a.replaceEmpty(with: "z") },
  Candidate("debounce") { $0.a.debounce(for: ms2, scheduler: $0.scheduler) },
  Candidate("debounce, flush") { $0.a.debounce(for: ms2, scheduler: $0.scheduler, flush: true) },
  Candidate("throttle") { $0.a.throttle(for: ms2, scheduler: $0.scheduler, latest: true) },
  Candidate("throttle, first") { $0.a.throttle(for: ms2, scheduler: $0.scheduler, latest: false) },
  Candidate("delay") { $0.a.delay(for: ms2, scheduler: $0.scheduler) },
  Candidate("receive(on:)") { $0.a.receive(on: $0.scheduler) },
  Candidate("timeout") { $0.a.timeout(ms2, scheduler: $0.scheduler) { Oops() } },
  Candidate("byTime") { $0.a.collect(.byTime($0.scheduler, ms2)).map { $0.joined() } },
  Candidate("byTimeOrCount") {
    $0.a.collect(.byTimeOrCount($0.scheduler, ms2, 2)).map { $0.joined() }
  },
  Candidate("buffer") { $0.a.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) },
  Candidate("buffer, by request") {
    $0.a.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Oops() })
  },
  Candidate("share") { $0.a.share() },
  Candidate("current value") {
    $0.a.multicast(subject: CurrentValueSubject<String, Oops>("z")).autoconnect()
  },
  Candidate("handleEvents") { $0.a.handleEvents() },
  Candidate("immediate") { $0.a.receive(on: ImmediateScheduler()) },
]
