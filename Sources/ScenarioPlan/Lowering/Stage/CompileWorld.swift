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
    let latency = network.latency.map { compile($0) }
    let loss = network.loss.map { compile($0) }
    let faults = network.faults.map { compile($0) }
    var endpoint: EndpointID?
    if let name = network.endpoint {
      guard let found = findEndpoint(name) else { return nil }
      endpoint = found
    }
    return NetworkPlan(
      endpoint: endpoint, isOnline: network.isOnline, latency: latency, loss: loss,
      fragments: network.fragments, faults: faults, range: network.range)
  }

  private func compile(_ faults: FaultsSpec) -> FaultsPlan {
    FaultsPlan(
      refuse: faults.refuse.map { compile($0) }, drop: faults.drop.map { compile($0) },
      reset: faults.reset.map { compile($0) }, stall: faults.stall.map { compile($0) },
      corrupt: faults.corrupt.map { compile($0) },
      duplicate: faults.duplicate.map { compile($0) }, delay: faults.delay.map { compile($0) },
      longestDelay: faults.longestDelay.map { compile($0) })
  }
}
