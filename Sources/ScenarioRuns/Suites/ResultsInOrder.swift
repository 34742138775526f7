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
  let shared = SharedWork(items, isInterrupted, work)
  let threads = (1..<max(1, min(jobs, items.count))).compactMap { _ in
    startThread { shared.run() }
  }
  shared.run()
  for thread in threads { pthread_join(thread, nil) }
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

  func run() {
    while !isInterrupted(), let place = take() {
      let result = work(items[place])
      state.withLock { $0.results[place] = result }
    }
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
