import Events
import ScenarioPlan
import Secrets
import Values

/// Judges a scenario's assertions over the events of its run, in one pass and from nothing else, so
/// that judging the log again gives the same.
package final class ScenarioJudge: Judge {
  // Nothing that sees an event comes back to the judge, so there is no access to guard.
  @exclusivity(unchecked) private(set) var state: AssertionState
  /// The search for undeclared credentials; nil if nobody from outside takes part.
  private var credentials: EventCredentials?
  /// How often further credentials were found.
  private var findings = 0

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

  /// Hides the credentials of these parties in all that is shown of the run.
  ///
  /// - Parameter most: The credentials after which the earlier ones are forgotten.
  package func hideCredentials(of outside: OutsideParties, most: Int? = nil) {
    guard outside.isAny else { return }
    credentials = EventCredentials(state.shared, from: outside, most: most)
  }

  /// Finds the credentials in what is to be shown of a log.
  package func readCredentials(of log: EventLog) {
    if credentials?.read(log) == true { hideFound() }
  }

  /// Finds the credentials in an event that is to be shown.
  package func readCredentials(of event: Event) {
    if credentials?.read(event) == true { hideFound() }
  }

  private func hideFound() {
    findings += 1
    if let credentials { state.hide(credentials) }
  }

  /// The credentials that were found so far.
  package var foundCredentials: [NamedSecrets] { credentials?.found ?? [] }

  package func observe(_ event: Event) { state.observe(event) }

  /// Awaits nothing after this time, because no client does anything any more.
  package func awaitNothing(after time: Microseconds) { state.endOfWaiting = time }

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
    state.secrets.count + findings + (state.mask.extent == .everything ? 1 : 0)
  }
  package var assertionsReached: Int { state.assertionsReached }
  package var assertionsMet: Int { state.assertionsMet }
}
