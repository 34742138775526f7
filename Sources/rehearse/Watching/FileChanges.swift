import ScenarioRuns
import Values

/// The files that something was made of, and whether one of them has changed.
final class FileChanges {
  private let reads: FileReads
  /// The states of files that a later load has seen.
  private var later: [String: FileStamp?] = [:]
  private var changed: [String: FileStamp?]?
  private var nextLook: Microseconds = 0
  /// The time between two looks at the files.
  static let interval: Microseconds = 30_000

  init(_ reads: FileReads) { self.reads = reads }

  /// Returns whether a file has changed since it was read. A file that is still being written is
  /// not reported until it stays the same from one look to the next.
  func haveChanged() -> Bool {
    let now = Microseconds(wallClock())
    guard now >= nextLook else { return false }
    nextLook = now + FileChanges.interval
    let known = reads.stamps.merging(later) { _, later in later }
    let stamps = FileChanges.look(at: known.keys)
    guard stamps != known else {
      changed = nil
      return false
    }
    guard stamps == changed else {
      changed = stamps
      return false
    }
    (later, changed) = (stamps, nil)
    return true
  }

  /// Adds the files of a load that has failed, with their states before they were read.
  func add(_ attempt: FileReads) { later.merge(attempt.stamps) { _, read in read } }

  static func look(at paths: some Sequence<String>) -> [String: FileStamp?] {
    var stamps: [String: FileStamp?] = [:]
    for path in paths { stamps.updateValue(FileStamp(path), forKey: path) }
    return stamps
  }
}
