import LiveWorld
import Synchronization
import TextSearch

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
/// The calling thread works in any case, helped by the workers that have nothing else to do.
package func resultsInOrder<Item: Sendable, Result: Sendable>(
  of items: [Item], by workers: Workers, isInterrupted: @escaping @Sendable () -> Bool = { false },
  _ work: @escaping @Sendable (Item) -> Result
) -> [Result] {
  let items = ItemWork(items, isInterrupted, work)
  workers.open(items)
  while items.left > 0 { items.performNext() }
  workers.close(items)
  if items.isUnderWay { workers.replacingCaller { items.awaitEnd() } }
  return items.results
}

private final class ItemWork<Item: Sendable, Result: Sendable>: OpenWork {
  private struct State: Sendable {
    var next = 0
    var underWay = 0
    var isAwaited = false
    var results: [Int: Result] = [:]
  }

  private let items: [Item]
  private let isInterrupted: @Sendable () -> Bool
  private let work: @Sendable (Item) -> Result
  private let state = Mutex(State())
  private let ended = ThreadSignal()

  init(
    _ items: [Item], _ isInterrupted: @escaping @Sendable () -> Bool,
    _ work: @escaping @Sendable (Item) -> Result
  ) {
    self.items = items
    self.isInterrupted = isInterrupted
    self.work = work
  }

  var left: Int { isInterrupted() ? 0 : state.withLock { items.count - $0.next } }

  func performNext() {
    guard !isInterrupted(), let place = take() else { return }
    let result = work(items[place])
    let isLast = state.withLock { state in
      state.results[place] = result
      state.underWay -= 1
      return state.isAwaited && state.underWay == 0
    }
    if isLast { ended.send() }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      defer { state.next += 1 }
      state.underWay += 1
      return state.next
    }
  }

  /// True while somebody is doing an item.
  var isUnderWay: Bool { state.withLock { $0.underWay > 0 } }

  /// Waits for the items that others are doing.
  func awaitEnd() {
    let isUnderWay = state.withLock { state in
      state.isAwaited = true
      return state.underWay > 0
    }
    guard isUnderWay else { return }
    repeat { ended.wait() } while self.isUnderWay
  }

  var results: [Result] {
    state.withLock { state in items.indices.compactMap { state.results[$0] } }
  }
}
