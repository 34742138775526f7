import Synchronization

/// The threads that work side by side may be shared out among pieces of work that lie inside each
/// other: files, the runs of one file, what is found in these runs.
///
/// A worker that has nothing to do, or that waits for others, helps with what is left elsewhere. So
/// one long piece at the end does not leave the others without work.
package final class Workers: Sendable {
  /// Below zero while a worker that waited goes on before the one that took its place is done.
  private let free: Mutex<Int>

  /// - Parameter jobs: The most threads that work at once, the calling one among them.
  package init(_ jobs: Int) { free = Mutex(max(0, jobs - 1)) }

  /// Takes a worker that has nothing to do; false if there is none.
  func take() -> Bool {
    free.withLock { free in
      guard free > 0 else { return false }
      free -= 1
      return true
    }
  }

  /// Gives back a worker that was taken.
  func giveBack() { free.withLock { $0 += 1 } }

  /// Waits, and lets another thread work meanwhile.
  func replacingCaller(whileItWaits wait: () -> Void) {
    giveBack()
    wait()
    free.withLock { $0 -= 1 }
  }
}
