import LiveWorld
import Synchronization

/// The places for runs in real time that go side by side. A run that should have fewer beside it
/// takes several.
///
/// Who comes first is served first, so that a run that takes many is not kept waiting by others
/// that take one.
package final class RunPlaces: Sendable {
  private final class Waiter: Sendable {
    let places: Int
    let hasPlaces = Atomic(false)
    let signal = ThreadSignal()

    init(_ places: Int) { self.places = places }
  }

  private struct State: Sendable {
    var free: Int
    var waiting: [Waiter] = []
  }

  /// The number of places.
  package let count: Int
  private let state: Mutex<State>

  package init(_ count: Int) {
    self.count = max(1, count)
    state = Mutex(State(free: max(1, count)))
  }

  /// Does something once so many places are free.
  func run<Result>(taking places: Int, _ body: () -> Result) -> Result {
    let places = min(places, count)
    take(places)
    defer { give(places) }
    return body()
  }

  private func take(_ places: Int) {
    let waiter: Waiter? = state.withLock { state in
      if state.waiting.isEmpty, state.free >= places {
        state.free -= places
        return nil
      }
      let waiter = Waiter(places)
      state.waiting.append(waiter)
      return waiter
    }
    guard let waiter else { return }
    while !waiter.hasPlaces.load(ordering: .acquiring) { waiter.signal.wait() }
  }

  private func give(_ places: Int) {
    state.withLock { state in
      state.free += places
      while let next = state.waiting.first, next.places <= state.free {
        state.free -= next.places
        state.waiting.removeFirst()
        next.hasPlaces.store(true, ordering: .releasing)
        next.signal.send()
      }
    }
  }
}
