import Events
import ScenarioPlan
import Values

/// A `retry` under way: which try it is, and when the first one began.
struct Retrying {
  let assertion: AssertionID
  let began: Microseconds
  let step: StepReference
  /// Counts from 1.
  var turn = 1
}

/// Steps that are repeated until a condition holds.
///
/// In a scenario, each attempt is logged and the judge decides. In an action there is no judge:
/// exhausted retries are an error that `try` can catch.
extension ScriptRun {
  func retry(_ assertion: AssertionID, _ body: ScriptID, _ step: StepPlan) -> Flow {
    let reference = StepReference(
      verb: step.verb, range: step.verbRange, branch: branch, turns: turns,
      includes: includes)
    if isMainScript { run.recorder.record(.assertion(.opened(assertion, reference, reads: []))) }
    let retrying = Retrying(
      assertion: assertion, began: run.loop.now, step: reference)
    enter(body, .retrying(retrying))
    return .next
  }

  /// Evaluates the conditions after the steps of one attempt.
  func evaluateConditions(of retrying: Retrying, in body: ScriptID) -> Flow {
    isMainScript ? askJudge(retrying, body) : evaluateLocally(retrying, body)
  }

  private func askJudge(_ retrying: Retrying, _ body: ScriptID) -> Flow {
    var reference = retrying.step
    reference.turns.append(retrying.turn)
    let reads = readings(of: retrying.assertion)
    run.recorder.caused(by: nil) {
      _ = run.recorder.record(.assertion(.checked(retrying.assertion, reference, reads: reads)))
    }
    switch run.judge.status(in: branch) {
    case .met: return .next
    case .failed:
      run.supervisor.stop()
      return .waits
    case .retried: return .next
    case .pending(let time): return tryAgain(retrying, body, at: time ?? run.loop.now)
    }
  }

  private func tryAgain(_ retrying: Retrying, _ body: ScriptID, at time: Microseconds) -> Flow {
    var next = retrying
    next.turn += 1
    enter(body, .retrying(next))
    return wait(time - run.loop.now)
  }

  private func evaluateLocally(_ retrying: Retrying, _ body: ScriptID) -> Flow {
    guard case .retry(let retry) = run.plan.assertions[retrying.assertion].kind else {
      return .next
    }
    if let failIf = retry.failIf {
      switch evaluateCondition(failIf, in: self) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(false): break
      case .success(true):
        return .fails(retriesExhausted(retrying, "failIf", "the condition of `failIf` holds"))
      }
    }
    guard let until = retry.until else { return .next }
    if case .success(true) = evaluateCondition(until, in: self) { return .next }
    return goOn(retrying, retry, body)
  }

  private func goOn(_ retrying: Retrying, _ retry: RetryPlan, _ body: ScriptID) -> Flow {
    let span = run.plan.assertions[retrying.assertion].within ?? run.plan.timeout
    let (next, isNever) = run.loop.now.addingReportingOverflow(retry.every)
    guard !isNever, next - retrying.began - run.loop.slack <= span else {
      let tries = retrying.turn == 1 ? "1 try" : "\(retrying.turn) tries"
      let message = "the condition did not hold after \(tries)"
      return .fails(retriesExhausted(retrying, "timeout", message))
    }
    let time = max(next, min(notBefore, retrying.began + span))
    notBefore = 0
    return tryAgain(retrying, body, at: time)
  }

  /// Returns the failure that a `catch` sees as `error`.
  private func retriesExhausted(_ retrying: Retrying, _ reason: String, _ message: String)
    -> ScriptFailure
  {
    let error: Value = [
      "reason": .string(reason), "message": .string(message), "tries": .int(retrying.turn),
    ]
    return ScriptFailure(
      error: error,
      problem: .actionFailed(action, error: error, range: retrying.step.range))
  }
}
