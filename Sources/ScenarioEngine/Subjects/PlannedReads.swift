import ScenarioPlan

extension ScenarioPlan {
  /// Returns the nodes that something reads, as far as assertions, invariants and computed nodes
  /// show: those whose events are asked for, and those in conditions.
  ///
  /// A computed node that `isReplaced` reads nothing, since its rule does not apply.
  package func nodesRead(isReplaced: (NodeID) -> Bool) -> Set<NodeID> {
    var found: Set<NodeID> = []
    for (id, node) in nodes.withIDs where isAsked(node.source) { found.insert(id) }
    var open = assertions.flatMap(\.reads) + invariants.flatMap(\.reads)
    for id in found where !isReplaced(id) { open += slotsRead(by: id) }
    while let slot = open.popLast() {
      guard case .node(let node) = slots[slot], found.insert(node).inserted else { continue }
      if !isReplaced(node) { open += slotsRead(by: node) }
    }
    return found
  }

  private func isAsked(_ source: SourceID) -> Bool {
    assertions.contains { $0.kind.sources.contains(source) }
      || invariants.contains { $0.kind.matchers.contains { $0.source == source } }
  }

  private func slotsRead(by node: NodeID) -> [SlotID] {
    guard case .computed(let rule) = nodes[node].rule else { return [] }
    return Array(rule.readSlots)
  }
}

extension AssertionPlan.Kind {
  /// The sources whose events the assertion is about.
  fileprivate var sources: [SourceID] {
    switch self {
    case .expectMap(let sequences): sequences.map(\.source)
    case .expectList(let entries): entries.flatMap(\.sources)
    case .never(let entries, _): entries.map(\.source)
    case .check, .eventually, .retry, .fails, .snapshot, .receive, .answer: []
    }
  }
}

extension EntryPlan {
  fileprivate var sources: [SourceID] {
    switch self {
    case .event(let event): [event.source]
    case .anyOrder(let entries, _): entries.map(\.source)
    }
  }
}
