import Diagnostics
import Verdicts

/// Runs a scenario several times, each time with the next seed, until it fails.
///
/// The result is that of the last run, with the time of all. Its seed repeats the failure. What one
/// of the runs has exercised is exercised, and what one warns of is warned of.
func repeated(
  _ count: Int, from seed: Int, isInterrupted: () -> Bool, _ run: (Int) -> ScenarioResult
) -> ScenarioResult {
  var result = run(seed)
  var number = 1
  while number < count, result.verdict.outcome == .passed, !isInterrupted() {
    let before = result
    result = run(seed &+ number)
    result.wallMicroseconds += before.wallMicroseconds
    result.verdict.add(before.verdict)
    number += 1
  }
  if count > 1, result.verdict.outcome == .failed, !result.verdict.failures.isEmpty {
    result.verdict.failures[0].notes.append(.init("repetition", "\(number) of \(count)"))
  }
  return result
}

extension Verdict {
  /// Adds what an earlier run of the same scenario has exercised, and its warnings.
  fileprivate mutating func add(_ earlier: Verdict) {
    guard failures.isEmpty else { return }
    neverExercised.removeAll { !earlier.neverExercised.contains($0) }
    warnings = earlier.warnings + warnings.filter { !earlier.warnings.contains($0) }
    for index in coverage.indices where earlier.coverage.indices.contains(index) {
      coverage[index].isReached = coverage[index].isReached || earlier.coverage[index].isReached
    }
  }
}
