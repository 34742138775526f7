import ScenarioSpec
import Values

/// Steps that reach subjects and the network.
extension PlanCompiler {
  /// The subject of this name; nil without a word where there is none.
  func subject(named name: Located<String>) -> StreamID? {
    guard let source = lookUpSource(name.value),
      case .stream(let stream) = plan.sources[source].kind, isSubject(stream)
    else { return nil }
    return stream
  }

  /// nil where one of them is nothing that ends.
  func compileTermination(_ targets: [Located<String>]) -> StepPlanKind? {
    let found = targets.compactMap(findWhatEnds)
    return found.count == targets.count ? .acting(.terminate(found)) : nil
  }

  private func findWhatEnds(_ target: Located<String>) -> TerminationPlan? {
    if let stream = subject(named: target) { return .subject(stream) }
    if let connection = lookUpConnection(target.value) { return .connection(connection) }
    if let program = lookUpProgram(target.value) { return .program(program) }
    if names.reactors.names.isEmpty, !names.programs.names.isEmpty {
      reportUnknownProgram(target)
      return nil
    }
    return findReactor(target).map { .reactor($0) }
  }

  func compile(_ network: NetworkSpec) -> NetworkPlan? {
    var plan = NetworkPlan(endpoint: nil, range: network.range)
    plan.latency = network.latency.map { compile($0) }
    plan.loss = network.loss.map { compile($0) }
    plan.faults = network.faults.map { compile($0) }
    (plan.isOnline, plan.fragments) = (network.isOnline, network.fragments)
    if let name = network.endpoint {
      guard let found = findEndpoint(name) else { return nil }
      plan.endpoint = found
    }
    return plan
  }

  private func compile(_ faults: FaultsSpec) -> FaultsPlan {
    var plan = FaultsPlan()
    plan.refuse = faults.refuse.map { compile($0) }
    plan.drop = faults.drop.map { compile($0) }
    plan.reset = faults.reset.map { compile($0) }
    plan.stall = faults.stall.map { compile($0) }
    plan.corrupt = faults.corrupt.map { compile($0) }
    plan.duplicate = faults.duplicate.map { compile($0) }
    plan.delay = faults.delay.map { compile($0) }
    plan.longestDelay = faults.longestDelay.map { compile($0) }
    return plan
  }
}
