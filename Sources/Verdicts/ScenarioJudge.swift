import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values

/// Judges a scenario's assertions over the events of its run, in one pass and from nothing else, so
/// that judging the log again gives the same.
package final class ScenarioJudge: Judge {
  // Nothing that sees an event comes back to the judge, so there is no access to guard.
  @exclusivity(unchecked) private(set) var state: AssertionState

  /// Creates a judge of one run.
  ///
  /// - Parameter updatesSnapshots: Accepts and records each snapshot as it is.
  ///
  /// - Parameter asksForEvents: False if no emitted event is expected, so that none is kept.
  package init(
    _ shared: SharedPlan, updatesSnapshots: Bool = false, asksForEvents: Bool = true
  ) {
    state = AssertionState(
      shared, updatesSnapshots: updatesSnapshots,
      keepsEmissions: asksForEvents || !shared.plan.invariants.isEmpty)
  }

  /// Creates a judge of a run that holds the plan by itself.
  package convenience init(_ plan: ScenarioPlan, asksForEvents: Bool = true) {
    self.init(SharedPlan(plan), asksForEvents: asksForEvents)
  }

  package func observe(_ event: Event) { state.observe(event) }

  package func isWaiting(in branch: BranchID) -> Bool {
    let branches = state.branches
    return branches.indices.contains(branch) && branches[branch].open?.state == .waiting
  }

  package func status(in branch: BranchID) -> AssertionStatus {
    state.status(in: branch)
  }

  package func capture(_ capture: CaptureID, in branch: BranchID) -> Value? {
    let branches = state.branches
    guard branches.indices.contains(branch),
      branches[branch].captures.indices.contains(capture)
    else { return nil }
    return branches[branch].captures[capture]
  }

  package func difference(
    of value: Value, from matcher: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String? {
    state.difference(of: value, from: matcher, reads: reads, values: values)
  }

  package var hasBrokenInvariant: Bool { state.invariants.isBroken }

  /// The failures so far in the order of the log, after the drift that may explain them.
  package var failures: [Failure] { state.drifts + state.failures }
  /// The leftover events of a scenario that failed for another reason.
  package var alsoUnaccounted: [Leftovers] { state.alsoUnaccounted }
  package var snapshots: [SnapshotTaken] { state.snapshots }
  /// The mask for all that is known of the run so far.
  package var mask: SecretMask { state.mask }
  package var secretMask: SecretMask? { state.mask }
  /// The number of secrets that became known in the run.
  package var secretCount: Int {
    state.secrets.count + (state.mask.extent == .everything ? 1 : 0)
  }
  package var assertionsReached: Int { state.assertionsReached }
  package var assertionsMet: Int { state.assertionsMet }
}
