import Diagnostics
import Glibc
import LiveWorld

/// Runs scenarios, and those that a change touches again, until the user ends it. The result is
/// that of the last run.
func watchRuns(_ arguments: RunArguments) -> ExitCode {
  Interruption.listen(finallyTime: arguments.finallyTime)
  defer { Interruption.stopListening() }
  let watched = WatchedSuite()
  // After a crash all scenarios run, and not those alone that the last change touched.
  Supervision.beginRun(isAnother: false)
  var code = runOnce(arguments, watched: watched)
  while !Interruption.wasAsked {
    Terminal.complain("watching \(counted(watched.fileCount, "file")); Ctrl-C ends")
    guard let change = watched.nextChange() else { break }
    Terminal.complain("\n" + text(of: change))
    if change.touched.isEmpty { continue }
    Supervision.beginRun(isAnother: true)
    code = runOnce(arguments, watched: watched)
  }
  return code
}

/// The most files that are named when they change at once.
private let mostNamed = 3

private func text(of change: WatchedSuite.Change) -> String {
  let named = change.paths.prefix(mostNamed).map { path in
    visibleText(path) + (access(path, F_OK) == 0 ? " has changed" : " is gone")
  }
  let more = change.paths.count - mostNamed
  let files = named.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  if change.touched.isEmpty { return files + ": no scenario runs again" }
  let scenarios = counted(change.scenarioCount, "scenario")
  return "\(files): \(scenarios) of \(counted(change.touched.count, "file")) "
    + (change.scenarioCount == 1 ? "runs again" : "run again")
}
