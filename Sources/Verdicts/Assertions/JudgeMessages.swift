import Events
import ScenarioPlan
import Values

/// Judging the messages that mocks receive.
extension AssertionState {
  /// Opens a branch for a connection: captures of a mock's script belong to its connection.
  mutating func connectionAccepted(_ branch: BranchID) {
    guard branch == branches.endIndex, branches.count < branchesAtOnce else { return }
    branches.append(BranchState())
  }

  mutating func received(
    _ assertion: AssertionID, _ step: StepReference, _ message: Value, _ reads: [Value],
    _ event: Event
  ) {
    guard branches.indices.contains(step.branch),
      case .receive(let matcher)? = assertions[ifPresent: assertion]?.kind
    else { return }
    assertionsReached += 1
    hasAsserted = true
    hideSecrets(in: .fromClient(message))
    let open = OpenAssertion(
      assertion, step, at: event, base: branches[step.branch].base, inputSnapshot: reads)
    branches[step.branch].open = open
    guard let mismatch = mismatch(of: message, with: matcher, in: open) else {
      branches[step.branch].capture(slots.pendingCaptures)
      slots.pendingCaptures.removeAll(keepingCapacity: true)
      return close(open, .met)
    }
    let expected = shown(matcher, in: open)
    let found = differences(mismatch, of: message, with: matcher, in: open)
    fail(
      open, .otherMessage(found, message: message, expected: expected), at: event.time,
      origin: event.sequence)
  }

  /// Returns the difference between a value and a matcher, for callers that decide by it during the
  /// run.
  func difference(
    of value: Value, from plan: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String? {
    slots.reads = reads
    slots.values = values
    slots.captures = []
    defer { slots.pendingCaptures.removeAll(keepingCapacity: true) }
    return matcher.mismatch(of: value, with: plan).map { mismatch in
      let part = String(mismatch.pathText.drop { $0 == "." })
      switch mismatch.reason {
      case .unequal(let expected), .operatorFailed(_, let expected):
        return "\(part)  \(mismatch.actual.display), not \(expected.display)"
      case .missingEntry(let key, _):
        return "\(part)  has no \(key.display)"
      case .evaluation(let failure): return "\(part)  has no value: \(failure.message)"
      case .length, .kind, .noElement, .incomparable, .notTrue, .schemaBroken,
        .unexpectedEntry, .missingElements, .unexpectedElements:
        return "\(part)  \(mismatch.actual.display)"
      }
    }
  }
}
