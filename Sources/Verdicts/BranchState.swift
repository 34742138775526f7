import Events
import ScenarioPlan
import Values

/// A judge's knowledge about one branch of the script.
struct BranchState {
  /// The last acting step before now: its place in the log and its time.
  var spanSequence = EventID.first
  var spanBegan: Microseconds = 0
  /// The time of the last event accounted for.
  var lastAccounted: Microseconds = 0
  /// The captured values by id; nil if not captured.
  var captures: PerID<CapturePlan, Value?> = []
  /// The times of marked entries, by mark.
  var marks: PerID<MarkPlan, Microseconds?> = []
  /// The branch's current assertion; a decided one stays until the next is opened.
  var open: OpenAssertion?
  /// Steps under `fails` that are being tried, with what the matcher of their errors reads.
  var attempts: [(assertion: AssertionID, reads: [Value])] = []
  /// The `retry`s under way, innermost last.
  var retries: [RetryState] = []
  /// The time before which the server of the last answer does not want to be asked again.
  var notBefore: Microseconds = 0
  /// The branches this one has parted into, and not joined again.
  var children: Range<BranchID> = .main ..< .main

  /// From when the first entry of an expectation counts.
  var base: Microseconds { max(spanBegan, lastAccounted) }

  mutating func capture(_ pendingCaptures: [(capture: CaptureID, value: Value)]) {
    for (capture, value) in pendingCaptures {
      while captures.endIndex <= capture { captures.append(nil) }
      captures[capture] = value
    }
  }

  mutating func mark(_ mark: MarkID, at time: Microseconds) {
    while marks.endIndex <= mark { marks.append(nil) }
    marks[mark] = time
  }
}

/// Branches that open and join.
extension AssertionState {
  mutating func branched(_ parent: BranchID, _ first: BranchID, _ count: Int) {
    guard branches.indices.contains(parent), first == branches.endIndex,
      (0...branchesAtOnce).contains(count)
    else { return }
    var child = branches[parent]
    child.open = nil
    child.attempts = []
    child.retries = []
    child.children = .main ..< .main
    branches.append(contentsOf: repeatElement(child, count: count))
    branches[parent].children = first..<first.advanced(by: count)
  }

  /// Joins branches: captures and marks stay with their branch, the time is shared by all.
  mutating func joined(into parent: BranchID) {
    guard branches.indices.contains(parent) else { return }
    for child in branches[parent].children {
      let state = branches[child]
      if state.spanSequence > branches[parent].spanSequence {
        branches[parent].spanSequence = state.spanSequence
        branches[parent].spanBegan = state.spanBegan
      }
      branches[parent].lastAccounted = max(branches[parent].lastAccounted, state.lastAccounted)
      branches[parent].notBefore = max(branches[parent].notBefore, state.notBefore)
    }
    branches[parent].children = .main ..< .main
  }
}
