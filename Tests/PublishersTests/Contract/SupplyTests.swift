import Publishers
import Testing

/// What is asked for comes, in its order, however the subscriber asks.
@Suite struct SupplyTests {
  @Test(arguments: lossless)
  func `all values come in order, whatever portions they are asked for in`(_ line: Lossless) {
    for seed in 1...300 {
      let eater = PortionEater(Dice(state: UInt64(seed)))
      line.make((1...9).publisher, (101...109).publisher).receive(subscriber: eater)
      eater.finish()
      #expect(eater.taken.filter { $0 < 100 } == line.firsts, "seed \(seed)")
      #expect(eater.taken.filter { $0 > 100 } == line.seconds, "seed \(seed)")
      #expect(eater.ends == 1, "seed \(seed)")
    }
  }

  @Test(arguments: [true, false])
  func `a source that is asked for all its values does not overtake itself`(_ isFlatMap: Bool) {
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(1), note: log.add)
    if isFlatMap {
      Just(0).flatMap { _ in (1...4).publisher }.receive(subscriber: recorder)
    } else {
      (1...4).publisher.merge(with: Empty()).receive(subscriber: recorder)
    }
    recorder.subscription?.request(.unlimited)
    #expect(log.entries == ["1", "2", "3", "4", "|"])
  }

  @Test(arguments: joined)
  func `a value that arrives during another is delivered if the other's answer asks for it`(
    _ line: Joined
  ) {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(1)) { text in
      log.add(text)
      if text == line.trigger { b.send(2) }
    }
    recorder.more = .max(1)
    line.make(a, b).receive(subscriber: recorder)
    for value in line.first { b.send(value) }
    a.send(1)
    #expect(log.entries == line.expected)
  }

  @Test(arguments: successions)
  func `a source that begins during a value is asked for what the value's answer adds`(
    _ line: Succession
  ) {
    let (first, second) = (PassthroughSubject<Int, Oops>(), CurrentValueSubject<Int, Oops>(2))
    let turns = PassthroughSubject<Int, Oops>()
    let log = Log<String>()
    let recorder = Recorder<Int, Oops>(.max(1)) { text in
      log.add(text)
      if text == "1" { line.succeed(first, turns) }
    }
    recorder.more = .max(1)
    line.make(first, second, turns).receive(subscriber: recorder)
    turns.send(0)
    first.send(1)
    #expect(log.entries == ["1", "2"])
  }

  @Test func `a subject with a value delivers the one that was set during a delivery`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(1)) { text in
      log.add(text)
      if text == "1" { subject.send(2) }
    }
    recorder.more = .max(1)
    subject.receive(subscriber: recorder)
    #expect(log.entries == ["1", "2"])
  }

  @Test func `the end waits for a value that both sides sent during another`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(1)) { text in
      log.add(text)
      guard text == "12" else { return }
      a.send(3)
      a.send(completion: .finished)
      b.send(completion: .finished)
    }
    recorder.more = .max(1)
    a.combineLatest(b) { $0 * 10 + $1 }.receive(subscriber: recorder)
    a.send(1)
    b.send(2)
    #expect(log.entries == ["12", "32", "|"])
  }

  @Test(arguments: forgiving)
  func `asking for nothing changes nothing where values are kept or passed on`(_ line: Forgiving) {
    let subject = PassthroughSubject<Int, Never>()
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.none, note: log.add)
    line.make(subject.eraseToAnyPublisher()).receive(subscriber: recorder)
    recorder.subscription?.request(.none)
    subject.send(1)
    #expect(log.entries == [])
    recorder.subscription?.request(.max(2))
    subject.send(2)
    #expect(log.entries == line.expected)
  }

  @Test func `who comes after the end may ask for nothing`() {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    subject.send(completion: .finished)
    let recorder = Recorder<Int, Never>(.none, note: log.add)
    subject.share().receive(subscriber: recorder)
    recorder.subscription?.request(.none)
    #expect(log.entries == ["|"])
  }

  @Test func `a demand may be changed by a negative number, but not below none`() {
    #expect(Demand.max(5) + -3 == .max(2))
    #expect(Demand.max(5) - -3 == .max(8))
    #expect(Demand.max(2) + -3 == .none)
    #expect(Demand.max(2) + .min == .none)
    #expect(Demand.max(2) - .min == .unlimited)
    #expect(Demand.unlimited + -3 == .unlimited)
  }
}

