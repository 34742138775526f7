import ScenarioEngine
import ScenarioPlan
import Values

/// The parts of a component that one object plays, by the names that the users of the component
/// write: without the component, and without the reactor where that is clear.
struct ComponentParts {
  let reactors: [ReactorID]
  /// The actions by the names of the Swift cases.
  private(set) var actions: [ActionID: String] = [:]
  /// The nodes in the order of the plan. Of a name that two reactors have, there is none.
  private(set) var nodes: [(node: NodeID, name: String)] = []

  /// Finds the parts of a component; nil if the scenario does not use it.
  init?(of component: String, in plan: ScenarioPlan) {
    guard plan.componentNames.contains(component) else { return nil }
    let prefix = component + "."
    reactors = plan.reactors.withIDs.filter { $0.1.name.hasPrefix(prefix) }.map(\.0)
    addActions(of: plan)
    addNodes(of: plan, prefix)
  }

  private mutating func addActions(of plan: ScenarioPlan) {
    let all = reactors.flatMap { plan.reactors[$0].actions }
    let names = all.map { plan.actions[$0].shortName }
    for (action, name) in zip(all, names) {
      let isClear = names.count { $0 == name } == 1
      actions[action] = isClear ? name : joinedName(of: plan.actions[action].name)
    }
  }

  /// `license.autoValidation.start` is `autoValidationStart` if another reactor has a `start`.
  private func joinedName(of action: String) -> String {
    let parts = action.split(separator: ".").suffix(2)
    let last = parts.last.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? ""
    return (parts.first.map(String.init) ?? "") + last
  }

  private mutating func addNodes(of plan: ScenarioPlan, _ prefix: String) {
    let states = reactors.map { plan.reactors[$0].name + "." }
    for (node, row) in plan.nodes.withIDs where row.name.hasPrefix(prefix) {
      let state = states.first { row.name.hasPrefix($0) } ?? prefix
      nodes.append((node, String(row.name.dropFirst(state.count))))
    }
    // A node outside of reactors takes precedence over fields, and equal fields have no name.
    let all = nodes
    nodes = all.filter { node, name in
      let others = all.filter { $0.name == name }
      return others.count == 1 || plan.nodes[node].name == prefix + name
    }
  }
}

extension ScenarioPlan {
  /// The names under which the scenario uses components.
  var componentNames: [String] {
    sources.compactMap { source in
      switch source.kind {
      case .componentEvents: String(source.name.dropLast(".events".count))
      case .node, .endpoint, .reactorEvents, .allEvents, .stream, .connection, .connectivity,
        .declared, .program:
        nil
      }
    }
  }
}

/// The parts that objects play as parts of components.
struct PlayedComponents {
  /// The reactors whose policies do not apply.
  private(set) var reactors: Set<ReactorID> = []
  private(set) var actions: [ActionID: String] = [:]
  /// The nodes that only objects set, by the name of the member.
  private(set) var nodes: [NodeID: String] = [:]
  /// The nodes of all components, with the objects that play the components.
  private(set) var all: [(node: NodeID, name: String, object: any PlayedReactor)] = []

  /// Adds an object. Returns the members that it shows.
  @MainActor
  mutating func add(_ object: any PlayedReactor, _ parts: ComponentParts) -> [PlayedMember] {
    reactors.formUnion(parts.reactors)
    actions.merge(parts.actions) { $1 }
    let names = Set(object.members.map(\.name))
    all += parts.nodes.map { ($0.node, $0.name, object) }
    let shown = parts.nodes.filter { names.contains($0.name) }
    for (node, name) in shown { nodes[node] = name }
    return shown.map { PlayedMember(reactor: object, $0) }
  }
}

extension String {
  /// The name of the action that takes what a step writes: `setOfflineToken` for `offlineToken`.
  var asSetter: String { "set" + prefix(1).uppercased() + dropFirst() }
}

// The nodes of components that objects play.
extension LiveSubjects {
  func plays(_ node: NodeID) -> Bool { components.nodes[node] != nil }

  func beginning(of node: NodeID) -> Value? {
    switch plan.nodes[node].rule {
    case .stored, .model: return nil
    case .computed, .latest:
      guard let member = members.first(where: { $0.node == node && plays(node) }) else {
        return nil
      }
      return value(of: member.name, in: member.reactor.members)
    }
  }

  func take(_ value: Value, for node: NodeID) {
    guard let member = members.first(where: { $0.node == node }) else { return }
    let plan = plan.nodes[node]
    do {
      switch try member.reactor.prepare(member.name.asSetter, value) {
      case .immediate(let perform):
        perform()
        showStates()
      case .waiting(let perform):
        _ = start(
          "the change of `\(plan.name)`", "`\(member.reactor.typeName)`", plan.range, perform,
          then: {})
      }
    } catch {
      world.environment?.fail(.written(to: plan, "\(error)", member.reactor))
    }
  }
}
