import Publishers
import Testing

@Suite struct OneAtATimeTests {
  @Test(arguments: concatMaps + exhaustMaps + switchMaps)
  func `one inner publisher at a time`(_ line: MarbleCase) {
    #expect(line.observed() == line.expected)
  }

  @Test func `many that end at once take no stack`() {
    let log = Log<Int>()
    let source = PassthroughSubject<Int, Never>()
    let token = source.concatMap { Just($0) }.count().sink { log.add($0) }
    for value in 0..<100_000 { source.send(value) }
    source.send(completion: .finished)
    let sequence = (0..<100_000).publisher.concatMap { Just($0) }.count().sink { log.add($0) }
    #expect(log.entries == [100_000, 100_000])
    _ = (token, sequence)
  }

  @Test func `a value sent from inside waits for its turn, or is dropped`() {
    let (waiting, dropped) = (Log<Int>(), Log<Int>())
    for (log, isWaiting) in [(waiting, true), (dropped, false)] {
      let source = PassthroughSubject<Int, Never>()
      let inner = { (value: Int) in [value, value * 10].publisher }
      let take = { (value: Int) in
        log.add(value)
        if value == 1 { source.send(2) }
      }
      let token =
        isWaiting
        ? source.concatMap(inner).sink(receiveValue: take)
        : source.exhaustMap(inner).sink(receiveValue: take)
      source.send(1)
      source.send(3)
      token.cancel()
      source.send(4)
    }
    #expect(waiting.entries == [1, 10, 2, 20, 3, 30])
    #expect(dropped.entries == [1, 10, 3, 30])
  }
}

private let concatMaps = [
  MarbleCase("concatMap lets the next wait", "0:+a 1:x 2:+b 3:x 4:|") { lab in
    lab.hot("ab|").concatMap { lab.watched($0, "-x|") }
  },
  MarbleCase("concatMap keeps all that waits, in order", "0:+a 2:+b 4:+c 6:|") { lab in
    lab.hot("(abc)|").concatMap { lab.watched($0, "--|") }
  },
  MarbleCase("concatMap fails with an inner one and forgets what waits", "0:+a 1:#") { lab in
    lab.hot("ab|").concatMap { lab.watched($0, "-#") }
  },
  MarbleCase("concatMap fails with the outer one at once", "0:+a 1:xa 1:#") { lab in
    lab.hot("a#").concatMap { lab.watched($0, "---|") }
  },
  MarbleCase("concatMap cancels what runs", "0:+a 0:xa 0:x 0:|") { lab in
    lab.hot("ab").concatMap { lab.watched($0, "xyz|") }.prefix(1)
  },
  MarbleCase("concatMap passes no more than is asked for", "0:1 0:2 0:3", demand: .max(3)) { _ in
    [[1, 2], [3, 4]].publisher.concatMap { $0.publisher }
  },
  MarbleCase("concatMap of nothing ends", "0:|") { lab in
    lab.hot("|").concatMap { lab.cold($0) }
  },
]

private let exhaustMaps = [
  MarbleCase("exhaustMap drops what comes meanwhile", "0:+a 1:x 3:+c 4:x 5:|") { lab in
    lab.hot("ab-c|").exhaustMap { lab.watched($0, "-x|") }
  },
  MarbleCase("exhaustMap drops the elements of a sequence as well", "0:+a 1:|") { lab in
    ["a", "b"].publisher.setFailureType(to: Oops.self).exhaustMap { lab.watched($0, "-|") }
  },
  MarbleCase("exhaustMap takes each when the one before ends at once", "0:1 0:2 0:|") { _ in
    [1, 2].publisher.exhaustMap { Just($0) }
  },
  MarbleCase("exhaustMap fails with an inner one", "0:+a 1:#") { lab in
    lab.hot("ab|").exhaustMap { lab.watched($0, "-#") }
  },
  MarbleCase("exhaustMap fails with the outer one", "0:+a 1:xa 1:#") { lab in
    lab.hot("a#").exhaustMap { lab.watched($0, "---|") }
  },
]

private let switchMaps = [
  MarbleCase("switchMap cancels the one before", "0:+a 1:x 2:xa 2:+b 3:x 4:x 5:|") { lab in
    lab.hot("a-b|").switchMap { lab.watched($0, $0 == "a" ? "-xx" : "-xx|") }
  },
  MarbleCase("switchMap fails with an inner one", "0:+a 1:#") { lab in
    lab.hot("a--b").switchMap { lab.watched($0, "-#") }
  },
]
