import Glibc
import Synchronization

/// The mapped files of traces that were completed, for traces that begin.
///
/// To make a file and to map it takes longer than a small scenario takes to run. So a trace that is
/// small is copied into its own file when it is complete, and the mapped file gets the name of the
/// next trace: that of a run under way, should the process be killed. Until then it has a name of
/// this process alone, since others may record the same scenario.
package final class SpareFiles: Sendable {
  /// A file, and the name that it has on the disk.
  private struct Spare: @unchecked Sendable {
    // Only one run has a file at a time.
    let file: GrowingFile
    let path: String
  }

  private struct State {
    var spares: [Spare] = []
    /// The number of files that were kept, for their names.
    var count = 0
  }

  private let state = Mutex(State())

  package init() {}

  deinit { removeAll() }

  /// Returns an empty file at a path; nil if none is left, or if it cannot go there.
  func take(for path: String) -> GrowingFile? {
    guard let spare = state.withLock({ $0.spares.popLast() }) else { return nil }
    guard rename(spare.path, path) == 0 else {
      unlink(spare.path)
      return nil
    }
    if spare.file.isAt(path) { return spare.file }
    // What had this name is of another process, which took the name for its own file.
    unlink(path)
    return nil
  }

  /// Keeps a file that is at a path, without its contents.
  func keep(_ file: GrowingFile, at path: String) {
    // Who records the same scenario may have given its file this name.
    guard file.isAt(path) else { return }
    file.clear()
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    let spare = Spare(file: file, path: folder + ".spare-\(getpid())-\(number).partial")
    guard rename(path, spare.path) == 0 else {
      unlink(path)
      return
    }
    state.withLock { $0.spares.append(spare) }
  }

  /// Removes the files, which no run needs any more.
  package func removeAll() {
    let all = state.withLock { state in
      defer { state.spares = [] }
      return state.spares
    }
    for spare in all { unlink(spare.path) }
  }
}
