/// The watchers of one actor that wait for its next turn, of all scopes and graphs. So all writes
/// of one turn are one delivery, in the order of registration.
///
/// Writers add watchers under the lock of the shared graph. Only the actor delivers.
package final class DeliveryQueue: @unchecked Sendable {
  private typealias Batch = (graph: Graph, entries: [QueueEntry])

  private var waiting: [Batch] = []
  /// True while the actor delivers; what is added then, it delivers as well.
  private var isDelivering = false
  private let start: @Sendable (_ queue: DeliveryQueue, _ isFirst: Bool) -> Bool

  /// Makes an empty queue. `start` is asked for each watcher that is added; for the first of a turn
  /// it has to see to it that `deliver` is called later. It returns false if the actor has ended.
  package init(start: @escaping @Sendable (_ queue: DeliveryQueue, _ isFirst: Bool) -> Bool) {
    self.start = start
  }

  /// Adds a watcher. Returns false if nothing can be delivered here any more.
  func add(_ entry: QueueEntry, of graph: Graph) -> Bool {
    alone {
      if !isDelivering, !start(self, waiting.isEmpty) { return false }
      if let index = waiting.firstIndex(where: { $0.graph === graph }) {
        waiting[index].entries.append(entry)
      } else {
        waiting.append((graph, [entry]))
      }
      return true
    }
  }

  /// Delivers to the watchers that wait, and to those for which their handlers cause changes. Each
  /// round is a turn, so the limit of turns ends a circle of observers.
  package func deliver() {
    var chain = TurnChain()
    while let batches = take(after: chain) {
      let count = chain.count
      var highest = count
      for (graph, entries) in batches {
        chain.count = count
        graph.arena.alone { graph.arena.flush(entries, in: &chain) }
        highest = max(highest, chain.count)
      }
      chain.count = highest
    }
  }

  /// Returns what waits, by graph, in the order of the first entry of each; nil if there is
  /// nothing, or if it is to wait for another turn of the actor.
  private func take(after chain: TurnChain) -> [Batch]? {
    alone {
      isDelivering = !waiting.isEmpty && !chain.isCutOff
      if !isDelivering, !waiting.isEmpty { _ = start(self, true) }
      guard isDelivering else { return nil }
      defer { waiting = [] }
      return waiting
    }
  }

  private func alone<Result>(_ body: () -> Result) -> Result {
    Graph.shared.arena.alone(body)
  }
}
