import Diagnostics
import Events
import ScenarioPlan
import Values

/// A `retry` under way, or how it stood at its end.
package struct RetryState: Sendable {
  package var assertion: AssertionID
  /// The time of the first try.
  package var began: Microseconds
  package var tries = 0
  /// The time at which the next try begins, unless this one decides.
  var nextTry: Microseconds = 0
  /// The captured values before the first try.
  var captures: PerID<CapturePlan, Value?> = []
  /// The failure of the current try, if the `retry` has no `until`.
  var failure: Failure?
}

/// Judging the tries of a `retry`.
extension AssertionState {
  /// Judges an attempt. If it decides nothing, the assertion waits until the next attempt is due.
  mutating func tried(
    _ retry: RetryPlan, _ assertion: AssertionID, _ step: StepReference, _ reads: [Value],
    _ event: Event
  ) {
    let branch = step.branch
    guard let place = branches[branch].retries.lastIndex(where: { $0.assertion == assertion })
    else { return }
    branches[branch].retries.removeSubrange((place + 1)...)
    branches[branch].retries[place].tries += 1
    schedule(retry, assertion, in: branch, place, from: event.time)
    let state = branches[branch].retries[place]
    let open = OpenAssertion(
      assertion, step, at: event, base: branches[branch].base, inputSnapshot: reads)
    branches[branch].open = open
    load(open)
    decide(open, retry, state)
    if open.state != .waiting { branches[branch].retries.removeLast() }
  }

  /// Sets the time of the next try: after the pause, or when the server of the last answer wants to
  /// be asked again, but within the time for all tries.
  private mutating func schedule(
    _ retry: RetryPlan, _ assertion: AssertionID, in branch: BranchID, _ place: Int,
    from now: Microseconds
  ) {
    let span = assertions[assertion].within ?? plan.timeout
    let last = later(branches[branch].retries[place].began, by: span)
    branches[branch].retries[place].nextTry = max(
      later(now, by: retry.every), min(branches[branch].notBefore, last))
    branches[branch].notBefore = 0
  }

  private mutating func decide(_ open: OpenAssertion, _ retry: RetryPlan, _ state: RetryState) {
    if let failIf = retry.failIf, slots.evaluate(failIf).isNotFalse {
      return fail(open, .aborted(readCondition(failIf), state), at: open.openedAt)
    }
    let span = assertions[open.assertion].within ?? plan.timeout
    let isLast =
      later(open.openedAt, by: retry.every) > timeLimit(span, from: state.began).end
    guard let until = retry.until else { return decide(open, state, isLast: isLast) }
    if holds(until) { return close(open, .met) }
    if isLast { fail(open, .gaveUp(readCondition(until), state, span: span), at: open.openedAt) }
  }

  /// Decides a try by its own requests and checks. Captures of a failed try are forgotten.
  private mutating func decide(_ open: OpenAssertion, _ state: RetryState, isLast: Bool) {
    guard var failure = state.failure else { return close(open, .met) }
    let branch = open.step.branch
    branches[branch].captures = state.captures
    branches[branch].retries[branches[branch].retries.count - 1].failure = nil
    guard isLast else { return }
    failure.tries = Failure.Tries(count: state.tries, began: state.began, ended: open.openedAt)
    failures.append(failure)
    close(open, .failed)
  }

  /// Keeps a failure for the end of the try in which it happened. Returns false if it is not the
  /// failure of a try.
  mutating func failsTry(_ failure: Failure, in branch: BranchID?) -> Bool {
    guard failure.kind.canFailTry, let branch, branches.indices.contains(branch),
      let retry = branches[branch].retries.last,
      case .retry(let plan) = assertions[retry.assertion].kind, plan.until == nil
    else { return false }
    branches[branch].retries[branches[branch].retries.count - 1].failure = failure
    // A `retry` is one assertion, however often its steps were tried.
    if failure.assertion != nil { assertionsReached -= 1 }
    return true
  }
}

extension Failure.Kind {
  /// True if a `retry` without `until` tries again after a failure of this kind.
  fileprivate var canFailTry: Bool {
    switch self {
    case .state(.check), .conversation(.unexpectedAnswer), .conversation(.slowAnswer),
      .problem(.requestFailed):
      true
    case .expectation, .diagram, .state, .step, .conversation, .drift, .problem: false
    }
  }
}

extension Result where Success == Value {
  /// True unless the condition is false. A condition without a boolean result must not pass for
  /// false.
  fileprivate var isNotFalse: Bool {
    if case .success(.bool(false)) = self { false } else { true }
  }
}

/// The text about retries that are exhausted.
extension FailureWriter {
  func gaveUp(
    _ failure: Failure, _ reading: ConditionReading, _ retry: RetryState, _ span: Microseconds
  ) -> Diagnostic {
    var diagnostic =
      if case .failure(let reason) = reading.result {
        noValue(failure, "the condition", reason, reading)
      } else {
        Diagnostic(
          "gave-up", "the condition did not hold after any try within \(durationText(span))",
          labels: [.init(reading.expression, text(of: reading, failure))],
          facts: facts(of: reading))
      }
    diagnostic.notes += tried(retry, failure)
    return diagnostic
  }

  func aborted(_ failure: Failure, _ reading: ConditionReading, _ retry: RetryState) -> Diagnostic {
    var diagnostic =
      if case .failure(let reason) = reading.result {
        noValue(failure, "`failIf`", reason, reading)
      } else {
        aborted(failure, reading)
      }
    diagnostic.notes += tried(retry, failure)
    return diagnostic
  }

  private func aborted(_ failure: Failure, _ reading: ConditionReading) -> Diagnostic {
    guard case .success(.bool(true)) = reading.result else {
      return Diagnostic(
        "hopeless", "the condition of `failIf` is neither true nor false",
        labels: [.init(reading.expression, text(of: reading, failure))], facts: facts(of: reading))
    }
    let turn = turnText(failure.step).map { ", \($0)" } ?? ""
    return Diagnostic(
      "hopeless", "the condition of `failIf` holds at \(durationText(failure.time))",
      labels: [.init(reading.expression, "is true\(turn)")], facts: facts(of: reading))
  }

  /// `3 times, 0ms to 2s`.
  private func tried(_ retry: RetryState, _ failure: Failure) -> [Diagnostic.Fact] {
    tried(Failure.Tries(count: retry.tries, began: retry.began, ended: failure.time))
  }

  func tried(_ tries: Failure.Tries) -> [Diagnostic.Fact] {
    let end = durationText(tries.ended)
    let span = tries.began == tries.ended ? "at \(end)" : "\(durationText(tries.began)) to \(end)"
    return note("tried", "\(counted(tries.count, "time")), \(span)")
  }
}
