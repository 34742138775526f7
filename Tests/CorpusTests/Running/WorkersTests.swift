import Glibc
import ScenarioRuns
import Synchronization
import Testing

@Suite("Workers")
struct WorkersTests {
  @Test(
    "Results have the order of the items, also of work inside other work",
    arguments: [1, 2, 3, 16])
  func order(jobs: Int) {
    let workers = Workers(jobs)
    let results = resultsInOrder(of: Array(0..<20), by: workers) { outer in
      resultsInOrder(of: Array(0..<outer), by: workers) { outer * 100 + $0 }
    }
    #expect(results == (0..<20).map { outer in (0..<outer).map { outer * 100 + $0 } })
  }

  @Test("A worker that has nothing left helps with the work inside that of another")
  func help() {
    let workers = Workers(2)
    let meeting = Meeting()
    // The first item is done at once. Those inside the second can only meet on two threads, and
    // help comes before an item begins.
    let met = resultsInOrder(of: [0, 3], by: workers) { count in
      resultsInOrder(of: Array(0..<count), by: workers) { item in
        guard item > 0 else { return usleep(100_000) == 0 }
        return meeting.meet()
      }
    }
    #expect(met == [[], [true, true, true]])
  }

  @Test("A worker that becomes free helps with work that was begun before, and with no other since")
  func lateHelp() {
    let workers = Workers(2)
    let meeting = Meeting()
    // The two items inside the second are begun while both workers are busy. Neither begins
    // anything else before they meet.
    let met = resultsInOrder(of: [0, 2], by: workers) { count in
      guard count > 0 else { return [meeting.awaitBeginning() && usleep(100_000) == 0] }
      return resultsInOrder(of: Array(0..<count), by: workers) { _ in
        meeting.begin()
        return meeting.meet()
      }
    }
    #expect(met == [[true], [true, true]])
  }

  @Test("The caller's place is taken while it waits for its last helper")
  func waitingCaller() {
    let workers = Workers(2)
    let meeting = Meeting()
    let met = resultsInOrder(of: [0, 1, 2], by: workers) { place in
      // The helper's item has two inside it, and the caller has none any more.
      guard place == 1 else { return place == 0 ? meeting.awaitBeginning() : true }
      meeting.begin()
      usleep(100_000)
      return resultsInOrder(of: [0, 1], by: workers) { _ in meeting.meet() } == [true, true]
    }
    #expect(met == [true, true, true])
  }
}

/// Two threads that wait for each other, for at most ten seconds.
private final class Meeting: Sendable {
  private struct State {
    var hasBegun = false
    var present = 0
  }

  private let state = Mutex(State())

  func begin() { state.withLock { $0.hasBegun = true } }

  func awaitBeginning() -> Bool { awaits { $0.hasBegun } }

  func meet() -> Bool {
    state.withLock { $0.present += 1 }
    return awaits { $0.present >= 2 }
  }

  private func awaits(_ condition: (borrowing State) -> Bool) -> Bool {
    for _ in 0..<10_000 {
      if state.withLock({ condition($0) }) { return true }
      usleep(1_000)
    }
    return false
  }
}
