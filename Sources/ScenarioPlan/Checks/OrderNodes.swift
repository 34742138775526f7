import Diagnostics

/// The order in which nodes emit, and the check that no node depends on itself.
extension PlanCompiler {
  /// The nodes a computed node's rule reads.
  private func parents(of node: NodeID) -> [NodeID] {
    guard case .computed(let rule) = plan.nodes[node].rule else { return [] }
    return rule.readSlots.compactMap {
      if case .node(let parent) = plan.slots[$0] { parent } else { nil }
    }
  }

  /// Parents before children, else as in the document.
  func orderObservedNodes() {
    var waiting = PerID<NodePlan, Int>(plan.nodes.indices.map { parents(of: $0).count })
    var children = PerID<NodePlan, [NodeID]>(repeating: [], for: plan.nodes)
    for node in plan.nodes.indices {
      for parent in parents(of: node) { children[parent].append(node) }
    }
    var ready = ReadyNodes(plan.nodes.indices.filter { waiting[$0] == 0 })
    while let node = ready.takeFirst() {
      if tables.nodes[node].isObserved { plan.observedNodes.append(node) }
      for child in children[node] {
        waiting[child] -= 1
        if waiting[child] == 0 { ready.insert(child) }
      }
    }
  }

  /// Each circle is reported once, at the node of it that was declared first.
  func refuseCycles() {
    var state = PerID<NodePlan, Visit>(repeating: .new, for: plan.nodes)
    for node in plan.nodes.indices where state[node] == .new {
      walk(from: node, &state)
    }
  }

  private enum Visit { case new, open, done }

  /// Depth first with a stack of its own, so that long chains do not exhaust the thread's.
  private func walk(from start: NodeID, _ state: inout PerID<NodePlan, Visit>) {
    var path: [(node: NodeID, parents: [NodeID], next: Int)] = [(start, parents(of: start), 0)]
    state[start] = .open
    while let last = path.last {
      guard last.next < last.parents.count else {
        state[last.node] = .done
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let parent = last.parents[last.next]
      switch state[parent] {
      case .new:
        state[parent] = .open
        path.append((parent, parents(of: parent), 0))
      case .open: reportCycle(path.map(\.node), closedBy: parent)
      case .done: break
      }
    }
  }

  private func reportCycle(_ path: [NodeID], closedBy node: NodeID) {
    guard let start = path.firstIndex(of: node) else { return }
    let circle = path[start...]
    guard let first = circle.min(), let turn = circle.firstIndex(of: first) else { return }
    // No component reads what uses it, so a circle lies within one unit.
    guard let home = position.units.first(where: { ($0.own.nodes..<$0.end.nodes).contains(first) })
    else {
      return
    }
    let nodes = (circle[turn...] + circle[..<turn]).map { node in
      var node = plan.nodes[node]
      node.name = home.name(node.name)
      return node
    }
    inside(home) { report(.cycle(nodes)) }
  }
}

/// Nodes whose parents have all been placed; the first in document order comes out first.
private struct ReadyNodes {
  private var heap: [NodeID] = []

  init(_ nodes: [NodeID]) { heap = nodes }

  mutating func insert(_ node: NodeID) {
    heap.append(node)
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func takeFirst() -> NodeID? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return first
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child] < heap[least] { least = child }
      }
      if least == parent { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
