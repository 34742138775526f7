import Glibc
import ScenarioPlan
import TextSearch
import Verdicts

/// The change that recording made to the file of a snapshot.
package struct SnapshotChange: Sendable, Equatable {
  /// The kinds of changes.
  package enum Kind: Sendable {
    case written, updated
    /// No step of the scenario takes it any more. The file stays.
    case obsolete
  }

  package var path: String
  package var kind: Kind
}

/// Records the snapshots of runs. A file that would stay the same is not written.
struct SnapshotRecorder {
  private(set) var changes: [SnapshotChange] = []
  private(set) var problems: [UnwrittenFile] = []

  /// The most snapshots of a scenario. More of them are a mistake.
  private static let mostFiles = 1_000

  /// Records only runs that passed: a run that fails elsewhere may have gone wrong before.
  mutating func record(_ verdicts: [Verdict], of plan: ScenarioPlan) {
    let folder = plan.snapshots.folder
    let new = verdicts.filter { $0.outcome == .passed }.flatMap(\.snapshots)
      .filter { $0.change != .none }
    guard !new.isEmpty else { return }
    if new.count > SnapshotRecorder.mostFiles {
      let message = "a scenario records at most \(SnapshotRecorder.mostFiles) snapshots"
      problems.append(UnwrittenFile(path: folder, message: message))
      return
    }
    if let message = makeFolders(folder) {
      problems.append(UnwrittenFile(path: folder, message: message))
      return
    }
    for taken in new { write(taken, in: folder) }
  }

  private mutating func write(_ taken: SnapshotTaken, in folder: String) {
    let path = folder + "/" + taken.file
    if let problem = writeFile(path, taken.text) {
      problems.append(UnwrittenFile(path: path, message: problem.message))
    } else {
      changes.append(
        SnapshotChange(path: path, kind: taken.change == .new ? .written : .updated))
    }
  }

  /// Adds the files that no run has used, if all runs have ended.
  mutating func findObsolete(_ verdicts: [Verdict], of plan: ScenarioPlan) {
    guard verdicts.allSatisfy({ $0.outcome == .passed }) else { return }
    let taken = Set(verdicts.flatMap(\.snapshots).map(\.file))
    for file in plan.snapshots.contents.keys.sorted() where !taken.contains(file) {
      changes.append(SnapshotChange(path: plan.snapshots.folder + "/" + file, kind: .obsolete))
    }
  }
}

extension FileResult {
  /// Records a scenario. Files without a step are looked for only if every row has run.
  mutating func record(_ plan: ScenarioPlan, _ verdicts: [Verdict], areAll count: Int) {
    var recorder = SnapshotRecorder()
    recorder.record(verdicts, of: plan)
    if verdicts.count == count { recorder.findObsolete(verdicts, of: plan) }
    snapshotChanges += recorder.changes
    snapshotProblems += recorder.problems
  }
}

/// Makes a scenario's folder of snapshots and the folder around it. Returns what prevents that.
private func makeFolders(_ path: String) -> String? {
  for folder in [enclosingFolder(of: path), path] {
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
