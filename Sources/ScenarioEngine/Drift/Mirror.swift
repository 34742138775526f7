import Events
import ScenarioPlan
import Values
import World

/// Whose script is followed without acting.
protocol Mirror: AnyObject {
  var driftChecker: DriftChecker { get }
  /// Whose captures the script sees.
  var branch: BranchID { get }
  /// Performs a step without acting; nil if the step does what it always does.
  func follow(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow?
  /// The script would let this time pass; here it takes none.
  func passes(_ duration: Microseconds)
}

extension Mirror {
  /// Steps that mean the same wherever a script is followed; what comes after a step that cannot
  /// be followed is not known.
  func followQuietly(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow? {
    switch step.kind {
    case .set(let writes):
      driftChecker.write(writes, in: script)
      return .next
    case .transaction(let body):
      script.enter(body)
      return .next
    case .emit: return .next
    case .wait(let duration):
      guard let duration, let length = try? evaluate(duration, in: script).get() else {
        return .waits
      }
      passes(length)
      return .next
    case .repeat, .forEach, .if, .attempt, .fail: return nil
    case .send, .terminate, .connect, .disconnect, .serve, .act, .receive,
      .network, .request, .refresh, .sql, .load, .respond, .parallel, .include, .assert, .retry,
      .fails, .ignore:
      return .waits
    }
  }
}
