import Glibc
import Synchronization
import TextSearch

/// The mapped files of traces that were completed, for traces that begin.
///
/// To make a file and to map it takes longer than a small scenario takes to run. So a trace that is
/// small is copied into its own file when it is complete, and the mapped file gets the name of the
/// next trace: that of a run under way, should the process be killed. Until then it keeps its name
/// and holds zero bytes, since each name costs as much as some lines.
package final class SpareFiles: Sendable {
  /// A file, and the name that it has on the disk.
  private struct Spare: @unchecked Sendable {
    // Only one run has a file at a time.
    let file: GrowingFile
    let path: String

    /// Removes the name, unless another process took it for a file of its own.
    func remove() { if file.isAt(path) { unlink(path) } }
  }

  private struct State {
    var spares: [Spare] = []
    /// The folder that was made last.
    var folder = ""
  }

  private let state = Mutex(State())

  package init() {}

  deinit { removeAll() }

  /// Returns an empty file at a path; nil if none is left, or if it cannot go there.
  func take(for path: String) -> GrowingFile? {
    guard let spare = state.withLock({ $0.spares.popLast() }) else { return nil }
    // Who records the same scenario may have given its own file this name.
    guard spare.file.isAt(spare.path) else { return nil }
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
    file.clear()
    state.withLock { $0.spares.append(Spare(file: file, path: path)) }
  }

  /// Makes a folder, unless it was the last one that was asked for. Returns the reason if it cannot
  /// be made.
  func makeFolder(_ path: Substring) -> String? {
    if state.withLock({ $0.folder == path }) { return nil }
    if let problem = ScenarioRuns.makeFolder(path) { return problem }
    state.withLock { $0.folder = String(path) }
    return nil
  }

  /// Removes the files, which no run needs any more.
  package func removeAll() {
    let all = state.withLock { state in
      defer { state.spares = [] }
      return state.spares
    }
    for spare in all { spare.remove() }
  }
}
