import Events
import Testing

@testable import Verdicts

/// The causes that a run in real time keeps, however long it is.
@Suite struct RecentCausesTests {
  @Test func `a million events take the memory of the latest`() {
    var causes = RecentCauses()
    for number in 0..<1_000_000 {
      causes.append(
        Event(
          sequence: EventID(number), time: 0, cause: number == 0 ? nil : EventID(number - 1),
          kind: .run(.stepsEnded)))
    }
    #expect(causes.count < 2 * RecentCauses.kept)
    #expect(causes.cause(of: EventID(999_999)) == EventID(999_998))
    #expect(causes.cause(of: EventID(1_000_000 - RecentCauses.kept)) != nil)
    #expect(causes.cause(of: EventID(5)) == nil)
  }
}
