import Publishers
import Testing

@Suite struct SubjectTests {
  @Test func `a passthrough subject replays nothing but its end`() {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Oops>()
    subject.send(1)
    subject.receive(subscriber: Recorder { log.add("a\($0)") })
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(3)
    subject.send(completion: .failure(Oops()))
    subject.receive(subscriber: Recorder { log.add("b\($0)") })
    #expect(log.entries == ["a2", "a|", "b|"])
  }

  @Test func `a passthrough subject drops what nobody asked for`() {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(.max(1), note: log.add)
    subject.receive(subscriber: recorder)
    for value in 1...3 { subject.send(value) }
    recorder.subscription?.request(.max(1))
    subject.send(4)
    subject.send(5)
    #expect(log.entries == ["1", "4"])
  }

  @Test func `a current value subject sends each new subscriber its value`() {
    let log = Log<String>()
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.receive(subscriber: Recorder { log.add("a\($0)") })
    subject.send(1)
    subject.value = 2
    subject.receive(subscriber: Recorder { log.add("b\($0)") })
    subject.send(completion: .finished)
    subject.send(3)
    subject.receive(subscriber: Recorder { log.add("c\($0)") })
    #expect(log.entries == ["a1", "a1", "a2", "b2", "a|", "b|", "c|"])
    #expect(subject.value == 2)
  }

  @Test func `a value that is set after the end is stored, and one that is sent is not`() {
    let log = Log<String>()
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.receive(subscriber: Recorder(note: log.add))
    subject.send(completion: .finished)
    subject.value = 2
    subject.send(3)
    #expect(log.entries == ["1", "|"])
    #expect(subject.value == 2)
  }

  @Test func `what was missed for lack of demand comes in its latest form`() {
    let log = Log<String>()
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>(.max(1), note: log.add)
    subject.receive(subscriber: recorder)
    subject.send(2)
    subject.send(3)
    recorder.subscription?.request(.max(2))
    recorder.subscription?.request(.max(1))
    subject.send(4)
    #expect(log.entries == ["1", "3", "4"])
  }

  @Test func `subscribers are served in the order in which they came`() {
    let log = Log<Int>()
    let subject = PassthroughSubject<Void, Never>()
    var tokens = (0..<100).map { number in subject.sink { log.add(number) } }
    tokens.removeSubrange(10..<70)
    subject.send()
    #expect(log.entries == Array(0..<10) + Array(70..<100))
  }

