import Glibc
import Synchronization

/// What runs on a thread: the open tracking scope, and the rules. None of it lasts longer than a
/// call, so no graph depends on a thread.
///
/// Only its thread uses it, and each new watcher reads it. So nothing checks the accesses.
final class ThreadState {
  @exclusivity(unchecked) var scope: AnyCancellable?
  /// Where the watchers of the open scope wait, if it is one of an actor.
  @exclusivity(unchecked) var turn: DeliveryTurn?
  @exclusivity(unchecked) var isMarked = false
  /// The graph of the innermost group that runs.
  @exclusivity(unchecked) var groupGraph: Graph?
  /// The graphs whose rules, groups and handlers run on this thread, the innermost last. Optimised
  /// builds keep only the shared one.
  @exclusivity(unchecked) var running: [Arena] = []

  static var current: ThreadState {
    if let known = pthread_getspecific(key) {
      return Unmanaged<ThreadState>.fromOpaque(known).takeUnretainedValue()
    }
    let state = ThreadState()
    pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
    return state
  }

  /// Lends the state to a helper thread while this thread waits for it.
  static func lend(_ state: ThreadState, to body: () -> Void) {
    pthread_setspecific(key, Unmanaged.passUnretained(state).toOpaque())
    body()
    pthread_setspecific(key, nil)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { state in
      if let state { Unmanaged<ThreadState>.fromOpaque(state).release() }
    }
    return key
  }()
}

/// The number of threads with a mark.
private let marks = Atomic<Int>(0)

/// A mark that code leaves for its caller on the same thread.
package enum ThreadMark {
  /// Leaves the mark.
  package static func set() {
    let thread = ThreadState.current
    if thread.isMarked { return }
    thread.isMarked = true
    marks.add(1, ordering: .relaxed)
  }

  /// Returns whether the mark was left, and removes it.
  package static func take() -> Bool {
    if marks.load(ordering: .relaxed) == 0 { return false }
    let thread = ThreadState.current
    guard thread.isMarked else { return false }
    thread.isMarked = false
    marks.subtract(1, ordering: .relaxed)
    return true
  }
}
