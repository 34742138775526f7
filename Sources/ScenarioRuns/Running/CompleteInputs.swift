import ScenarioEngine
import ScenarioPlan

extension RunInputs {
  /// Returns the inputs with all that a run of this plan needs: files, and the row's name if the
  /// plan takes snapshots.
  func completed(for plan: ScenarioPlan) -> RunInputs {
    var inputs = withFilesOnDisk()
    if let row, plan.takesSnapshots { inputs.rowName = ScenarioRuns.rowName(row, of: plan) }
    return inputs
  }

  /// Returns the inputs of a run that reads its files from the disk.
  func withFilesOnDisk() -> RunInputs {
    var inputs = self
    inputs.readFile = { [willRead] path in
      willRead?(path)
      return ScenarioRuns.readFile(path).mapError {
        FileFailure(isMissing: $0.isMissing, message: $0.message)
      }
    }
    return inputs
  }
}
