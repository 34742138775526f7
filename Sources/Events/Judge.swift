import ScenarioPlan
import Values

/// Decides, from the log alone, when a run may go on.
///
/// Assertions drive time: the engine shows the judge each event as it is logged and asks it, when
/// an assertion is open, whether to go on with the script, to let the clock jump, or to stop.
package protocol Judge: AnyObject {
  /// Every event of the log comes by here once, in order.
  func observe(_ event: Event)
  /// Whether an assertion is still open in a branch; asked after every event, so it must be cheap.
  func isWaiting(in branch: BranchID) -> Bool
  /// How an assertion that was opened in a branch stands after the last event seen.
  func status(in branch: BranchID) -> AssertionStatus
  /// Whether an invariant was broken, so that the steps end; asked after every event.
  var hasBrokenInvariant: Bool { get }
  /// What of a value is not as a matcher says; nil where it matches. `values` are what the matcher
  /// reads of the stage, by `reads`.
  func difference(
    of value: Value, from matcher: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String?
  /// A value an assertion captured, as this branch sees it.
  func capture(_ capture: CaptureID, in branch: BranchID) -> Value?
}

/// How an assertion stands.
package enum AssertionStatus: Sendable, Equatable {
  /// Something may still happen, but not after this time.
  case pending(until: Microseconds?)
  case met
  case failed
}
