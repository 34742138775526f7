import Glibc
import ScenarioRuns
import Values

/// The files of a scenario that is being served, and whether one of them has changed.
final class FileChanges {
  private struct Stamp: Equatable {
    var file: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      file = UInt(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  private let paths: [String]
  private var known: [Stamp?]
  private var changed: [Stamp?]?
  private var nextLook: Microseconds = 0
  /// The time between two looks at the files.
  private static let interval: Microseconds = 200_000

  init(_ paths: [String]) {
    self.paths = paths
    known = paths.map { Stamp($0) }
  }

  /// Returns whether a file has changed since it was read. A file that is still being written is
  /// not reported until it stays the same from one look to the next.
  func haveChanged() -> Bool {
    let now = Microseconds(wallClock())
    guard now >= nextLook else { return false }
    nextLook = now + FileChanges.interval
    let stamps = paths.map { Stamp($0) }
    guard stamps != known else {
      changed = nil
      return false
    }
    guard stamps == changed else {
      changed = stamps
      return false
    }
    (known, changed) = (stamps, nil)
    return true
  }
}
