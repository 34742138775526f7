import Publishers
import Testing

/// Chains as programs write them.
@Suite struct SeedChainTests {
  @Test func `merged flags follow starts and ends, each subscriber without repeats`() {
    let log = Log<String>()
    let events = PassthroughSubject<String, Never>()
    let isValidating = events.filter { $0 == "start" }.map { _ in true }
      .merge(with: events.filter { $0 != "start" }.map { _ in false })
      .removeDuplicates()
    let first = isValidating.sink { log.add("a\($0)") }
    events.send("start")
    events.send("start")
    let second = isValidating.sink { log.add("b\($0)") }
    events.send("start")
    events.send("failed")
    events.send("offline")
    #expect(log.entries == ["atrue", "btrue", "afalse", "bfalse"])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `an overtaken request says nothing any more`() {
    let lab = Lab()
    let queries = PassthroughSubject<String, Never>()
    let token = queries.map { query in
      Just("\(query) answered").delay(for: .milliseconds(5), scheduler: lab.scheduler)
    }.switchToLatest().sink(receiveValue: lab.note)
    queries.send("a")
    lab.scheduler.advance(by: .milliseconds(3))
    queries.send("b")
    #expect(lab.scheduler.run())
    #expect(lab.notes == ["8:b answered"])
    token.cancel()
  }

  @Test func `a request is repeated, then given up for what was there`() {
    let lab = Lab()
    let text = lab.run(
      lab.watched("a", "-#").retry(1).timeout(.milliseconds(9), scheduler: lab.scheduler)
        .replaceError(with: "cached").prepend("loading"))
    #expect(text == "0:loading 0:+a 1:+a 2:cached 2:|")
  }

  @Test func `a chain erased in between is the same chain`() {
    let log = Log<Int>()
    let source: some Publisher<Int, Never> = [1, 2, 2, 3].publisher
    let erased: any Publisher<Int, Never> = source.eraseToAnyPublisher()
    let token = AnyPublisher(erased).removeDuplicates().sink(receiveValue: log.add)
    #expect(log.entries == [1, 2, 3])
    token.cancel()
  }

  @Test func `a long chain of appended publishers ends`() {
    let log = Log<Int>()
    var chain = Just(0).eraseToAnyPublisher()
    for number in 1...500 { chain = chain.append(number).eraseToAnyPublisher() }
    let token = chain.collect().sink { log.entries = $0 }
    #expect(log.entries == Array(0...500))
    token.cancel()
  }
}
