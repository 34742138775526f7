import Publishers
import Testing

/// Operators on any number of sources of one type, and operators that pair one with the latest of
/// another.
@Suite struct ManyTests {
  @Test(arguments: latestOfMany + groups + pairedWithLatest)
  func `as many as there are`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `the latest of many waits until it is asked for, and the end with it`() {
    let log = Log<String>()
    let sources = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = Recorder<[Int], Never>(.none, note: log.add)
    CombineLatestMany(sources).receive(subscriber: recorder)
    for (index, source) in sources.enumerated() { source.send(index) }
    sources[0].send(7)
    for source in sources { source.send(completion: .finished) }
    #expect(log.entries == [])
    recorder.subscription?.request(.max(1))
    #expect(log.entries == ["[7, 1, 2]", "|"])
  }

  @Test func `a zip of many asks every side for what is asked of it`() {
    let log = Log<String>()
    let recorder = Recorder<[Int], Never>(.max(1)) { _ in }
    recorder.more = .max(1)
    ZipMany(
      ["a", "b", "c"].map { name in
        (1...2).publisher.handleEvents(receiveRequest: { log.add("\(name)\($0)") })
      }
    ).receive(subscriber: recorder)
    #expect(log.entries.prefix(3) == ["amax(1)", "bmax(1)", "cmax(1)"])
    #expect(log.entries.filter { $0.hasPrefix("a") } == ["amax(1)", "amax(1)"])
  }

  @Test func `a value sent while one is delivered comes after it in a zip`() {
    let log = Log<[Int]>()
    let sources = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
    let token = ZipMany(sources).sink { group in
      log.add(group)
      if group == [1, 1] {
        sources[0].send(2)
        sources[1].send(2)
      }
    }
    sources[0].send(1)
    sources[1].send(1)
    #expect(log.entries == [[1, 1], [2, 2]])
    token.cancel()
  }

  @Test func `a value sent while one is delivered is part of the latest`() {
    let log = Log<[Int]>()
    let sources = (0..<2).map { _ in CurrentValueSubject<Int, Never>(0) }
    let token = CombineLatestMany(sources).sink { values in
      log.add(values)
      if values == [1, 0] { sources[1].send(1) }
    }
    sources[0].send(1)
    #expect(log.entries == [[0, 0], [1, 0], [1, 1]])
    token.cancel()
  }

  @Test func `who cancels while taking a value is sent nothing more`() {
    let log = Log<[Int]>()
    let sources = (0..<2).map { _ in CurrentValueSubject<Int, Never>(0) }
    weak var leaving: Recorder<[Int], Never>?
    let recorder = Recorder<[Int], Never> {
      log.add([$0.count])
      leaving?.subscription?.cancel()
    }
    leaving = recorder
    CombineLatestMany(sources).receive(subscriber: recorder)
    sources[0].send(1)
    #expect(log.entries.count == 1)
  }

  @Test func `who cancels before taking a value is not sent it`() {
    let log = Log<[Int]>()
    let sources = (0..<2).map { _ in CurrentValueSubject<Int, Never>(0) }
    let leaving = Recorder<[Int], Never> { log.add([$0.count]) }
    CombineLatestMany(sources).handleEvents(
      receiveOutput: { _ in leaving.subscription?.cancel() }
    ).receive(subscriber: leaving)
    sources[0].send(1)
    #expect(log.entries == [])
  }

  @Test func `a hundred sources are combined`() {
    let log = Log<Int>()
    let sources = (0..<100).map { CurrentValueSubject<Int, Never>($0) }
    let token = CombineLatestMany(sources).sink { log.add($0.reduce(0, +)) }
    sources[99].send(0)
    #expect(log.entries == [4950, 4851])
    token.cancel()
  }
}

