import ScenarioEngine
import ScenarioPlan

extension RunInputs {
  /// Adds all that a run of this plan needs: files, and the row's name if the plan takes snapshots.
  mutating func complete(for plan: ScenarioPlan) {
    readFilesOnDisk()
    if let row, plan.takesSnapshots { rowName = ScenarioRuns.rowName(row, of: plan) }
  }

  /// Makes a run read its files from the disk.
  mutating func readFilesOnDisk() {
    readFile = { [willRead] path in
      willRead?(path)
      return ScenarioRuns.readFile(path).mapError {
        FileFailure(isMissing: $0.isMissing, message: $0.message)
      }
    }
  }
}
