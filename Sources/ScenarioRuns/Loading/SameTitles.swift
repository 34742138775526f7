import Diagnostics
import ScenarioPlan
import Values

/// Returns a warning for each scenario of a file whose title an earlier one has.
func titlesGivenTwice(_ plans: [ScenarioPlan]) -> [Diagnostic] {
  var first: [Value: SourceRange] = [:]
  return plans.compactMap { plan in
    guard let other = first[.string(plan.title)] else {
      first[.string(plan.title)] = plan.range
      return nil
    }
    return .titleGivenTwice(at: plan.range, first: other)
  }
}

extension Diagnostic {
  fileprivate static func titleGivenTwice(at range: SourceRange, first: SourceRange) -> Diagnostic {
    Diagnostic(
      "same-title", severity: .warning, "two scenarios of this file have the same title",
      labels: [.init(range), .init(first, "the other one")],
      help: "give each its own title: `FILE::TITLE` names one scenario")
  }
}

/// The page of `rehearse explain` about scenarios with one title.
package let titlePages = [
  DiagnosticPage(
    id: "same-title", title: "Two scenarios with the same title",
    text: """
      `rehearse run FILE::TITLE` runs all scenarios of the file with this title. Durations of an
      earlier run, last failures and the parts of a suite are found by title as well, and cannot
      tell two of them apart.
      """,
    wrong: """
      scenario: The count grows
      graph: { count: 0 }
      steps: [{ set: { count: 1 } }, { check: count == 1 }]
      ---
      scenario: The count grows
      graph: { count: 5 }
      steps: [{ set: { count: 6 } }, { check: count == 6 }]
      """,
    right: """
      scenario: The count grows from zero
      graph: { count: 0 }
      steps: [{ set: { count: 1 } }, { check: count == 1 }]
      ---
      scenario: The count grows from five
      graph: { count: 5 }
      steps: [{ set: { count: 6 } }, { check: count == 6 }]
      """)
]