private let latestOfMany = [
  MarbleCase("the latest of many", #"2:["a", "x", "p"] 3:["a", "y", "p"] 4:|"#) {
    CombineLatestMany([$0.hot("a--|"), $0.hot("-x-y|"), $0.hot("--p|")])
  },
  MarbleCase("the latest of one", #"0:["a"] 1:["b"] 2:|"#) { CombineLatestMany([$0.hot("ab|")]) },
  MarbleCase("the latest of none ends at once", "0:|") { _ in CombineLatestMany([Just<Int>]()) },
  MarbleCase("the latest of many ends only when all have", "3:|") {
    CombineLatestMany([$0.hot("|"), $0.hot("x--|"), $0.hot("x")].prefix(2).map { $0 })
  },
  MarbleCase("the latest of many fails with the first", "0:+a 1:xa 1:#") {
    CombineLatestMany([
      $0.watched("a", "a--"), $0.hot("-#").eraseToAnyPublisher(), $0.cold("-#"),
    ])
  },
  MarbleCase("after a failure at once nobody else is subscribed to", "0:#") {
    CombineLatestMany([Fail(error: Oops()).eraseToAnyPublisher(), $0.watched("b", "b")])
  },
  MarbleCase("no more of the latest than asked for", "0:[1, 3]", demand: .max(1)) { _ in
    CombineLatestMany([CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(3)])
  },
]

private let groups = [
  MarbleCase("a zip of many", #"2:["a", "x", "p"] 4:["b", "y", "q"] 4:|"#) {
    ZipMany([$0.hot("ab|"), $0.hot("-x-y|"), $0.hot("--p-q|")])
  },
  MarbleCase("a zip of none ends at once", "0:|") { _ in ZipMany([Just<Int>]()) },
  MarbleCase("a zip of one", #"0:["a"] 1:|"#) { ZipMany([$0.hot("a|")]) },
  MarbleCase("a zip of many ends when no group can come", #"0:+b 0:["a", "x"] 1:xb 1:|"#) {
    ZipMany([$0.hot("a|").eraseToAnyPublisher(), $0.watched("b", "xy-z|")])
  },
  MarbleCase("a zip of many tells of a failure before it cancels", "0:+a 1:# 1:xa") {
    ZipMany([$0.watched("a", "a--"), $0.hot("-#").eraseToAnyPublisher()])
  },
  MarbleCase("a zip of sequences", "0:[1, 3] 0:[2, 4] 0:|") { _ in
    ZipMany([[1, 2].publisher, [3, 4, 5].publisher])
  },
  MarbleCase("no more of a zip than asked for", "0:[1, 3]", demand: .max(1)) { _ in
    ZipMany([[1, 2].publisher, [3, 4, 5].publisher])
  },
]

private let pairedWithLatest = [
  MarbleCase("with the latest, once there is one", "2:bx 4:cy 5:|") {
    $0.hot("a-b-c|").withLatest(from: $0.hot("-x-y|")) { $0 + $1 }
  },
  MarbleCase("the other's end keeps what it had", "1:bx 2:cx 3:|") {
    $0.hot("-bc|").withLatest(from: $0.hot("x|")) { $0 + $1 }
  },
  MarbleCase("the other's end without a value ends nothing", "3:|") {
    $0.hot("-bc|").withLatest(from: $0.hot("|")) { $0 + $1 }
  },
  MarbleCase("the end cancels the other", "0:+b 2:xb 2:|") {
    $0.hot("a-|").withLatest(from: $0.watched("b", "-x---")) { $0 + $1 }
  },
  MarbleCase("the other's failure ends it and cancels this one", "0:+a 1:xa 1:#") {
    $0.watched("a", "a---").withLatest(from: $0.hot("-#")) { $0 + $1 }
  },
  MarbleCase("a failure ends it and cancels the other", "0:+b 1:xb 1:#") {
    $0.hot("-#").withLatest(from: $0.watched("b", "x---")) { $0 + $1 }
  },
  MarbleCase("what the other has at once counts from the first value", "0:a! 0:b! 0:|") { _ in
    ["a", "b"].publisher.withLatest(from: CurrentValueSubject<String, Never>("!")) { $0 + $1 }
  },
  MarbleCase("a dropped value is made up for", "2:cx", demand: .max(1)) {
    $0.hot("abcd").withLatest(from: $0.hot("-x")) { $0 + $1 }
  },
]
