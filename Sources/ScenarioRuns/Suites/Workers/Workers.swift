import LiveWorld
import Synchronization

/// The threads that work side by side may be shared out among pieces of work that lie inside each
/// other: files, their scenarios, the runs of one scenario, what is found in these runs.
///
/// A worker that has nothing to do, or that waits for others, helps with what is left elsewhere. So
/// one long piece at the end does not leave the others without work.
package final class Workers: Sendable {
  private struct State {
    /// Below zero while a worker that waited goes on before the one that took its place is done.
    var free: Int
    /// The work that has been begun and is not done, in the order of its beginning.
    var open: [any OpenWork] = []

    /// The work that lies deepest, so that what was begun first is not joined by more of its kind.
    var next: (any OpenWork)? { open.last { $0.left > 0 } }
  }

  private let state: Mutex<State>

  /// - Parameter jobs: The most threads that work at once, the calling one among them.
  package init(_ jobs: Int) { state = Mutex(State(free: max(0, jobs - 1))) }

  /// Lets other workers help with this work: those that have nothing to do at once, the others when
  /// they are done.
  func open(_ work: any OpenWork) {
    let helpers = state.withLock { state in
      state.open.append(work)
      let helpers = max(0, min(state.free, work.left - 1))
      state.free -= helpers
      return helpers
    }
    for _ in 0..<helpers { startHelper() }
  }

  func close(_ work: any OpenWork) { state.withLock { $0.open.removeAll { $0 === work } } }

  /// Waits, and lets another thread work meanwhile.
  func replacingCaller(whileItWaits wait: () -> Void) {
    startHelper()
    wait()
    state.withLock { $0.free -= 1 }
  }

  /// Starts a thread that helps, and is a free worker when nothing is left.
  private func startHelper() {
    let work = nextWork()
    guard let work else { return }
    let isStarted = startDetachedThread {
      var next: (any OpenWork)? = work
      while let work = next {
        work.performNext()
        next = self.nextWork()
      }
    }
    if !isStarted { state.withLock { $0.free += 1 } }
  }

  /// Returns what a worker does next; nil if it has nothing to do, or takes the place of one that
  /// has waited and goes on. It is free then.
  private func nextWork() -> (any OpenWork)? {
    state.withLock { state in
      if state.free >= 0, let work = state.next { return work }
      state.free += 1
      return nil
    }
  }
}

/// Work of several items, with which any worker may help.
protocol OpenWork: AnyObject, Sendable {
  /// The number of items that nobody has begun.
  var left: Int { get }

  /// Does the next item, if one is left.
  func performNext()
}
