import Diagnostics
import Verdicts

/// How often a rule was exercised in the courses of a sweep, and how many of them broke it.
package struct SweepRule: Sendable, Equatable {
  package var rule: DiagnosticID
  package var exercised: Int
  package var broken: Int
}

/// Returns the rules of the ends of some courses, each with the ids of its findings.
func countedRules(_ courses: [(exercised: [SweepEnd.Exercised], broken: [DiagnosticID])])
  -> [SweepRule]
{
  var rules: [SweepRule] = []
  for course in courses {
    for (place, entry) in course.exercised.enumerated() {
      if place == rules.count {
        rules.append(SweepRule(rule: entry.rule, exercised: 0, broken: 0))
      }
      rules[place].exercised += entry.times
    }
    let known = Set(rules.map(\.rule))
    let broken = Set(course.broken.map { $0.ruleOfSweep(among: known) })
    for place in rules.indices where broken.contains(rules[place].rule) {
      rules[place].broken += 1
    }
  }
  return rules
}

extension DiagnosticID {
  /// The rule that a failure counts for. Those of invariants and of checks have several ids.
  fileprivate func ruleOfSweep(among rules: Set<DiagnosticID>) -> DiagnosticID {
    if rules.contains(self) { return self }
    return rawValue.hasPrefix("invariant")
      ? SweepEnd.Exercised.invariants : SweepEnd.Exercised.checks
  }
}
