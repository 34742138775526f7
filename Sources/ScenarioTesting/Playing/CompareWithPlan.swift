import Events
import ScenarioEngine
import ScenarioPlan

/// The comparison of the objects with the scenario, before it runs.
extension LiveSubjects {
  var mismatches: [SubjectFailure] {
    let played = reactors.keys.sorted()
    let use = PlannedUse(of: plan, without: played)
    return world.mismatches + members.compactMap(missingMember) + actions(use) + writes(use)
      + feeds(use) + unfitConnections
  }

  private func missingMember(_ member: PlayedMember) -> SubjectFailure? {
    if member.reactor.members.contains(where: { $0.name == member.name }) { return nil }
    return .lacksMember(plan.nodes[member.node], member.name, member.reactor)
  }

  private func actions(_ use: PlannedUse) -> [SubjectFailure] {
    use.actions.compactMap { id, range in
      let action = plan.actions[id]
      guard let reactor = reactors[action.reactor], !reactor.has(action.shortName) else {
        return nil
      }
      return reactor.canMakeActions
        ? .lacksAction(action, action.shortName, sentAt: range, reactor)
        : .unmakeableActions(of: reactor, named: action.name, sentAt: range)
    }
  }

  private func writes(_ use: PlannedUse) -> [SubjectFailure] {
    use.writes.compactMap { node, range in
      members.first { $0.node == node }.map { .writes(plan.nodes[node], at: range, $0.reactor) }
    }
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
