import Publishers
import Testing

@Suite struct SharingTests {
  @Test func `share attaches, connects once, and ends with the last`() {
    let lab = Lab()
    let shared = lab.watched("a", "-xyz").share()
    let first = shared.sink(receiveCompletion: { _ in }, receiveValue: { lab.note("1\($0)") })
    lab.scheduler.advance(by: .milliseconds(1))
    let second = shared.sink(receiveCompletion: { _ in }, receiveValue: { lab.note("2\($0)") })
    lab.scheduler.advance(by: .milliseconds(1))
    first.cancel()
    lab.scheduler.advance(by: .milliseconds(1))
    second.cancel()
    let third = shared.sink(receiveCompletion: { _ in }, receiveValue: { lab.note("3\($0)") })
    lab.scheduler.advance(by: .milliseconds(1))
    third.cancel()
    #expect(
      lab.notes == ["0:+a", "1:1x", "2:1y", "2:2y", "3:2z", "3:xa", "3:+a", "4:3x", "4:xa"])
  }

  @Test func `after the end of what is shared there is only the end`() {
    let log = Log<String>()
    let shared = [1, 2].publisher.handleEvents(receiveSubscription: { _ in log.add("+") }).share()
    shared.receive(subscriber: Recorder { log.add("a\($0)") })
    shared.receive(subscriber: Recorder { log.add("b\($0)") })
    #expect(log.entries == ["+", "a1", "a2", "a|", "b|"])
  }

  @Test func `a subscriber that leaves at once ends the connection`() {
    let lab = Lab()
    let shared = lab.watched("a", "x").prepend("y").handleEvents(receiveCancel: { lab.note("gone") }
    )
    .share()
    #expect(lab.run(shared.first()) == "0:y 0:| 0:+a 0:gone 0:xa")
  }

  @Test func `multicast makes one subject, and subscribes once for each connect`() {
    let log = Log<String>()
    let shared = Just(1).handleEvents(receiveSubscription: { _ in log.add("+") }).multicast {
      log.add("new")
      return PassthroughSubject<Int, Never>()
    }
    #expect(log.entries == [])
    shared.receive(subscriber: Recorder { log.add("a\($0)") })
    #expect(log.entries == ["new"])
    let tokens = [shared.connect(), shared.connect()]
    #expect(log.entries == ["new", "+", "a1", "a|", "+"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `what upstream sends at once counts against what was asked of a current value`() {
    let log = Log<String>()
    let shared = (1...3).publisher.multicast(subject: CurrentValueSubject<Int, Never>(0))
    let connection = shared.connect()
    let recorder = Recorder<Int, Never>(.max(1), note: log.add)
    shared.receive(subscriber: recorder)
    #expect(log.entries == ["1", "|"])
    connection.cancel()
  }

  @Test func `a multicast over a current value reaches late subscribers`() {
    let log = Log<Int>()
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast(subject: CurrentValueSubject<Int, Never>(0))
    let early = shared.sink { _ in }
    let connection = shared.connect()
    source.send(7)
    let late = shared.sink(receiveValue: log.add)
    #expect(log.entries == [7])
    connection.cancel()
    source.send(8)
    #expect(log.entries == [7])
    withExtendedLifetime((early, late)) {}
  }

  @Test func `a connectable publisher waits`() {
    let log = Log<Int>()
    let publisher = [1, 2].publisher.makeConnectable()
    let token = publisher.sink(receiveValue: log.add)
    #expect(log.entries == [])
    let connection = publisher.connect()
    #expect(log.entries == [1, 2])
    withExtendedLifetime((token, connection)) {}
  }

  @Test func `a timer yields the time in even steps, for all from one connection`() {
    let lab = Lab()
    let timer = TimerPublisher(every: .milliseconds(2), scheduler: lab.scheduler).autoconnect()
    let first = timer.sink { lab.note("a\($0)") }
    lab.scheduler.advance(to: 3000)
    let second = timer.sink { lab.note("b\($0)") }
    lab.scheduler.advance(to: 5000)
    first.cancel()
    second.cancel()
    #expect(lab.scheduler.count == 0)
    lab.scheduler.advance(to: 9000)
    let third = timer.sink { lab.note("c\($0)") }
    lab.scheduler.advance(to: 11000)
    third.cancel()
    #expect(lab.notes == ["2:a2000", "4:a4000", "4:b4000", "11:c11000"])
  }

  @Test(arguments: buffering)
  func `buffers`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `a full buffer lets go of the newest or the oldest`() {
    #expect(kept(.dropNewest) == ["1", "2", "|"])
    #expect(kept(.dropOldest) == ["3", "4", "|"])
  }

  @Test func `a full buffer fails when it is next asked`() {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Oops>()
    let recorder = Recorder<Int, Oops>(.none, note: log.add)
    subject.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { Oops() }).receive(
      subscriber: recorder)
    subject.send(1)
    subject.send(2)
    #expect(log.entries == [])
    recorder.subscription?.request(.max(1))
    #expect(log.entries == ["#"])
  }

  @Test func `a buffer that is kept full asks for what it holds, and one for each that left`() {
    let log = Log<Demand>()
    let recorder = Recorder<Int, Never>(.max(2)) { _ in }
    (1...9).publisher.handleEvents(receiveRequest: log.add)
      .buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).receive(subscriber: recorder)
    #expect(log.entries == [.max(3), .max(1), .max(1)])
  }

  private func kept(_ whenFull: BufferingStrategy<Never>) -> [String] {
    let log = Log<String>()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>(.none, note: log.add)
    subject.buffer(size: 2, prefetch: .byRequest, whenFull: whenFull).receive(subscriber: recorder)
    for value in 1...4 { subject.send(value) }
    subject.send(completion: .finished)
    recorder.subscription?.request(.max(1))
    recorder.subscription?.request(.max(1))
    return log.entries
  }
}

private let buffering = [
  MarbleCase("a buffer passes on what is asked for at once", "0:a 1:b 2:|") {
    $0.hot("ab|").buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
  },
  MarbleCase("a buffer of something empty ends", "0:|") { _ in
    Empty<Int, Never>().buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
  },
  MarbleCase("a failure does not wait for demand", "0:a 2:#", demand: .max(1)) {
    $0.hot("ab#").buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
  },
  MarbleCase("the end waits until all is taken", "0:a", demand: .max(1)) {
    $0.hot("ab|").buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
  },
  MarbleCase("a buffer before a limited flatMap loses nothing", "0:+a 2:+b 4:|") { lab in
    lab.hot("ab|").buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(1)) { lab.watched($0, "--|") }
  },
]
