import Diagnostics
import Events
import ScenarioPlan
import Values

/// Judges a scenario's assertions over the events of its run, in one pass and from nothing else, so
/// that judging the log again gives the same.
package final class ScenarioJudge: Judge {
  // Nothing that sees an event comes back to the judge, so there is no access to guard.
  @exclusivity(unchecked) private(set) var judgement: Judgement

  /// `updatesSnapshots`: whatever a snapshot is of is right, and is to be recorded.
  /// `asksForEvents`: false where nothing is expected of what sources emit, however long it is.
  package init(
    _ plan: ScenarioPlan, updatesSnapshots: Bool = false, asksForEvents: Bool = true
  ) {
    judgement = Judgement(
      plan, updatesSnapshots: updatesSnapshots,
      keepsEmissions: asksForEvents || !plan.invariants.isEmpty)
  }

  package func saw(_ event: Event) { judgement.saw(event) }

  package func isWaiting(in branch: BranchID) -> Bool {
    let branches = judgement.branches
    return branches.indices.contains(branch) && branches[branch].open?.state == .waiting
  }

  package func ruling(in branch: BranchID) -> Ruling { judgement.ruling(in: branch) }

  package func capture(_ capture: CaptureID, in branch: BranchID) -> Value? {
    let branches = judgement.branches
    guard branches.indices.contains(branch),
      branches[branch].captures.indices.contains(capture)
    else { return nil }
    return branches[branch].captures[capture]
  }

  package func difference(
    of value: Value, from matcher: MatcherPlan, reads: [SlotID], values: [Value]
  ) -> String? {
    judgement.difference(of: value, from: matcher, reads: reads, values: values)
  }

  package var hasBrokenInvariant: Bool { judgement.invariants.isBroken }

  /// What has failed so far, in the order it happened; before it, the drift that may be why.
  package var failures: [Failure] { judgement.drifts + judgement.failures }
  /// What was left over besides, in a scenario that had failed for another reason.
  package var alsoUnaccounted: [Leftovers] { judgement.alsoUnaccounted }
  package var snapshots: [SnapshotTaken] { judgement.snapshots }
  package var assertionsReached: Int { judgement.assertionsReached }
  package var assertionsMet: Int { judgement.assertionsMet }
}
