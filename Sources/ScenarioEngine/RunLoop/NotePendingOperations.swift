import Events
import ScenarioPlan
import Values

extension ScenarioRun {
  /// Adds to the log what nobody has ended, where there is any: connections that stay, requests
  /// without an answer, and those that are about to be tried again.
  func notePendingOperations() {
    let ours = clients.pendingOperations + connections.pendingOperations
    let ends = ours + (isServing ? servers.flatMap(\.pendingOperations) : [])
    guard !ends.isEmpty else { return }
    cause = nil
    note(.run(.pendingAtEnd(ends)))
  }
}
