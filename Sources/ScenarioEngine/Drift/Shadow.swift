import Events
import ScenarioPlan
import Values
import World

/// Whose script is followed without acting.
protocol Shadow: AnyObject {
  var driftChecker: DriftChecker { get }
  /// Whose captures the script sees.
  var branch: BranchID { get }
  /// Performs a step without acting; nil if the step does what it always does.
  func follow(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow?
  /// The script would let this time pass; here it takes none.
  func passes(_ duration: Microseconds)
}

extension Shadow {
  /// Steps that mean the same wherever a script is followed; what comes after a step that cannot
  /// be followed is not known.
  func followQuietly(_ step: StepPlan, in script: ScriptRun) -> ScriptRun.Flow? {
    switch step.kind {
    case .acting(let acting): return followQuietly(acting, in: script)
    case .structure(let structure): return followQuietly(structure, in: script)
    case .action(.emit): return .next
    case .action(.fail): return nil
    case .assertion, .mock: return .waits
    }
  }

  private func followQuietly(_ acting: ActingStep, in script: ScriptRun) -> ScriptRun.Flow {
    switch acting {
    case .set(let writes):
      driftChecker.write(writes, in: script)
      return .next
    case .transaction(let body):
      script.enter(body)
      return .next
    case .send, .terminate, .connect, .disconnect, .serve, .network, .request, .refresh, .sql,
      .load:
      return .waits
    }
  }

  private func followQuietly(_ structure: StructureStep, in script: ScriptRun) -> ScriptRun.Flow? {
    switch structure {
    case .wait(let duration):
      guard let duration, let length = try? evaluate(duration, in: script).get() else {
        return .waits
      }
      passes(length)
      return .next
    case .repeat, .forEach, .if, .attempt: return nil
    case .parallel, .include: return .waits
    }
  }
}
