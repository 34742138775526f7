import Diagnostics
import ScenarioPlan
import Verdicts

/// The parts that the rows of a table have exercised. A scenario without a table is its only row.
///
/// A part that one row exercises is exercised, so that only the verdict on the last row has those
/// that none did. A row that failed, or that runs elsewhere, may exercise others: then nothing
/// fails for them.
package struct TableRows {
  private let isStrict: Bool
  /// The number of rows that are still to pass.
  private var left: Int
  private var unexercised: Set<NeverExercised.Place>?

  package init(of plan: ScenarioPlan, isStrict: Bool) {
    self.isStrict = isStrict
    left = plan.columns.isEmpty ? 1 : plan.rows.count
  }

  package mutating func take(_ verdict: Verdict) {
    guard verdict.failures.isEmpty else { return }
    left -= 1
    let places = Set(verdict.neverExercised.map(\.place))
    unexercised = unexercised?.intersection(places) ?? places
  }

  /// Returns the verdict on a row, as it is reported.
  package func verdict(_ verdict: Verdict, isLast: Bool) -> Verdict {
    var verdict = verdict
    let common = isLast ? unexercised ?? [] : []
    verdict.neverExercised.removeAll { !common.contains($0.place) }
    return isStrict && isLast && left <= 0 ? verdict.strict() : verdict
  }
}
