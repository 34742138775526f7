import Protocols
import ScenarioPlan
import Values

extension ScenarioPlan {
  /// Returns what the scenario needs while it runs in this world.
  func needs(in kind: WorldKind) -> RunNeeds {
    guard runsInRealTime(in: kind) else { return RunNeeds() }
    guard case .success(let chosen) = world(in: kind), case .real = chosen.kind else {
      return RunNeeds(kind: .machine)
    }
    var needs = RunNeeds(kind: programs.isEmpty ? .servers : .machine)
    for (id, endpoint) in endpoints.withIDs
    where chosen.realEndpoints?.contains(endpoint.name) != false {
      guard let host = host(of: endpoint) else { continue }
      let streams = connections.count { $0.request?.endpoint == id }
      needs.connections[host, default: 0] += streams + (streams == 0 || asks(id) ? 1 : 0)
    }
    return needs
  }

  /// Returns the host of an endpoint's URL, as far as its variables are known; nil if it is this
  /// machine. All unknown hosts are one.
  private func host(of endpoint: EndpointPlan) -> String? {
    let text = endpoint.address.flatMap { try? evaluate($0, in: KnownSlots(plan: self)).get() }
    guard case .string(let text)? = text, case .success(let url) = AbsoluteURL.read(text) else {
      return ""
    }
    let host = url.host.lowercasedASCII
    let isHere = url.socket != nil || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    return isHere ? nil : host
  }

  /// Returns whether requests go to an endpoint on a connection of their own.
  private func asks(_ endpoint: EndpointID) -> Bool {
    let asking = providers.contains {
      if case .request(let request) = $0.origin { request.endpoint == endpoint } else { false }
    }
    return asking
      || scripts.contains { script in
        script.steps.contains {
          guard case .acting(.request(let exchange)) = $0.kind else { return false }
          return exchange.request.endpoint == endpoint
        }
      }
  }
}

/// The slots whose values are known before a run: variables that are no expressions.
private final class KnownSlots: PlanSlots {
  private let plan: ScenarioPlan

  init(plan: ScenarioPlan) { self.plan = plan }

  func value(of slot: SlotID) -> Value {
    guard case .variable(let id)? = plan.slots[ifPresent: slot],
      case .constant(let value) = plan.variables[id].value.content
    else { return .null }
    return value
  }
}
