import Glibc
import Synchronization

/// The mapped files of traces that were completed, for traces that begin.
///
/// To make a file and to map it takes longer than a small scenario takes to run. So a trace that is
/// small is copied into its own file when it is complete, and the mapped file gets the name of the
/// next trace: that of a run under way, should the process be killed.
package final class SpareFiles: Sendable {
  /// A file, and the name that it has on the disk.
  private struct Spare: @unchecked Sendable {
    // Only one run has a file at a time.
    let file: GrowingFile
    let path: String
  }

  private let spares = Mutex<[Spare]>([])

  package init() {}

  deinit { removeAll() }

  /// Returns an empty file at a path; nil if none is left, or if it cannot go there.
  func take(for path: String) -> GrowingFile? {
    let spare = spares.withLock { spares -> Spare? in
      // Two files with one name would be one of them without a name.
      if let same = spares.firstIndex(where: { $0.path == path }) { return spares.remove(at: same) }
      return spares.popLast()
    }
    guard let spare, spare.path != path else { return spare?.file }
    if rename(spare.path, path) == 0 { return spare.file }
    unlink(spare.path)
    return nil
  }

  /// Keeps a file that is at a path, without its contents.
  func keep(_ file: GrowingFile, at path: String) {
    file.clear()
    let spare = Spare(file: file, path: path)
    spares.withLock { $0.append(spare) }
  }

  /// Removes the files, which no run needs any more.
  package func removeAll() {
    let all = spares.withLock { spares in
      defer { spares = [] }
      return spares
    }
    for spare in all { unlink(spare.path) }
  }
}
