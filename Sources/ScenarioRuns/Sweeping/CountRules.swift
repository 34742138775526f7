import Diagnostics
import Verdicts

/// How often a rule was exercised in the courses of a sweep, and how many of them broke it.
package struct SweepRule: Sendable, Equatable {
  package var rule: DiagnosticID
  package var exercised: Int
  package var broken: Int
}

/// Returns the rules of the ends of some courses, each with the ids of its findings. A rule that is
/// known by its findings alone is exercised by each course.
func countedRules(_ courses: [(exercised: [SweepEnd.Exercised], broken: [DiagnosticID])])
  -> [SweepRule]
{
  var rules: [SweepRule] = []
  for entry in courses.flatMap(\.exercised) {
    let place = place(of: entry.rule, in: &rules)
    rules[place].exercised += entry.times
  }
  let known = Set(rules.map(\.rule))
  for course in courses {
    let broken = Set(course.broken.map { $0.ruleOfSweep(among: known) })
    for rule in broken.sorted(by: { $0.rawValue < $1.rawValue }) {
      let place = place(of: rule, in: &rules)
      if !known.contains(rule) { rules[place].exercised = courses.count }
      rules[place].broken += 1
    }
  }
  return rules
}

private func place(of rule: DiagnosticID, in rules: inout [SweepRule]) -> Int {
  if let place = rules.firstIndex(where: { $0.rule == rule }) { return place }
  rules.append(SweepRule(rule: rule, exercised: 0, broken: 0))
  return rules.count - 1
}

extension DiagnosticID {
  /// The rule that a failure counts for. Those of invariants and of checks have several ids; others
  /// have rows of their own.
  fileprivate func ruleOfSweep(among rules: Set<DiagnosticID>) -> DiagnosticID {
    if rules.contains(self) { return self }
    if rawValue.hasPrefix("invariant") { return SweepEnd.Exercised.invariants }
    // Where expectations must be met, nothing is left that could meet one.
    if self == "nothing-left", rules.contains("not-in-time") { return "not-in-time" }
    return DiagnosticID.ofChecks.contains(self) ? SweepEnd.Exercised.checks : self
  }

  /// The ids of conditions that do not hold.
  private static let ofChecks: Set<DiagnosticID> = [
    "eventually-failed", "nothing-left", "evaluation-failed", "snapshot-differs",
  ]
}
