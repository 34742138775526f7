import Events
import Testing
import Values
import Verdicts

@testable import ScenarioPlan

/// The outcomes of `retry`: met, another try, given up, aborted.
@Suite struct RetryTests {
  @Test func `a try after which the condition does not hold is followed by a pause`() {
    let run = Rehearsal("a")
    run.set("a", 1)
    let retry = run.retry(until: "a == 3", every: 100)
    run.at(40)
    run.look(retry)
    #expect(run.status() == .pending(until: 140_000))
    run.set("a", 3)
    run.at(140)
    run.look(retry)
    #expect(run.status() == .met)
    #expect(run.judge.assertionsMet == 1)
  }

  static let ends: [(every: Int64, within: Int64?, last: Int64, outcome: String)] = [
    (1000, nil, 4000, "pending"), (1000, nil, 4001, "gaveUp"), (10, 30, 20, "pending"),
    (10, 30, 21, "gaveUp"), (6000, nil, 0, "gaveUp"), (.max / 1000, nil, 0, "gaveUp"),
  ]

  @Test(arguments: ends)
  func `it gives up when the next try would begin after the time is up`(
    every: Int64, within: Int64?, last: Int64, outcome: String
  ) {
    let run = Rehearsal("a")
    run.set("a", 1)
    let retry = run.retry(until: "a == 3", every: every, within: within)
    run.at(last)
    run.look(retry)
    #expect(run.outcome == outcome)
  }

  static let looks: [(value: Value, outcome: String)] = [
    (1, "pending"), (2, "met"), (3, "aborted"), (4, "aborted"), ("text", "aborted"),
  ]

  @Test(arguments: looks)
  func `what makes further tries useless counts before what they are made for`(
    value: Value, outcome: String
  ) {
    let run = Rehearsal("a")
    run.set("a", value)
    run.look(run.retry(until: "a == 2 || a == 3", failIf: "a > 2", every: 100))
    #expect(run.outcome == outcome)
  }

  @Test func `an error of the condition is only reported at the end`() {
    let run = Rehearsal("a")
    run.set("a", "text")
    let retry = run.retry(until: "a > 1", every: 1000)
    run.look(retry)
    #expect(run.outcome == "pending")
    run.at(5000)
    run.look(retry)
    #expect(run.judge.verdict(on: run.log).failures.first?.id == "evaluation-failed")
  }

  @Test func `a look that nothing was opened for is passed over`() {
    let run = Rehearsal("a")
    run.set("a", 1)
    let retry = run.retry(until: "a == 1", every: 100)
    run.look(retry)
    run.look(retry)
    #expect(run.judge.assertionsMet == 1)
    #expect(run.judge.failures.isEmpty)
  }
}

extension Rehearsal {
  fileprivate func retry(
    until: String, failIf: String? = nil, every: Int64, within: Int64? = nil
  ) -> AssertionID {
    let (verb, start) = begin("retry")
    text += " { until: "
    let until = expression(until)
    text += ", failIf: "
    let failIf = failIf.map { expression($0) }
    text += " }\n"
    let (length, overflow) = every.multipliedReportingOverflow(by: 1000)
    let plan = RetryPlan(until: until, failIf: failIf, every: overflow ? .max : length)
    return open(.retry(plan), "retry", verb, start, within, 0, [])
  }
}
