import Synchronization
import TextSearch

/// Wakes a scenario that is served, so that it looks whether it is interrupted. Without it, an idle
/// scenario would have to look again and again.
package final class ServingBell: Sendable {
  private struct State {
    var wake: (@Sendable () -> Void)?
    /// True if it was rung while nothing could be woken.
    var wasRung = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Wakes the scenario from any thread.
  package func ring() {
    let wake = state.withLock { state in
      if state.wake == nil { state.wasRung = true }
      return state.wake
    }
    wake?()
  }

  /// Sets what is woken from now on, in place of what was woken before.
  package func attach(_ wake: @escaping @Sendable () -> Void) {
    let wasRung = state.withLock { state in
      defer { state.wasRung = false }
      state.wake = wake
      return state.wasRung
    }
    if wasRung { wake() }
  }
}
