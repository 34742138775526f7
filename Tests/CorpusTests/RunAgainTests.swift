import Diagnostics
import ScenarioRuns
import Testing
import Verdicts

/// The verdict after several tries of one scenario.
@Suite struct RunAgainTests {
  private static let late = Verdict(.failed, failures: [Diagnostic("too-late", "late")])
  private static let wrong = Verdict(.failed, failures: [Diagnostic("check-failed", "wrong")])
  private static let passed = Verdict(.passed)

  static let runs: [(retries: Int, tries: [Verdict], taken: Int, outcome: Verdict.Outcome)] = [
    (0, [late, passed], 1, .failed), (3, [passed, late], 1, .passed),
    (2, [late, passed, late], 2, .flaky), (2, [late, wrong, passed], 3, .flaky),
    (2, [late, late, late, passed], 3, .failed),
    (2, [Verdict(.skipped(reason: "")), passed], 1, .skipped(reason: "")),
  ]

  @Test(arguments: runs)
  func `a scenario that failed is run again until it passes or has been run often enough`(
    retries: Int, tries: [Verdict], taken: Int, outcome: Verdict.Outcome
  ) {
    var count = 0
    let verdict = runAgain(atMost: retries) {
      count += 1
      return tries[count - 1]
    }
    #expect(count == taken)
    #expect(verdict.outcome == outcome)
    #expect(verdict.tries.count == (outcome == .flaky ? taken - 1 : 0))
  }

  @Test(arguments: [
    ([late, late], "failed 2 times alike"), ([late, wrong], "failed 2 times, not always alike"),
  ])
  func `a failure says how often it occurred`(tries: [Verdict], text: String) {
    var left = tries[...]
    let verdict = runAgain(atMost: 1) { left.removeFirst() }
    #expect(verdict.failures[0].notes.map(\.text) == [text])
  }

  @Test func `an interrupted run is not tried again`() {
    let verdict = runAgain(atMost: 5, isInterrupted: { true }, { RunAgainTests.late })
    #expect(verdict.failures == RunAgainTests.late.failures)
  }
}
