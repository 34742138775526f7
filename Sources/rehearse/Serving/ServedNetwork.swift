import Diagnostics
import ScenarioPlan

extension Diagnostic {
  /// Returns the warning about a step under `serve` that does nothing to clients from outside; nil
  /// if no step is one.
  static func networkOfOthers(in plan: ScenarioPlan) -> Diagnostic? {
    let helps = plan.scripts.flatMap(\.steps).compactMap { step in
      step.helpForOthers.map { (step: step, help: $0) }
    }
    guard
      let first = helps.min(by: { $0.step.range.start < $1.step.range.start })
    else { return nil }
    return Diagnostic(
      "network-of-others", severity: .warning,
      "`\(first.step.verb)` has no effect on clients from outside",
      labels: [.init(first.step.verbRange)], help: first.help)
  }
}

extension StepPlan {
  /// The help for clients that the step does not reach; nil if it is not about clients.
  fileprivate var helpForOthers: String? {
    switch kind {
    case .acting(.network):
      "faults, latency and `offline` strike the scenario's own clients;"
        + " for others write `drop`, `reset`, `stall` or `after` into the endpoint's script"
    case .acting(.suspend):
      "stop them yourself, with the signal STOP; or start them by `programs` in the scenario"
    case .acting, .structure, .assertion, .mock, .action: nil
    }
  }
}
