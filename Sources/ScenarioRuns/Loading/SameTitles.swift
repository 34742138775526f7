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