/// An operator that passes on all values of its sources.
struct Lossless: Sendable, CustomTestStringConvertible {
  typealias Source = SequencePublisher<ClosedRange<Int>, Never>
  var name: String
  var seconds: [Int]
  var firsts = Array(1...9)
  var make: @Sendable (Source, Source) -> AnyPublisher<Int, Never>
  var testDescription: String { name }

  init<P: Publisher & SendableMetatype>(
    _ name: String, both: Bool = true, _ make: @escaping @Sendable (Source, Source) -> P
  ) where P.Output == Int, P.Failure == Never {
    self.name = name
    seconds = both ? Array(101...109) : []
    self.make = { make($0, $1).eraseToAnyPublisher() }
  }
}

private let lossless = [
  Lossless("map", both: false) { a, _ in a.map { $0 } },
  Lossless("merge") { $0.eraseToAnyPublisher().merge(with: $1.map { $0 }) },
  Lossless("merge of one type") { $0.merge(with: $1) },
  Lossless("append") { $0.append($1) },
  Lossless("prepend") { $1.prepend($0) },
  Lossless("flatMap") { a, b in [a, b].publisher.flatMap { $0 } },
  Lossless("flatMap of one at once") { a, b in
    [a, b].publisher.flatMap(maxPublishers: .max(1)) { $0 }
  },
  Lossless("concatMap") { a, b in [a, b].publisher.concatMap { $0 } },
  Lossless("switchToLatest", both: false) { a, _ in Just(a).switchToLatest() },
  Lossless("catch") { a, b in
    a.setFailureType(to: Oops.self).append(Fail(error: Oops())).catch { _ in b }
  },
  Lossless("buffer that keeps full") {
    $0.append($1).buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
  },
  Lossless("buffer of everything") {
    $0.append($1).buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)
  },
  Lossless("zip") { a, b in a.zip(b).concatMap { [$0, $1].publisher } },
  Lossless("collect") { a, b in a.append(b).collect(2).concatMap { $0.publisher } },
  Lossless("prefix until") { $0.append($1).prefix(untilOutputFrom: Empty<Int, Never>()) },
]

/// A subscriber that asks in portions: at first, with a value, during a value, and from outside.
private final class PortionEater: Subscriber {
  private(set) var taken: [Int] = []
  private(set) var ends = 0
  private var subscription: (any Subscription)?
  private var dice: Dice

  init(_ dice: Dice) { self.dice = dice }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    if dice.roll(2) == 0 { subscription.request(.max(dice.roll(3) + 1)) }
  }

  func receive(_ input: Int) -> Demand {
    taken.append(input)
    switch dice.roll(12) {
    case 0...3: return .max(1)
    case 4: return .max(2)
    case 5, 6: subscription?.request(.max(1))
    case 7 where dice.roll(4) == 0: return .unlimited
    case 8 where dice.roll(4) == 0: subscription?.request(.unlimited)
    default: break
    }
    return .none
  }

  func receive(completion: Completion<Never>) { ends += 1 }

  /// Asks again and again, and at last for everything.
  func finish() {
    for _ in 0..<dice.roll(6) { subscription?.request(.max(dice.roll(3) + 1)) }
    subscription?.request(.unlimited)
    subscription = nil
  }
}

/// An operator of two subjects of which the second sends during a value of the first.
struct Joined: Sendable, CustomTestStringConvertible {
  typealias Source = PassthroughSubject<Int, Never>
  var name: String
  /// Values that the second sends before.
  var first: [Int] = []
  var trigger = "1"
  var expected = ["1", "2"]
  var make: @Sendable (Source, Source) -> AnyPublisher<Int, Never>
  var testDescription: String { name }
}

