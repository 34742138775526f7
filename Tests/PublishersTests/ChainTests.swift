import Publishers
import Testing

/// Notes what happens, for handlers that cannot return it.
final class Log<Entry> {
  var entries: [Entry] = []
  func add(_ entry: Entry) { entries.append(entry) }
}

@Suite struct ChainTests {
  @Test func `values pass map, filter and removeDuplicates in order`() {
    let log = Log<Int>()
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.map { $0 / 2 }.filter { $0 != 3 }.removeDuplicates().sink(
      receiveCompletion: { _ in log.add(-1) }, receiveValue: log.add)
    for value in 0..<10 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(log.entries == [0, 1, 2, 4, -1])
    token.cancel()
  }

  @Test func `jobs on virtual time run by due time, then in the order of scheduling`() {
    let log = Log<String>()
    let scheduler = VirtualScheduler()
    scheduler.schedule(after: 20) { log.add("b\(scheduler.now)") }
    scheduler.schedule(after: 10) { log.add("a\(scheduler.now)") }
    scheduler.schedule(after: 20) { log.add("c\(scheduler.now)") }
    scheduler.schedule(after: 15) { log.add("never") }.cancel()
    #expect(scheduler.count == 3)
    #expect(scheduler.run())
    #expect(log.entries == ["a10", "b20", "c20"])
  }
}
