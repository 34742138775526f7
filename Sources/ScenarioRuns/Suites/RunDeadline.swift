import Diagnostics
import ScenarioEngine
import Values
import Verdicts

/// The real time that a scenario may take, and then its `finally`.
package struct RunDeadline: Sendable {
  package let limit: Microseconds
  private let finallyTime: Microseconds
  private let began: Int

  package init(
    of limit: Microseconds, then finallyTime: Microseconds, from began: Int = wallClock()
  ) {
    self.limit = limit
    self.finallyTime = finallyTime
    self.began = began
  }

  package var isReached: Bool { wallClock() - began >= Int(limit) }
  /// True if there is no more time for `finally` either.
  package var isOver: Bool { wallClock() - began >= Int(limit) + Int(finallyTime) }
}

extension RunInputs {
  /// Ends runs as an interruption does when a limit of time is reached.
  mutating func end(at limit: RunDeadline) {
    isInterrupted = { [isInterrupted] in isInterrupted() || limit.isReached }
    isOutOfTime = { [isOutOfTime] in isOutOfTime() || limit.isOver }
  }

  /// Runs a scenario with a limit of real time, if there is one, and names the limit in the failure
  /// of a run that has reached it.
  func limited(
    to maxTime: Microseconds?, then finallyTime: Microseconds,
    _ run: (RunInputs) -> ScenarioResult
  ) -> ScenarioResult {
    guard let maxTime else { return run(self) }
    let limit = RunDeadline(of: maxTime, then: finallyTime)
    var limited = self
    limited.end(at: limit)
    var result = run(limited)
    if isInterrupted() { return result }
    result.verdict.failures = result.verdict.failures.map {
      $0.id == "interrupted" ? .maxTime(maxTime, $0) : $0
    }
    return result
  }
}

extension ScenarioResult {
  /// Returns the result with the limit named, if that of the whole suite has ended the run.
  func naming(_ deadline: RunDeadline?) -> ScenarioResult {
    guard let deadline, deadline.isReached else { return self }
    var result = self
    result.verdict.failures = result.verdict.failures.map {
      $0.id == "interrupted" ? .deadline(deadline.limit, $0) : $0
    }
    return result
  }
}

// The failures of runs that were interrupted by a limit of time.
extension Diagnostic {
  fileprivate static func maxTime(_ time: Microseconds, _ failure: Diagnostic) -> Diagnostic {
    Diagnostic(
      "max-time", "the scenario took longer than `--max-time \(durationText(time))`",
      labels: failure.labels, notes: failure.notes,
      help: "allow it more time, or find out what it waits for with `--log -`")
  }

  fileprivate static func deadline(_ time: Microseconds, _ failure: Diagnostic) -> Diagnostic {
    Diagnostic(
      "deadline", "the time of `--deadline \(durationText(time))` ended during this scenario",
      labels: failure.labels, notes: failure.notes,
      help: "allow the run more time, or divide it with `--shard`")
  }
}
