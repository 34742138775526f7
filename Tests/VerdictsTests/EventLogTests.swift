import Events
import Testing

@Suite struct EventLogTests {
  private func log(of count: Int, keeping most: Int) -> EventLog {
    var log = EventLog(keeping: most)
    for number in 0..<count {
      log.append(Event(sequence: EventID(number), time: 0, cause: nil, kind: .run(.stepsEnded)))
    }
    return log
  }

  @Test(arguments: [(0, 0), (199, 0), (200, 100), (299, 100), (1_000_000, 999_900)])
  func `keeps the last events and no more than twice what it has to`(count: Int, first: Int) {
    let log = log(of: count, keeping: 100)
    #expect(log.count == count)
    #expect((log.events.first?.sequence ?? 0) == EventID(first))
    #expect(log.events.count < 200)
  }

  @Test func `an event goes by its number, as long as it is kept`() {
    let log = log(of: 250, keeping: 100)
    #expect(log[249]?.sequence == 249)
    #expect(log[100]?.sequence == 100)
    #expect(log[99] == nil)
    #expect(log[250] == nil)
    #expect(log.events(before: 102).map(\.sequence) == [100, 101])
    #expect(log.events(before: 50).isEmpty)
  }
}
