import Glibc
import LiveWorld
import Synchronization

/// Does a piece of work for each item, several at once. The results have the order of the items.
///
/// After an interruption, no further item is begun.
package func resultsInOrder<Item: Sendable, Result: Sendable>(
  of items: [Item], jobs: Int, isInterrupted: @escaping @Sendable () -> Bool = { false },
  _ work: @escaping @Sendable (Item) -> Result
) -> [Result] {
  resultsInOrder(of: items, by: Workers(jobs), isInterrupted: isInterrupted, work)
}

/// Does the same with workers that others may use as well.
///
/// The calling thread works in any case. Before each item it takes the workers that are free.
package func resultsInOrder<Item: Sendable, Result: Sendable>(
  of items: [Item], by workers: Workers, isInterrupted: @escaping @Sendable () -> Bool = { false },
  _ work: @escaping @Sendable (Item) -> Result
) -> [Result] {
  let shared = SharedWork(items, isInterrupted, work)
  shared.run(by: workers)
  return shared.results
}

private final class SharedWork<Item: Sendable, Result: Sendable>: Sendable {
  private struct State: Sendable {
    var next = 0
    var results: [Int: Result] = [:]
  }

  private let items: [Item]
  private let isInterrupted: @Sendable () -> Bool
  private let work: @Sendable (Item) -> Result
  private let state = Mutex(State())

  init(
    _ items: [Item], _ isInterrupted: @escaping @Sendable () -> Bool,
    _ work: @escaping @Sendable (Item) -> Result
  ) {
    self.items = items
    self.isInterrupted = isInterrupted
    self.work = work
  }

  func run(by workers: Workers) {
    var helpers: [pthread_t] = []
    while !isInterrupted(), let place = take() {
      recruit(from: workers, into: &helpers, atMost: items.count - place - 1)
      perform(place)
    }
    guard !helpers.isEmpty else { return }
    workers.replacingCaller { for helper in helpers { pthread_join(helper, nil) } }
  }

  /// Starts a thread for each free worker. A thread ends when no item is left, so that none of
  /// those that were started has ended as long as there are items.
  private func recruit(from workers: Workers, into helpers: inout [pthread_t], atMost most: Int) {
    while helpers.count < most, workers.take() {
      let helper = startThread {
        self.help()
        workers.giveBack()
      }
      guard let helper else { return workers.giveBack() }
      helpers.append(helper)
    }
  }

  private func help() {
    while !isInterrupted(), let place = take() { perform(place) }
  }

  private func perform(_ place: Int) {
    let result = work(items[place])
    state.withLock { $0.results[place] = result }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  var results: [Result] {
    state.withLock { state in items.indices.compactMap { state.results[$0] } }
  }
}
