/// The watchers that wait for the next turn of an actor, so that all writes of one turn are one
/// delivery.
///
/// Writers add watchers under the lock of the shared graph. Only the actor delivers.
package final class DeliveryTurn: @unchecked Sendable {
  private var waiting: [(graph: Graph, entry: QueueEntry)] = []
  private let schedule: @Sendable (DeliveryTurn) -> Void

  /// Makes an empty turn. `schedule` has to call `deliver` once, later.
  package init(schedule: @escaping @Sendable (DeliveryTurn) -> Void) {
    self.schedule = schedule
  }

  func add(_ entry: QueueEntry, of graph: Graph) {
    let shared = Graph.shared.arena
    shared.lock()
    defer { shared.unlock() }
    waiting.append((graph, entry))
    if waiting.count == 1 { schedule(self) }
  }

  /// Delivers to the watchers that wait.
  package func deliver() {
    for (graph, entries) in take() {
      graph.arena.alone {
        for entry in entries { graph.arena.state.pointee.nextQueue.append(entry) }
        graph.arena.flush()
      }
    }
  }

  /// Returns what waits, by graph, in the order of the first entry of each.
  private func take() -> [(Graph, [QueueEntry])] {
    let shared = Graph.shared.arena
    shared.lock()
    defer { shared.unlock() }
    var taken: [(Graph, [QueueEntry])] = []
    for (graph, entry) in waiting {
      if let index = taken.firstIndex(where: { $0.0 === graph }) {
        taken[index].1.append(entry)
      } else {
        taken.append((graph, [entry]))
      }
    }
    waiting = []
    return taken
  }
}
