import Events
import ScenarioPlan
import Values

/// The mock of a real endpoint, whose script is followed without acting. What the script would send
/// is compared with what the endpoint sends.
protocol Shadow: AnyObject {
  var driftChecker: DriftChecker { get }
  /// The branch whose captures the script sees.
  var branch: BranchID { get }
  /// Performs a step without acting; nil if the step does what it always does.
  func follow(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow?
  /// Notes a time that the script would let pass; here it takes none.
  func passes(_ duration: Microseconds)
}

extension Shadow {
  var run: RunParts { driftChecker.run }

  /// Performs a step that means the same in each script that is followed. After a step that cannot
  /// be followed the script waits, because the steps behind it are not known to happen.
  func followQuietly(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow? {
    switch step.kind {
    case .acting(.set(let writes)):
      driftChecker.write(writes, in: script)
      return .next
    case .acting(.transaction(let body)):
      script.enter(body)
      return .next
    case .structure(.wait(let duration)):
      guard let duration, let length = try? evaluate(duration, in: script).get() else {
        return .waits
      }
      passes(length)
      return .next
    case .structure(.log), .action(.emit): return .next
    case .structure(.parallel), .acting, .assertion, .mock: return .waits
    case .structure, .action(.fail): return nil
    }
  }
}
