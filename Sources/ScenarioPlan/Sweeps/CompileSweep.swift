import Diagnostics
import ScenarioSpec
import World

extension PlanCompiler {
  /// Reads what goes wrong in each run.
  func compileDisturbances() {
    for name in document.disturbances {
      if let disturbance = Disturbance(name: name.value) {
        plan.disturbances.append(disturbance)
      } else {
        report(.unknownDisturbance(name.value, at: name.range))
      }
    }
  }

  /// Compiles what a sweep disturbs and demands.
  func compileSweep() {
    guard let sweep = document.sweep else { return }
    plan.sweep.same = sweep.same.compactMap { observedSource($0) }
    plan.sweep.allowed = sweep.allowed.compactMap { observedSource($0) }
    plan.sweep.settle = sweep.settle
    plan.sweep.demandsExpect = sweep.demandsExpect
    plan.sweep.never = sweep.never.flatMap { compileNever($0.condition, $0.verb) }
    guard let disturbed = sweep.disturbed else { return }
    var kinds: [String: Set<SweepPlan.Kind>] = [:]
    for (name, wanted) in disturbed {
      guard let endpoint = endpoint(disturbedAs: name) else { continue }
      kinds[endpoint, default: []].formUnion(wanted)
    }
    plan.sweep.disturbed = kinds
  }

  /// Returns the name of an endpoint that is named, or to which a named connection leads.
  private func endpoint(disturbedAs name: Located<String>) -> String? {
    let connection = plan.connections.first { $0.name == name.value }
    if let endpoint = connection?.request?.endpoint { return plan.endpoints[endpoint].name }
    return findEndpoint(name).map { plan.endpoints[$0].name }
  }
}

extension Diagnostic {
  /// Returns the error of a name that no disturbance has.
  package static func unknownDisturbance(_ name: String, at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "unknown-disturbance", "`\(name)` names nothing that can go wrong", labels: [.init(range)],
      help: "write it as `rehearse sweep` does: `cut after event 3 of feed, connection 1`")
  }
}
