import Publishers
import Testing

@Suite struct DemandTests {
  @Test func `demands add up, and unlimited stays unlimited`() {
    #expect(Demand.max(2) + .max(3) == .max(5))
    #expect(Demand.max(2) - .max(3) == .none)
    #expect(Demand.unlimited - 1 == .unlimited)
    #expect(Demand.max(.max) + 1 == .unlimited)
    #expect(Demand.unlimited + .unlimited == .unlimited)
    #expect(Demand.max(.max) * 2 == .unlimited)
    #expect(Demand.unlimited * 0 == .unlimited)
    #expect(Demand.max(3) < .unlimited)
    #expect(Demand.unlimited.max == nil)
    #expect("\(Demand.max(3)) \(Demand.unlimited)" == "max(3) unlimited")
  }

  @Test func `a sequence yields what is asked for, and ends with its last element`() {
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(1), note: log.add)
    (1...3).publisher.receive(subscriber: recorder)
    #expect(log.entries == ["1"])
    recorder.subscription?.request(.max(2))
    #expect(log.entries == ["1", "2", "3", "|"])
  }

  @Test func `what is asked for with a value adds to the rest`() {
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(2), note: log.add)
    recorder.more = .max(1)
    (1...4).publisher.receive(subscriber: recorder)
    #expect(log.entries == ["1", "2", "3", "4", "|"])
  }

  @Test(arguments: refilled)
  func `a value that is dropped is made up for`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test(arguments: withheld)
  func `nothing comes that was not asked for`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `a result waits until it is asked for`() {
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.none, note: log.add)
    [1, 2].publisher.count().receive(subscriber: recorder)
    #expect(log.entries == [])
    recorder.subscription?.request(.max(1))
    #expect(log.entries == ["2", "|"])
  }

  @Test func `a replacement waits until it is asked for`() {
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.none, note: log.add)
    Fail<Int, Oops>(error: Oops()).replaceError(with: 7).receive(subscriber: recorder)
    #expect(log.entries == [])
    recorder.subscription?.request(.max(1))
    #expect(log.entries == ["7", "|"])
  }

  @Test func `what was asked for goes over to the next attempt`() {
    let log = Log<Demand>()
    let attempts = Log<Int>()
    let source = Deferred {
      attempts.add(1)
      return [1, 2].publisher.setFailureType(to: Oops.self)
        .append(Fail<Int, Oops>(error: Oops())).handleEvents(receiveRequest: log.add)
    }
    source.retry(2).receive(subscriber: Recorder(.max(5)) { _ in })
    #expect(log.entries == [.max(5), .max(3), .max(1)])
    #expect(attempts.entries.count == 3)
  }

  @Test func `what was asked for goes over to the replacement`() {
    let log = Log<String>()
    [1, 2].publisher.setFailureType(to: Oops.self).append(Fail<Int, Oops>(error: Oops()))
      .catch { _ in [3, 4, 5].publisher }
      .receive(subscriber: Recorder(.max(4), note: log.add))
    #expect(log.entries == ["1", "2", "3", "4"])
  }

  @Test func `combineLatest keeps the latest until it is asked for`() {
    let log = Log<String>()
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = Recorder<Int, Never>(.none, note: log.add)
    a.combineLatest(b) { $0 * 10 + $1 }.receive(subscriber: recorder)
    a.send(1)
    b.send(2)
    a.send(3)
    recorder.subscription?.request(.max(1))
    a.send(4)
    a.send(completion: .finished)
    b.send(completion: .finished)
    #expect(log.entries == ["32"])
    recorder.subscription?.request(.max(1))
    #expect(log.entries == ["32", "42", "|"])
  }

  @Test func `a zip asks both sides for what is asked of it`() {
    let log = Log<String>()
    let recorder = Recorder<Int, Never>(.max(1)) { _ in }
    recorder.more = .max(1)
    (1...3).publisher.handleEvents(receiveRequest: { log.add("a\($0)") })
      .zip((1...3).publisher.handleEvents(receiveRequest: { log.add("b\($0)") })) { $0 + $1 }
      .receive(subscriber: recorder)
    #expect(log.entries.prefix(3) == ["amax(1)", "bmax(1)", "amax(1)"])
  }

  @Test func `failing at once again and again takes no stack`() {
    let log = Log<Int>()
    let token = Deferred {
      log.add(1)
      return Fail<Int, Oops>(error: Oops())
    }.retry(100_000).sink(receiveCompletion: { _ in log.add(-1) }, receiveValue: { _ in })
    #expect(log.entries.count == 100_002)
    #expect(log.entries.last == -1)
    token.cancel()
  }

  @Test func `a second subscription is cancelled`() {
    let log = Log<String>()
    let sink = Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { log.add("\($0)") })
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    a.receive(subscriber: sink)
    b.handleEvents(receiveCancel: { log.add("x") }).receive(subscriber: sink)
    b.send(1)
    a.send(2)
    #expect(log.entries == ["x", "2"])
  }
}

