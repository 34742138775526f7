import Glibc
import ScenarioPlan
import Verdicts

/// What became of a file in which a snapshot is recorded.
package struct SnapshotChange: Sendable, Equatable {
  package enum Kind: Sendable {
    case written, updated
    /// No step of the scenario takes it any more; it is left where it is.
    case obsolete
  }

  package var path: String
  package var kind: Kind
}

/// A snapshot that could not be recorded.
package struct SnapshotFileProblem: Sendable, Equatable {
  package var path: String
  package var message: String
}

/// Records what runs have taken; what is as it was is not touched.
struct SnapshotRecorder {
  private(set) var changes: [SnapshotChange] = []
  private(set) var problems: [SnapshotFileProblem] = []

  /// A scenario with more snapshots than this has them by mistake.
  private static let mostFiles = 1_000

  /// Only what passed is recorded: a scenario that fails elsewhere may have gone wrong before.
  mutating func record(_ verdicts: [Verdict], of plan: ScenarioPlan) {
    let folder = plan.snapshots.folder
    let new = verdicts.filter { $0.outcome == .passed }.flatMap(\.snapshots)
      .filter { $0.change != .none }
    guard !new.isEmpty else { return }
    if new.count > SnapshotRecorder.mostFiles {
      let message = "a scenario records at most \(SnapshotRecorder.mostFiles) snapshots"
      problems.append(SnapshotFileProblem(path: folder, message: message))
      return
    }
    if let message = makeFolders(folder) {
      problems.append(SnapshotFileProblem(path: folder, message: message))
      return
    }
    for taken in new { write(taken, in: folder) }
  }

  private mutating func write(_ taken: SnapshotTaken, in folder: String) {
    let path = folder + "/" + taken.file
    if let problem = writeFile(path, taken.text) {
      problems.append(SnapshotFileProblem(path: path, message: problem.message))
    } else {
      changes.append(
        SnapshotChange(path: path, kind: taken.change == .new ? .written : .updated))
    }
  }

  /// Tells of files that no run has asked for, where all runs came to their end.
  mutating func findObsolete(_ verdicts: [Verdict], of plan: ScenarioPlan) {
    guard verdicts.allSatisfy({ $0.outcome == .passed }) else { return }
    let taken = Set(verdicts.flatMap(\.snapshots).map(\.file))
    for file in plan.snapshots.contents.keys.sorted() where !taken.contains(file) {
      changes.append(SnapshotChange(path: plan.snapshots.folder + "/" + file, kind: .obsolete))
    }
  }
}

extension FileResult {
  /// Files that are not taken any more are looked for where every row was run.
  mutating func record(_ plan: ScenarioPlan, _ verdicts: [Verdict], areAll count: Int) {
    var recorder = SnapshotRecorder()
    recorder.record(verdicts, of: plan)
    if verdicts.count == count { recorder.findObsolete(verdicts, of: plan) }
    snapshotChanges += recorder.changes
    snapshotProblems += recorder.problems
  }
}

/// Makes a scenario's folder of snapshots and the one around it; nil, or why it cannot be had.
private func makeFolders(_ path: String) -> String? {
  for folder in [folder(of: path), path] {
    var status = stat()
    if lstat(folder, &status) == 0 {
      // A link would lead out of the scenario's folder.
      guard status.st_mode & S_IFMT == S_IFDIR else { return "it is no folder" }
    } else if mkdir(folder, 0o755) != 0, errno != EEXIST {
      return lastSystemError()
    }
  }
  return nil
}
