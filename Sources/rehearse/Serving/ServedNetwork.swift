import Diagnostics
import ScenarioPlan

extension Diagnostic {
  /// Returns the warning about a step `network` under `serve`; nil if no step is one.
  static func networkOfOthers(in plan: ScenarioPlan) -> Diagnostic? {
    let steps = plan.scripts.flatMap(\.steps).filter {
      if case .acting(.network) = $0.kind { true } else { false }
    }
    guard let first = steps.min(by: { $0.range.start < $1.range.start }) else { return nil }
    return Diagnostic(
      "network-of-others", severity: .warning,
      "`network` has no effect on clients from outside",
      labels: [.init(first.verbRange)],
      help: "faults, latency and `offline` strike the scenario's own clients;"
        + " for others write `drop`, `reset`, `stall` or `after` into the endpoint's script")
  }
}
