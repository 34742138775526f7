import Diagnostics
import Events
import ScenarioPlan
import Values

/// The end of a trace that is judged: what nothing can answer any more.
extension AssertionState {
  /// Closes what waits for time to pass. The time after a complete trace was silent; what comes
  /// after a trace that was cut is not known.
  mutating func endTrace(at time: Microseconds) {
    for branch in waitingBranches {
      guard let open = branches[branch].open, open.state == .waiting,
        case .never(_, let duration) = kind(of: open)
      else { continue }
      let end = later(open.openedAt, by: duration ?? 0)
      if isTraceComplete(at: time) || end <= time {
        close(open, .met)
      } else {
        let range = assertions[open.assertion].verbRange
        fail(open, .traceTooShort(UnfinishedWait(range: range, needs: end)), at: time)
      }
    }
  }
}

/// The sign of a trace that it has everything that happened.
struct CompletionSign {
  let invariant: InvariantID
  let when: [SourceMatcherPlan]
  let quiet: Microseconds?
  /// The last event that matched.
  var event: EventID?
}

extension AssertionState {
  /// An event may be the one that comes in a complete trace.
  mutating func complete(_ emission: EmissionBuffer.Emission) {
    guard let completion = invariants.completion,
      captures(emission, completion.when, completion.invariant) != nil
    else { return }
    invariants.completion?.event = emission.sequence
  }

  func isTraceComplete(at time: Microseconds) -> Bool {
    guard trace?.isComplete != true else { return true }
    guard let completion = invariants.completion else { return false }
    let isMatched = completion.when.isEmpty || completion.event != nil
    return isMatched && later(buffer.lastTime, by: completion.quiet ?? 0) <= time
  }

  /// The steps have ended. What is judged of a trace that lacks its end is not known.
  mutating func judgeCompletion(at time: Microseconds) {
    guard trace != nil, failures.isEmpty, let completion = invariants.completion,
      !isTraceComplete(at: time)
    else { return }
    load(completion.invariant, captures: [])
    let isMatched = completion.when.isEmpty || completion.event != nil
    let awaited = completion.when.map { (source: $0.source, expected: slots.shown($0.matcher)) }
    let incomplete = IncompleteTrace(
      invariant: completion.invariant, awaited: isMatched ? [] : awaited,
      silence: completion.quiet.map { (lasted: time - buffer.lastTime, needed: $0) })
    failures.append(Failure(kind: .expectation(.traceIncomplete(incomplete)), time: time))
  }
}

/// A trace that does not have the end that the scenario says a complete one has.
package struct IncompleteTrace: Sendable {
  package var invariant: InvariantID
  /// The events of which none came; empty if one did, or none is needed.
  package var awaited: [(source: SourceID, expected: Value)]
  package var silence: (lasted: Microseconds, needed: Microseconds)?
}

/// An assertion whose time reaches beyond the end of a trace.
package struct UnfinishedWait: Sendable {
  package var range: SourceRange
  /// The time up to which it needs the trace.
  package var needs: Microseconds
}
