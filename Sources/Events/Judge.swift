import ScenarioPlan
import Secrets
import Values

/// Decides from the log alone when a run may continue.
///
/// Assertions drive time. The engine passes each event to the judge when it is logged. While an
/// assertion is open, it asks the judge whether the script continues, the clock jumps, or the run
/// stops.
package protocol Judge: AnyObject {
  /// Receives each event of the log once, in order.
  func observe(_ event: Event)
  /// Returns whether an assertion is still open in a branch. It is called after every event, so it
  /// must be cheap.
  func isWaiting(in branch: BranchID) -> Bool
  /// Returns the status of the open assertion of a branch after the last event.
  func status(in branch: BranchID) -> AssertionStatus
  /// True if an invariant was broken, so that the steps end. It is read after every event.
  var hasBrokenInvariant: Bool { get }
  /// Returns the difference between a value and a matcher; nil if it matches. `values` are what the
  /// matcher reads of the stage, by `reads`.
  func difference(
    of value: Value, from matcher: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String?
  /// Returns a captured value of an assertion, as this branch sees it.
  func capture(_ capture: CaptureID, in branch: BranchID) -> Value?
  /// The filter for all secrets that are known by now; nil if nobody looks for them.
  var secretMask: SecretMask? { get }
}

extension Judge {
  package var secretMask: SecretMask? { nil }
}

/// The status of an assertion.
package enum AssertionStatus: Sendable, Equatable {
  /// The assertion is undecided; nothing after this time can decide it.
  case pending(until: Microseconds?)
  case met
  case failed
  /// The assertion does not hold, and the `retry` around it tries again.
  case retried
}
