import Publishers
import Testing

/// What reaches the upstreams of an operator, and in which order.
@Suite struct UpstreamTests {
  @Test(arguments: outers)
  func `a subscriber has its subscription before upstream is subscribed to`(_ line: Outer) {
    let log = Log<String>()
    let source = Deferred {
      log.add("upstream")
      return PassthroughSubject<Int, Oops>()
    }
    let announcing = AnySubscriber<Int, Oops>(receiveSubscription: { _ in log.add("downstream") })
    line.make(source.eraseToAnyPublisher(), Empty().eraseToAnyPublisher())
      .receive(subscriber: announcing)
    #expect(log.entries == ["downstream", "upstream"])
  }

  @Test(arguments: outers)
  func `upstream is not subscribed to for who cancels at once`(_ line: Outer) {
    let log = Log<String>()
    let source = Deferred {
      log.add("upstream")
      return PassthroughSubject<Int, Oops>()
    }
    line.make(source.eraseToAnyPublisher(), Empty().eraseToAnyPublisher())
      .receive(subscriber: AnySubscriber<Int, Oops>(receiveSubscription: { $0.cancel() }))
    #expect(log.entries == [])
  }

  @Test(arguments: outers)
  func `an inner publisher is cancelled before the one that yielded it`(_ line: Outer) {
    let log = Log<String>()
    let (outer, inner) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
    let token = line.make(
      outer.handleEvents(receiveCancel: { log.add("outer") }).eraseToAnyPublisher(),
      inner.handleEvents(receiveCancel: { log.add("inner") }).eraseToAnyPublisher()
    ).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    outer.send(0)
    token.cancel()
    #expect(log.entries == ["inner", "outer"])
  }

  @Test(arguments: [true, false])
  func `upstream is cancelled before the publisher that bounds it`(_ isPrefix: Bool) {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Oops>()
    let source = subject.handleEvents(receiveCancel: { log.add("upstream") })
    let other = PassthroughSubject<Int, Oops>()
    let bound = other.handleEvents(receiveCancel: { log.add("bound") })
    let bounded =
      isPrefix
      ? source.prefix(untilOutputFrom: bound).eraseToAnyPublisher()
      : source.drop(untilOutputFrom: bound).eraseToAnyPublisher()
    bounded.sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
    #expect(log.entries == ["upstream", "bound"])
  }

  @Test func `what is dropped at the beginning is asked for before anybody asks`() {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(.none, note: log.add)
    subject.dropFirst(2).receive(subscriber: recorder)
    subject.send(1)
    subject.send(2)
    recorder.subscription?.request(.max(1))
    subject.send(3)
    subject.send(4)
    #expect(log.entries == ["3"])
  }

  @Test(arguments: [true, false])
  func `a publisher that has been succeeded says nothing more`(_ isCatch: Bool) {
    let log = Log<String>()
    let (first, second) = (Driven<Int, Oops>(), Driven<Int, Oops>())
    let end: Completion<Oops> = isCatch ? .failure(Oops()) : .finished
    let chain =
      isCatch
      ? first.catch { _ in second }.eraseToAnyPublisher()
      : first.append(second).eraseToAnyPublisher()
    chain.receive(subscriber: Recorder<Int, Oops>(note: log.add))
    first.send(1)
    for _ in 1...2 { first.subscriber?.receive(completion: end) }
    first.send(2)
    second.send(3)
    second.subscriber?.receive(completion: .finished)
    #expect(log.entries == ["1", "3", "|"])
    #expect(second.subscriberCount == 1)
  }
}

/// An operator that makes or passes on publishers.
struct Outer: Sendable, CustomTestStringConvertible {
  typealias Source = AnyPublisher<Int, Oops>
  var name: String
  var make: @Sendable (Source, Source) -> Source
  var testDescription: String { name }
}

private let outers = [
  Outer(name: "flatMap") { outer, inner in outer.flatMap { _ in inner }.eraseToAnyPublisher() },
  Outer(name: "switchToLatest") { outer, inner in
    outer.map { _ in inner }.switchToLatest().eraseToAnyPublisher()
  },
]

/// A publisher that says what it is made to say, even against the rules.
private final class Driven<Output, Failure: Error>: Publisher {
  private(set) var subscriber: AnySubscriber<Output, Failure>?
  private(set) var subscriberCount = 0

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = AnySubscriber(subscriber)
    subscriberCount += 1
    subscriber.receive(subscription: Ignored())
  }

  func send(_ value: Output) { _ = subscriber?.receive(value) }

  private final class Ignored: Subscription {
    func request(_ demand: Demand) {}
    func cancel() {}
  }
}
