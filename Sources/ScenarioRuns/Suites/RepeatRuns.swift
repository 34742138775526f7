import Diagnostics
import Verdicts

/// Runs a scenario several times, each time with the next seed, until it fails.
///
/// The result is that of the last run, with the time of all. Its seed repeats the failure.
func repeated(
  _ count: Int, from seed: Int, isInterrupted: () -> Bool, _ run: (Int) -> ScenarioResult
) -> ScenarioResult {
  var result = run(seed)
  var number = 1
  while number < count, result.verdict.outcome == .passed, !isInterrupted() {
    let time = result.wallMicroseconds
    result = run(seed &+ number)
    result.wallMicroseconds += time
    number += 1
  }
  if count > 1, result.verdict.outcome == .failed, !result.verdict.failures.isEmpty {
    result.verdict.failures[0].notes.append(.init("repetition", "\(number) of \(count)"))
  }
  return result
}
