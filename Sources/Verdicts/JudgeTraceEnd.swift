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
      if trace?.isComplete == true || end <= time {
        close(open, .met)
      } else {
        let range = plan.assertions[open.assertion].verbRange
        fail(open, .traceTooShort(UnfinishedWait(range: range, needs: end)), at: time)
      }
    }
    dropObligations(openBeyond: time)
  }

  /// A complete trace ends where its run did, so that an answer that is not due yet is not missing.
  private mutating func dropObligations(openBeyond time: Microseconds) {
    guard trace?.isComplete == true else { return }
    for index in invariants.obligations.indices {
      if invariants.obligations[index].lastMoment > time,
        invariants.obligations[index].within != nil
      {
        invariants.obligations[index].open = []
      }
    }
    invariants.update()
  }
}

/// An assertion whose time reaches beyond the end of a trace.
package struct UnfinishedWait: Sendable {
  package var range: SourceRange
  /// The time up to which it needs the trace.
  package var needs: Microseconds
}
