import LiveWorld
import ScenarioPlan
import TextSearch
import World

/// The worlds of the runs of a sweep. Each run has one of its own, with its own ports.
struct SweepWorld: Sendable {
  let kind: WorldKind
  /// True if the times of the runs are those of the machine.
  let isInRealTime: Bool
  /// True if programs run, which may act otherwise in another run.
  let hasPrograms: Bool
  /// The endpoints that mocks relay to real servers, which programs would reach by themselves.
  let relayed: Set<String>

  init(_ plan: ScenarioPlan, in kind: WorldKind) {
    self.kind = kind
    isInRealTime = plan.runsInRealTime(in: kind)
    hasPrograms = isInRealTime || !plan.programs.isEmpty
    relayed = plan.endpointsToRelay(in: kind)
  }

  /// Returns the plan whose runs can be disturbed in this world.
  func adapted(_ shared: SharedPlan) -> SharedPlan {
    relayed.isEmpty ? shared : SharedPlan(shared.plan.relaying(relayed))
  }

  /// Makes the world of one run, or the reason why there is none.
  func make(for plan: ScenarioPlan, seed: Int) -> Result<RunWorld, NoWorld> {
    plan.world(in: kind).flatMap { chosen in
      var chosen = chosen
      if !relayed.isEmpty, case .real = chosen.kind {
        let real = chosen.realEndpoints ?? Set(plan.endpoints.map(\.name))
        chosen.realEndpoints = real.subtracting(relayed)
      }
      return makeWorld(chosen, for: plan, seed: seed)
    }.map { world in
      var world = world
      // What differs in a disturbed run is no drift.
      world.ignoresDrift = true
      // A course takes its limits from a machine that does nothing else.
      if isInRealTime { (world.wall as? EventLoop)?.leavesOutBusyTime = true }
      return world
    }
  }
}

extension ScenarioPlan {
  /// Returns the real endpoints that programs would connect to by themselves. Those at a port of
  /// the scenario's own programs are none.
  fileprivate func endpointsToRelay(in kind: WorldKind) -> Set<String> {
    guard !programs.isEmpty, worlds(in: kind).contains(.real) else { return [] }
    let real = endpointsOfOthers(in: kind)
    return Set(
      endpoints.filter { real.contains($0.name) && $0.address?.readsPort == false }.map(\.name))
  }

  /// Returns the plan with mocks that pass all requests on to real servers.
  fileprivate func relaying(_ names: Set<String>) -> ScenarioPlan {
    changed { plan in
      for id in plan.endpoints.indices where names.contains(plan.endpoints[id].name) {
        plan.endpoints[id].proxy = plan.endpoints[id].address.map { ProxyPlan(url: $0) }
        plan.endpoints[id].routes = []
        plan.endpoints[id].eventStreams = []
        plan.endpoints[id].lines = []
        plan.endpoints[id].webSockets = []
      }
    }
  }
}

extension DataPlan {
  /// True if an expression reads the port of a program.
  var readsPort: Bool {
    switch content {
    case .text(let parts):
      parts.contains {
        if case .expression(let expression) = $0 { expression.readsPort } else { false }
      }
    case .expression(let expression): expression.readsPort
    case .constant, .list, .map, .keyedMap, .example: false
    }
  }
}

extension ExpressionPlan {
  fileprivate var readsPort: Bool { origin.text.hasSuffix(".port") }
}
