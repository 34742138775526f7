import ScenarioSpec
import Values

/// The disturbances that a sweep tries, and the end that it demands.
package struct SweepPlan: Sendable {
  package typealias Kind = SweepSpec.Kind

  /// The sources whose last value must be that of the run without a disturbance.
  package var same: [SourceID] = []
  /// The condition that is false after each change of a disturbed run.
  package var never: InvariantPlan?
  /// The sources whose events are not demanded.
  package var allowed: [SourceID] = []
  /// The kinds of disturbances by the name of the endpoint; nil if all are tried everywhere.
  package var disturbed: [String: Set<Kind>]?
  /// The time that a disturbed run has to recover; nil if the scenario does not say.
  package var settle: Microseconds?
  package var demandsExpect = false

  package init() {}

  /// Returns the time that a disturbed run has to recover. In real time it has to be waited for,
  /// so that it is shorter.
  package func settleTime(isInRealTime: Bool) -> Microseconds {
    settle ?? (isInRealTime ? SweepPlan.realTimeSettle : SweepPlan.virtualSettle)
  }

  package static let virtualSettle: Microseconds = 60_000_000
  package static let realTimeSettle: Microseconds = 2_000_000

  /// Returns whether what a row of the table names is tried with pieces of an endpoint.
  package func tries(_ row: Kind.Row, on line: String) -> Bool {
    (disturbed != nil || !row.isChosen) && tries(row.kind, on: line)
  }

  /// Returns whether a kind is tried on the lines to an endpoint.
  package func tries(_ kind: Kind, on line: String) -> Bool {
    disturbed.map { $0[line]?.contains(kind) ?? false } ?? true
  }
}