private let refilled = [
  MarbleCase("filter", "1:2 3:4", demand: .max(2)) {
    $0.hot("1234").filter { "24".contains($0) }
  },
  MarbleCase("compactMap", "1:2", demand: .max(1)) { $0.hot("x23").compactMap { Int($0) } },
  MarbleCase("removeDuplicates", "0:a 2:b", demand: .max(2)) { $0.hot("aabc").removeDuplicates() },
  MarbleCase("dropFirst", "2:c", demand: .max(1)) { $0.hot("abcd").dropFirst(2) },
  MarbleCase("drop(while:)", "1:b", demand: .max(1)) { $0.hot("abc").drop { $0 == "a" } },
  MarbleCase("drop(untilOutputFrom:)", "2:c", demand: .max(1)) {
    $0.hot("abcd").drop(untilOutputFrom: $0.hot("-x").map { $0 }).dropFirst(0)
      .filter { $0 != "b" }
  },
  MarbleCase("output(in:)", "1:b", demand: .max(1)) { $0.hot("abc").output(in: 1...2) },
  MarbleCase("tryCompactMap", "1:2", demand: .max(1)) { $0.hot("x23").tryCompactMap { Int($0) } },
]

private let withheld = [
  MarbleCase("map", "0:a", demand: .max(1)) { $0.hot("ab").map { $0 } },
  MarbleCase("scan", "0:a", demand: .max(1)) { $0.hot("ab").scan("") { $0 + $1 } },
  MarbleCase("prefix(while:)", "0:a", demand: .max(1)) { $0.hot("ab").prefix { _ in true } },
  MarbleCase("merge", "0:a", demand: .max(1)) { $0.hot("ab").merge(with: $0.hot("cd")) },
  MarbleCase("switchToLatest", "0:x", demand: .max(1)) { lab in
    lab.hot("a").map { _ in lab.cold("xy") }.switchToLatest()
  },
  MarbleCase("flatMap", "0:+a 0:xa 0:x 0:|", demand: .max(1)) { lab in
    lab.hot("a").flatMap { lab.watched($0, "xyz") }.prefix(1)
  },
  MarbleCase("collect(n)", #"1:["a", "b"]"#, demand: .max(1)) { $0.hot("abcd").collect(2) },
  MarbleCase("receive(on:)", "0:a", demand: .max(1)) { $0.hot("ab").receive(on: $0.scheduler) },
  MarbleCase("timeout", "0:a", demand: .max(1)) {
    $0.hot("ab").timeout(.seconds(9), scheduler: $0.scheduler)
  },
  MarbleCase("erased", "0:a", demand: .max(1)) { $0.hot("ab").eraseToAnyPublisher() },
  MarbleCase("share", "0:a", demand: .max(1)) { $0.hot("ab").share() },
]
