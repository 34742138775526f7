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

  @Test func `of events that nothing asks for only the last are kept, and of others all`() {
    var log = EventLog()
    for number in 0..<100_000 {
      let isAsked = number.isMultiple(of: 1_000)
      let event = Event(
        sequence: EventID(number), time: 0, cause: nil,
        kind: .run(isAsked ? .stepsEnded : .finallyBegan))
      if isAsked {
        log.append(event)
      } else {
        log.append(passing: event) { if case .run(.finallyBegan) = $0.kind { true } else { false } }
      }
    }
    #expect(log.count == 100_000)
    #expect(log.events.count <= 100 + 2 * EventLog.passingKept)
    #expect(log.events.map(\.sequence.index) == log.events.map(\.sequence.index).sorted())
    #expect((0..<100).allSatisfy { log[EventID($0 * 1_000)]?.sequence == EventID($0 * 1_000) })
    #expect(log[99_999]?.sequence == 99_999)
    #expect(log[1_001] == nil)
    #expect(log.events(before: 2_500).map(\.sequence) == [0, 1_000, 2_000])
  }
}
