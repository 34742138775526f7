import Events
import ScenarioPlan
import Values

/// Steps that all kinds of assertions share.
extension AssertionState {
  /// Makes a source one that an open `expect` names, and that must be accounted for from now on.
  ///
  /// An ignored source is watched again from the beginning of the span, so that events which the
  /// step before the `expect` caused can be expected.
  mutating func watch(_ source: SourceID, for open: OpenAssertion) {
    let branch = open.step.branch
    if buffer.tracks[source].attention == .ignored {
      buffer.account(source, before: branches[branch].spanSequence)
    }
    if let place = buffer.next(of: source) {
      open.firstEvent = min(open.firstEvent, buffer.emissions[place].sequence)
    }
    buffer.tracks[source].attention = .watched
    buffer.tracks[source].owner = branch
  }

  /// Nil when a value is as a matcher says; what was captured then waits for `account`.
  func mismatch(
    of value: Value, with plan: MatcherPlan, in open: OpenAssertion
  ) -> Mismatch? {
    if !slots.pendingCaptures.isEmpty { slots.pendingCaptures.removeAll(keepingCapacity: true) }
    if case .value(let data) = plan.content, case .constant = data.content {
      return matcher.mismatch(of: value, with: plan)
    }
    load(open)
    return matcher.mismatch(of: value, with: plan)
  }

  /// Accounts for the event at a place of the buffer, which an assertion has matched, and keeps
  /// what it captured.
  mutating func account(at place: Int, in open: OpenAssertion) {
    let branch = open.step.branch
    let time = buffer.emissions[place].time
    buffer.account(buffer.emissions[place].source)
    branches[branch].lastAccounted = max(branches[branch].lastAccounted, time)
    if !slots.pendingCaptures.isEmpty {
      branches[branch].capture(slots.pendingCaptures)
      slots.pendingCaptures.removeAll(keepingCapacity: true)
    }
  }

  /// Gives expressions what the assertion may see.
  func load(_ open: OpenAssertion) {
    if open.inputSnapshot.isEmpty && plan.captures.isEmpty { return }
    slots.reads = assertions[open.assertion].reads
    slots.values = open.inputSnapshot
    slots.captures = branches[open.step.branch].captures
  }

  func shown(_ matcher: MatcherPlan, in open: OpenAssertion) -> Value {
    load(open)
    return slots.shown(matcher)
  }

  /// - Parameter origin: The event that shows the problem; the report names its causes.
  mutating func fail(
    _ open: OpenAssertion, _ kind: Failure.Kind, at time: Microseconds, origin: EventID? = nil
  ) {
    // Diagrams beside it that differ have failed before.
    failDiagrams(open)
    var failure = failure(of: open, kind, at: time)
    failure.origin = failure.origin ?? origin
    if open.state == .failed || open.state == .failedSoftly { return failures.append(failure) }
    if failsTry(failure, in: open.step.branch) { return close(open, .retried) }
    failures.append(failure)
    close(open, .failed)
  }

  func failure(
    of open: OpenAssertion, _ kind: Failure.Kind, at time: Microseconds
  ) -> Failure {
    Failure(
      kind: kind, time: time, step: open.step, assertion: open.assertion,
      firstEvent: open.firstEvent)
  }

  mutating func close(_ open: OpenAssertion, _ state: OpenAssertion.State) {
    let isPassedOver = state == .failed && assertions[open.assertion].isSoft
    open.state = isPassedOver ? .failedSoftly : state
    if state == .met { assertionsMet += 1 }
    for source in open.sources {
      buffer.tracks[source].owner = nil
      // What it has seen is no business of the steps behind it.
      while isPassedOver, buffer.next(of: source) != nil { buffer.account(source) }
    }
    if waitingBranches.count == 1, waitingBranches[0] == open.step.branch {
      waitingBranches.removeLast()
    } else {
      waitingBranches.removeAll { $0 == open.step.branch }
    }
    if open.isNever { waitingNevers -= 1 }
  }
}
