import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan

/// The comparison of the objects with the scenario, before it runs.
extension LiveSubjects {
  var mismatches: [SubjectFailure] {
    let played = reactors.keys.sorted()
    let use = PlannedUse(of: plan, without: played) { components.reactors.contains($0) }
    return world.mismatches + members.compactMap(missingMember) + unshownNodes(use) + actions(use)
      + writes(use) + feeds(use) + unfitConnections
  }

  private func missingMember(_ member: PlayedMember) -> SubjectFailure? {
    if member.reactor.members.contains(where: { $0.name == member.name }) { return nil }
    return .lacksMember(plan.nodes[member.node], member.name, member.reactor)
  }

  /// The nodes of components that nothing changes beside an object, and that the scenario reads.
  private func unshownNodes(_ use: PlannedUse) -> [SubjectFailure] {
    if components.all.isEmpty { return [] }
    let read = plan.nodesRead { plays($0) }
    return components.all.compactMap { node, name, object in
      guard !plays(node), read.contains(node), use.ownWrites.contains(node) else { return nil }
      return .lacksMember(plan.nodes[node], name, object)
    }
  }

  private func actions(_ use: PlannedUse) -> [SubjectFailure] {
    use.actions.compactMap { id, range in
      let action = plan.actions[id]
      let name = components.actions[id] ?? action.shortName
      guard let reactor = reactors[action.reactor], !reactor.has(name) else { return nil }
      return reactor.canMakeActions
        ? .lacksAction(action, name, sentAt: range, reactor)
        : .unmakeableActions(of: reactor, named: action.name, sentAt: range)
    }
  }

  private func writes(_ use: PlannedUse) -> [SubjectFailure] {
    let written = use.writes.compactMap { node, range in
      members.first { $0.node == node }.flatMap { write(to: $0, at: range) }
    }
    let loaded = use.loads.compactMap { node, range in
      members.first { $0.node == node }.map {
        SubjectFailure.writes(plan.nodes[node], at: range, $0.reactor)
      }
    }
    return written + loaded
  }

  private func write(to member: PlayedMember, at range: SourceRange) -> SubjectFailure? {
    let node = plan.nodes[member.node]
    guard plays(member.node) else { return .writes(node, at: range, member.reactor) }
    let setter = member.name.asSetter
    return member.reactor.has(setter)
      ? nil : .lacksSetter(node, setter, at: range, member.reactor)
  }

  private func feeds(_ use: PlannedUse) -> [SubjectFailure] {
    let unfed = plan.declaredSources.filter { sources[$0.source] == nil }
      .map { SubjectFailure.unfed(plan.sources[$0.source]) }
    let sent = use.subjects.filter { plays($0.stream) }
      .map { SubjectFailure.fedByStep(plan.sources[plan.streams[$0.stream].source], at: $0.range) }
    let loaded = use.lists.filter { plays($0.list) }
      .map {
        SubjectFailure.fedByStep(
          plan.sources[plan.nodes[plan.lists[$0.list].items].source], at: $0.range)
      }
    return unfed + sent + loaded
  }
}

extension ScenarioPlan {
  /// The fields of a reactor's state.
  func members(of reactor: ReactorID) -> [(node: NodeID, name: String)] {
    let prefix = reactors[reactor].name + "."
    return nodes.withIDs.compactMap { id, node in
      guard node.name.hasPrefix(prefix) else { return nil }
      let name = node.name.dropFirst(prefix.count)
      return name.contains(".") ? nil : (id, String(name))
    }
  }
}

extension ActionPlan {
  /// The name without that of the reactor.
  var shortName: String { String(name.split(separator: ".").last ?? "") }
}

extension SourcePlan {
  /// True if events may come from outside of the scenario.
  var isFeedable: Bool {
    switch kind {
    case .stream, .declared: true
    case .node, .endpoint, .reactorEvents, .componentEvents, .allEvents, .connection, .connectivity,
      .program:
      false
    }
  }
}
