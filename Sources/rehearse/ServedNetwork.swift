import Diagnostics
import ScenarioPlan

extension Diagnostic {
  /// Nil where no step of a scenario changes the network.
  static func networkOfOthers(in plan: ScenarioPlan) -> Diagnostic? {
    let steps = plan.scripts.flatMap(\.steps).filter {
      if case .network = $0.kind { true } else { false }
    }
    guard let first = steps.min(by: { $0.range.start < $1.range.start }) else { return nil }
    return Diagnostic(
      "network-of-others", severity: .warning,
      "`network` changes nothing for clients from outside",
      labels: [.init(first.verbRange)],
      help: "faults, latency and `offline` strike the scenario's own clients;"
        + " for others write `drop`, `reset`, `stall` or `after` into the endpoint's script")
  }
}
