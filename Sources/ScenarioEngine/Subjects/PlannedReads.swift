import ScenarioPlan
import TextSearch

extension ScenarioPlan {
  /// Returns the nodes that something reads, as far as assertions, invariants and computed nodes
  /// show: those whose events are asked for, and those in conditions.
  ///
  /// A computed node that `isReplaced` reads nothing, since its rule does not apply.
  package func nodesRead(isReplaced: (NodeID) -> Bool) -> Set<NodeID> {
    var found: Set<NodeID> = []
    let asked = Set(assertions.flatMap(\.kind.sources) + invariants.flatMap(\.sources))
    for (id, node) in nodes.withIDs where asked.contains(node.source) { found.insert(id) }
    var open = assertions.flatMap(\.reads) + invariants.flatMap(\.reads)
    for id in found where !isReplaced(id) { open += slotsRead(by: id) }
    while let slot = open.popLast() {
      guard case .node(let node) = slots[slot], found.insert(node).inserted else { continue }
      if !isReplaced(node) { open += slotsRead(by: node) }
    }
    return found
  }

  private func slotsRead(by node: NodeID) -> [SlotID] {
    guard case .computed(let rule) = nodes[node].rule else { return [] }
    return Array(rule.readSlots)
  }
}
