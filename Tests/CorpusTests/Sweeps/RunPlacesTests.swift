import Synchronization
import Testing

@testable import ScenarioRuns

/// The places that runs in real time share.
@Suite struct RunPlacesTests {
  @Test func `runs never take more places than there are, and each has its turn`() {
    let places = RunPlaces(4)
    let taken = Atomic(0)
    let most = Atomic(0)
    let done = Atomic(0)
    _ = resultsInOrder(of: Array(0..<60), jobs: 6) { number in
      let wanted = number % 10 == 0 ? 9 : number % 3 == 0 ? 2 : 1
      places.run(taking: wanted) {
        let now = taken.add(min(wanted, 4), ordering: .relaxed).newValue
        most.max(now, ordering: .relaxed)
        taken.subtract(min(wanted, 4), ordering: .relaxed)
        done.add(1, ordering: .relaxed)
      }
    }
    #expect(most.load(ordering: .relaxed) <= 4)
    #expect(done.load(ordering: .relaxed) == 60)
  }
}