  @Test(arguments: [(false, "a1 a2 b2 b1"), (true, "a1 b1 a2 b2")])
  func `a send inside a delivery goes depth first unless serialised`(
    _ serialize: Bool, _ expected: String
  ) {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>(serialize: serialize)
    let tokens = [
      subject.sink { value in
        log.add("a\(value)")
        if value == 1 { subject.send(2) }
      },
      subject.sink { log.add("b\($0)") },
    ]
    subject.send(1)
    #expect(log.entries.joined(separator: " ") == expected)
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: [(false, "a0 b0 a1 a2 b2 b1"), (true, "a0 b0 a1 b1 a2 b2")])
  func `a current value sent inside a delivery goes depth first unless serialised`(
    _ serialize: Bool, _ expected: String
  ) {
    let log = Log<String>()
    let subject = CurrentValueSubject<Int, Never>(0, serialize: serialize)
    let tokens = [
      subject.sink { value in
        log.add("a\(value)")
        if value == 1 { subject.send(2) }
      },
      subject.sink { log.add("b\($0)") },
    ]
    subject.send(1)
    #expect(log.entries.joined(separator: " ") == expected)
    #expect(subject.value == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test func `an end inside a delivery overtakes the value for those after it`() {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    subject.receive(
      subscriber: Recorder { text in
        log.add("a\(text)")
        if text == "1" { subject.send(completion: .finished) }
      })
    subject.receive(subscriber: Recorder { log.add("b\($0)") })
    subject.send(1)
    #expect(log.entries == ["a1", "a|", "b|"])
  }

  @Test func `who is cancelled during a delivery gets nothing more, who comes then not this value`()
  {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    var tokens: [AnyCancellable] = []
    subject.sink { value in
      log.add("a\(value)")
      tokens.last?.cancel()
      if value == 1 { subject.sink { log.add("c\($0)") }.store(in: &tokens) }
    }.store(in: &tokens)
    subject.sink { log.add("b\($0)") }.store(in: &tokens)
    subject.send(1)
    #expect(log.entries == ["a1"])
    tokens.removeAll()
    subject.send(2)
    #expect(log.entries == ["a1"])
  }

  @Test func `a passthrough subject opens its upstreams with the first demand`() {
    let log = Log<Demand>()
    let subject = PassthroughSubject<Int, Never>()
    let feed = [1, 2].publisher.handleEvents(receiveRequest: log.add).subscribe(subject)
    #expect(log.entries == [])
    let values = Log<Int>()
    let token = subject.sink(receiveValue: values.add)
    #expect(log.entries == [.unlimited])
    #expect(values.entries == [1, 2])
    feed.cancel()
    token.cancel()
  }

  @Test func `a subject with a value follows its upstream although nobody subscribes`() {
    let upstream = PassthroughSubject<Int, Never>()
    let subject = CurrentValueSubject<Int, Never>(0)
    let feed = upstream.subscribe(subject)
    upstream.send(5)
    #expect(subject.value == 5)
    feed.cancel()
    upstream.send(6)
    #expect(subject.value == 5)
  }

  @Test func `cancelling what feeds a subject frees the subject that nothing else keeps`() {
    let upstream = PassthroughSubject<Int, Never>()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    weak let seen = subject
    let feed = subject.map { upstream.subscribe($0) }
    subject = nil
    #expect(seen != nil)
    feed?.cancel()
    #expect(seen == nil)
  }

  @Test func `a connection that is cancelled or dropped frees its subject`() {
    let upstream = PassthroughSubject<Int, Never>()
    upstream.makeConnectable().connect().cancel()
    _ = upstream.multicast(subject: PassthroughSubject<Int, Never>()).connect()
    _ = upstream.multicast { CurrentValueSubject<Int, Never>(0) }.connect()
    upstream.send(1)
  }

  @Test func `a cancelled sink frees what it held, although the subject lives`() {
    let subject = PassthroughSubject<Int, Never>()
    var held: Log<Int>? = Log()
    weak let log = held
    let token = subject.map { $0 + 1 }.removeDuplicates().sink { [held] in held?.add($0) }
    held = nil
    subject.send(1)
    #expect(log?.entries == [2])
    token.cancel()
    #expect(log == nil)
  }

  @Test func `a finished chain is freed although its token is kept`() {
    let subject = PassthroughSubject<Int, Never>()
    var held: Log<Int>? = Log()
    weak let log = held
    let token = subject.flatMap { [held] value in held.publisher(value) }.sink { _ in }
    held = nil
    subject.send(1)
    subject.send(completion: .finished)
    #expect(log == nil)
    token.cancel()
  }
}

extension Optional where Wrapped == Log<Int> {
  fileprivate func publisher(_ value: Int) -> Just<Int> { Just(value) }
}

@Suite struct PublishedTests {
  final class Counter {
    @Published var count = 0
    @Published var copy = 0
  }

  @Test func `every set is published, and the old value can be read meanwhile`() {
    let counter = Counter()
    let log = Log<String>()
    let token = counter.$count.sink { log.add("\(counter.count)>\($0)") }
    counter.count = 1
    counter.count = 1
    counter.count = 2
    #expect(log.entries == ["0>0", "0>1", "1>1", "1>2"])
    #expect(counter.count == 2)
    token.cancel()
    counter.count = 3
    #expect(log.entries.count == 4)
  }

  @Test func `assign sets a property for as long as its owner lives`() {
    let subject = PassthroughSubject<Int, Never>()
    var counter: Counter? = Counter()
    weak let seen = counter
    let log = Log<Int>()
    let token = counter?.$copy.sink(receiveValue: log.add)
    if let counter { subject.assign(to: &counter.$copy) }
    subject.send(5)
    #expect(counter?.copy == 5)
    #expect(log.entries == [0, 5])
    counter = nil
    #expect(seen == nil)
    subject.send(6)
    #expect(log.entries == [0, 5])
    token?.cancel()
  }

  @Test func `a property follows another`() {
    let counter = Counter()
    counter.$count.map { $0 * 2 }.assign(to: &counter.$copy)
    counter.count = 4
    #expect(counter.copy == 8)
  }

  @Test func `assign to a key path ends with its token`() {
    let counter = Counter()
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.assign(to: \.count, on: counter)
    subject.send(3)
    #expect(counter.count == 3)
    token.cancel()
    subject.send(4)
    #expect(counter.count == 3)
  }
}
