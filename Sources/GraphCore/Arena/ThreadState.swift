import CThreadState
import Synchronization

/// The work on a thread: the open tracking scope, and the rules. None of it lasts longer than a
/// call, so no graph depends on a thread.
///
/// Only its thread uses it, and each new watcher reads it. So nothing checks the accesses.
final class ThreadState {
  @exclusivity(unchecked) var scope: AnyCancellable?
  /// Where new watchers wait for turns of an actor, if they do.
  @exclusivity(unchecked) var queue: DeliveryQueue?
  @exclusivity(unchecked) var isMarked = false
  /// The graph of the innermost group that runs.
  @exclusivity(unchecked) var groupGraph: Graph?
  #if DEBUG
    /// The graphs whose rules, groups and handlers run on this thread, the innermost last.
    var running: [Arena] = []
  #endif
  /// The number of rules, groups and handlers of the shared graph that run on this thread, each in
  /// the one before.
  @exclusivity(unchecked) var sharedDepth = 0

  static var current: ThreadState { place.takeUnretainedValue() }

  /// The state of this thread, without a count of its users.
  @inline(__always)
  static var place: Unmanaged<ThreadState> {
    thread_state().map { .fromOpaque($0) } ?? made()
  }

  /// The graph whose rule, group or handler runs on this thread, the innermost of several.
  /// Optimised builds know only of the shared one.
  static var runningArena: Arena? {
    #if DEBUG
      current.running.last
    #else
      place._withUnsafeGuaranteedRef { $0.sharedDepth > 0 } ? Graph.shared.arena : nil
    #endif
  }

  @inline(never)
  private static func made() -> Unmanaged<ThreadState> {
    let state = Unmanaged.passRetained(ThreadState())
    thread_state_keep(state.toOpaque()) { Unmanaged<ThreadState>.fromOpaque($0).release() }
    return state
  }

  /// Lends the state to a helper thread while this thread waits for it.
  static func lend(_ state: ThreadState, to body: () -> Void) {
    thread_state_set(Unmanaged.passUnretained(state).toOpaque())
    body()
    thread_state_set(nil)
  }
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
