import Diagnostics
import Verdicts

/// Runs a scenario. If it fails, runs it again, at most `retries` times.
///
/// With mocks in memory each try is the same. Only sockets and real endpoints make a difference.
package func runAgain(
  atMost retries: Int, isInterrupted: () -> Bool = { false }, _ run: () -> Verdict
) -> Verdict {
  var verdict = run()
  var tries: [[Diagnostic]] = []
  while verdict.outcome == .failed, tries.count < retries, !isInterrupted() {
    tries.append(verdict.failures)
    let secrets = verdict.secrets
    verdict = run()
    verdict.secrets = secrets + verdict.secrets.filter { !secrets.contains($0) }
  }
  guard !tries.isEmpty else { return verdict }
  if verdict.outcome == .passed { verdict.outcome = .flaky }
  if verdict.outcome == .failed { return failed(verdict, after: tries) }
  verdict.tries = tries
  return verdict
}

private func failed(_ verdict: Verdict, after tries: [[Diagnostic]]) -> Verdict {
  var verdict = verdict
  let isAlike = tries.allSatisfy { $0 == verdict.failures }
  if !isAlike { verdict.tries = tries }
  let text = "failed \(tries.count + 1) times" + (isAlike ? " alike" : ", not always alike")
  if !verdict.failures.isEmpty { verdict.failures[0].notes.append(.init("tries", text)) }
  return verdict
}
