import Testing
import Timers

@Suite struct `a queue of timers` {
  /// All payloads that are left, in the order in which they come out.
  func drain(_ queue: inout TimerQueue<String>) -> [String] {
    var payloads: [String] = []
    while let payload = queue.takeNext() { payloads.append(payload) }
    return payloads
  }

  @Test func `orders by time, then by phase, then by insertion`() {
    var queue = TimerQueue<String>()
    let entries: [(due: Int64, phase: UInt8)] = [(2, 0), (1, 3), (1, 0), (2, 0), (1, 3), (0, 7)]
    for (number, entry) in entries.enumerated() {
      _ = queue.insert(due: entry.due, phase: entry.phase, "\(number)")
    }
    #expect(queue.nextDue == 0)
    #expect(queue.count == 6)
    #expect(drain(&queue) == ["5", "2", "1", "4", "0", "3"])
    #expect(queue.nextDue == nil)
  }

  @Test func `gives a cancelled payload back once`() {
    var queue = TimerQueue<String>()
    let first = queue.insert(due: 1, "first")
    let second = queue.insert(due: 2, "second")
    #expect(queue.cancel(first) == "first")
    #expect(queue.cancel(first) == nil)
    #expect(queue.cancel(.none) == nil)
    #expect(queue.nextDue == 2)
    #expect(drain(&queue) == ["second"])
    #expect(queue.cancel(second) == nil)
  }

  @Test func `never confuses an entry with a later one in its place`() {
    var queue = TimerQueue<String>()
    let first = queue.insert(due: 1, "first")
    #expect(queue.takeNext() == "first")
    let second = queue.insert(due: 1, "second")
    #expect(first != second)
    #expect(queue.cancel(first) == nil)
    #expect(queue.takeAll() == ["second"])
    #expect(queue.count == 0)
  }

  @Test func `sweeps out cancelled entries when they are the majority`() {
    var queue = TimerQueue<String>()
    let ids = (0..<1_000).map { queue.insert(due: Int64(1_000 - $0), "\($0)") }
    for (number, id) in ids.enumerated() where number % 100 != 50 { _ = queue.cancel(id) }
    #expect(queue.count == 10)
    #expect(queue.heapSize < 200)
    #expect(drain(&queue) == stride(from: 950, through: 50, by: -100).map { "\($0)" })
  }
}