private let joined = [
  Joined(name: "merge") { $0.map { $0 }.merge(with: $1).eraseToAnyPublisher() },
  Joined(name: "merge of one type") { $0.merge(with: $1).eraseToAnyPublisher() },
  Joined(name: "flatMap") { a, b in [a, b].publisher.flatMap { $0 }.eraseToAnyPublisher() },
  Joined(name: "combineLatest", first: [5], trigger: "15", expected: ["15", "12"]) { a, b in
    a.combineLatest(b) { $0 * 10 + $1 }.eraseToAnyPublisher()
  },
  Joined(name: "combineLatest of many", first: [5], trigger: "15", expected: ["15", "12"]) { a, b in
    CombineLatestMany([a, b]).map { $0[0] * 10 + $0[1] }.eraseToAnyPublisher()
  },
]

/// An operator that goes on with another source.
struct Succession: Sendable, CustomTestStringConvertible {
  typealias First = PassthroughSubject<Int, Oops>
  typealias Second = CurrentValueSubject<Int, Oops>
  var name: String
  var make: @Sendable (First, Second, First) -> AnyPublisher<Int, Oops>
  var succeed: @Sendable (First, First) -> Void
  var testDescription: String { name }
}

private let successions = [
  Succession(name: "append") { first, second, _ in
    first.append(second).eraseToAnyPublisher()
  } succeed: { first, _ in
    first.send(completion: .finished)
  },
  Succession(name: "catch") { first, second, _ in
    first.catch { _ in second }.eraseToAnyPublisher()
  } succeed: { first, _ in
    first.send(completion: .failure(Oops()))
  },
  Succession(name: "switchToLatest") { first, second, turns in
    turns.map { $0 == 0 ? first.eraseToAnyPublisher() : second.eraseToAnyPublisher() }
      .switchToLatest().eraseToAnyPublisher()
  } succeed: { _, turns in
    turns.send(1)
  },
  Succession(name: "concatMap") { first, second, turns in
    turns.concatMap { $0 == 0 ? first.eraseToAnyPublisher() : second.eraseToAnyPublisher() }
      .eraseToAnyPublisher()
  } succeed: { first, turns in
    turns.send(1)
    first.send(completion: .finished)
  },
]

/// Runs what is due at once, and nothing that is due later.
private struct Unhurried: PublisherScheduler {
  var now: Int64 { 0 }
  static var keepsJobs: Bool { true }

  func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    if delay == 0 { job() }
    return AnyCancellable {}
  }
}

/// An operator that accepts a request for nothing.
struct Forgiving: Sendable, CustomTestStringConvertible {
  typealias Source = AnyPublisher<Int, Never>
  var name: String
  var expected: [String]
  var make: @Sendable (Source) -> Source
  var testDescription: String { name }
}

private let forgiving = [
  Forgiving(name: "sequence", expected: ["1", "2"]) { _ in
    [1, 2, 3].publisher.eraseToAnyPublisher()
  },
  Forgiving(name: "recording", expected: ["1", "2", "|"]) { _ in
    Record(output: [1, 2], completion: .finished).eraseToAnyPublisher()
  },
  Forgiving(name: "receive(on:)", expected: ["2"]) {
    $0.receive(on: ImmediateScheduler()).eraseToAnyPublisher()
  },
  Forgiving(name: "timeout", expected: ["2"]) {
    $0.timeout(.seconds(9), scheduler: Unhurried()).eraseToAnyPublisher()
  },
  Forgiving(name: "subscribe(on:)", expected: ["2"]) {
    $0.subscribe(on: ImmediateScheduler()).eraseToAnyPublisher()
  },
  Forgiving(name: "subject", expected: ["2"]) { $0 },
  Forgiving(name: "share", expected: ["2"]) { $0.share().eraseToAnyPublisher() },
  Forgiving(name: "append", expected: ["2"]) { $0.append(3).eraseToAnyPublisher() },
  Forgiving(name: "prefix until", expected: ["2"]) {
    $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).eraseToAnyPublisher()
  },
  Forgiving(name: "buffer", expected: ["1", "2"]) {
    $0.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
  },
]
