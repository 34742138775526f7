import Publishers
import Testing

@Suite struct BeginningTests {
  @Test(arguments: beginnings)
  func `publishers that begin by themselves`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `a future begins when it is made, and replays its result`() {
    let log = Log<String>()
    let future = Future<Int, Never> { promise in
      log.add("began")
      promise(.success(1))
      promise(.success(2))
    }
    #expect(log.entries == ["began"])
    future.receive(subscriber: Recorder { log.add("a\($0)") })
    future.receive(subscriber: Recorder { log.add("b\($0)") })
    #expect(log.entries == ["began", "a1", "a|", "b1", "b|"])
  }

  @Test func `a promise kept later reaches those who wait, in their order`() {
    let log = Log<String>()
    let promises = Log<Future<Int, Oops>.Promise>()
    let future = Future<Int, Oops>(promises.add)
    future.receive(subscriber: Recorder { log.add("a\($0)") })
    let cancelled = Recorder<Int, Oops> { log.add("b\($0)") }
    future.receive(subscriber: cancelled)
    let late = Recorder<Int, Oops>(.none) { log.add("c\($0)") }
    future.receive(subscriber: late)
    cancelled.subscription?.cancel()
    promises.entries.first?(.success(5))
    #expect(log.entries == ["a5", "a|"])
    late.subscription?.request(.max(1))
    #expect(log.entries == ["a5", "a|", "c5", "c|"])
  }

  @Test func `a broken promise reaches everybody at once`() {
    let log = Log<String>()
    let promises = Log<Future<Int, Oops>.Promise>()
    let future = Future<Int, Oops>(promises.add)
    future.receive(subscriber: Recorder(.none, note: log.add))
    promises.entries.first?(.failure(Oops()))
    future.receive(subscriber: Recorder(.none, note: log.add))
    #expect(log.entries == ["#", "#"])
  }

  @Test func `a sequence stops in the middle when it is cancelled`() {
    let log = Log<String>()
    var token: AnyCancellable?
    let subject = PassthroughSubject<Void, Never>()
    token = subject.flatMap { (1...9).publisher }.sink(
      receiveCompletion: { _ in log.add("|") },
      receiveValue: { value in
        log.add("\(value)")
        if value == 3 { token?.cancel() }
      })
    subject.send()
    #expect(log.entries == ["1", "2", "3"])
  }

  @Test func `nothing comes after cancelling, not even the end`() {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    var token: AnyCancellable? = subject.sink(
      receiveCompletion: { _ in log.add("|") }, receiveValue: { log.add("\($0)") })
    subject.send(1)
    withExtendedLifetime(token) { token = nil }
    subject.send(2)
    subject.send(completion: .finished)
    #expect(log.entries == ["1"])
  }

  @Test func `tokens can be kept in a set or in a list`() {
    let log = Log<Int>()
    let subject = PassthroughSubject<Int, Never>()
    var set: Set<AnyCancellable> = []
    var list: [AnyCancellable] = []
    subject.sink(receiveValue: log.add).store(in: &set)
    subject.sink(receiveValue: log.add).store(in: &list)
    subject.send(1)
    set = []
    subject.send(2)
    list = []
    subject.send(3)
    #expect(log.entries == [1, 1, 2])
  }

  @Test func `events are handled before they go on`() {
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(1)) { log.add($0) }
    recorder.more = .max(1)
    [1].publisher.handleEvents(
      receiveSubscription: { _ in log.add("subscription") }, receiveOutput: { log.add("out\($0)") },
      receiveCompletion: { _ in log.add("end") }, receiveCancel: { log.add("cancel") },
      receiveRequest: { log.add("\($0)") }
    ).receive(subscriber: recorder)
    recorder.subscription?.cancel()
    #expect(log.entries == ["subscription", "max(1)", "out1", "1", "max(1)", "end", "|"])
  }

  @Test func `a subscriber made of closures asks for what it returns`() {
    let log = Log<Int>()
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.max(1)) },
      receiveValue: { value in
        log.add(value)
        return value < 3 ? .max(1) : .none
      })
    (1...9).publisher.receive(subscriber: subscriber)
    #expect(log.entries == [1, 2, 3])
  }
}

private let beginnings = [
  MarbleCase("Just yields and ends", "0:1 0:|") { _ in Just(1) },
  MarbleCase("Just waits until it is asked", "", demand: .none) { _ in Just(1) },
  MarbleCase("Empty ends without being asked", "0:|", demand: .none) { _ in Empty<Int, Never>() },
  MarbleCase("Empty need not end", "") { _ in Empty<Int, Never>(completeImmediately: false) },
  MarbleCase("Fail fails without being asked", "0:#", demand: .none) { _ in
    Fail<Int, Oops>(error: Oops())
  },
  MarbleCase("a sequence yields its elements", "0:1 0:2 0:|") { _ in [1, 2].publisher },
  MarbleCase("an empty sequence ends without being asked", "0:|", demand: .none) { _ in
    [Int]().publisher
  },
  MarbleCase("Deferred makes a fresh one for each", "0:1 0:2 0:|") { _ in
    let log = Log<Int>()
    let source = Deferred {
      log.add(1)
      return Just(log.entries.count)
    }
    return source.append(source)
  },
  MarbleCase("what is erased behaves as before", "0:a 1:|") {
    $0.hot("a|").eraseToAnyPublisher().eraseToAnyPublisher()
  },
]
