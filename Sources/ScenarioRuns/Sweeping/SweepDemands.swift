import Diagnostics
import ScenarioPlan
import Verdicts

extension ScenarioPlan {
  /// The warning about a sweep in which no course of a program can fail; none if one can.
  package var warningsOfSweep: [Diagnostic] {
    let demandsEnd = !sweep.same.isEmpty || !lastAwaited.checks.isEmpty || sweep.demandsExpect
    let demandsMore = sweep.never != nil || !invariants.isEmpty
    return programs.isEmpty || demandsEnd || demandsMore ? [] : [.sweepDemandsNothing(self)]
  }
}

extension Diagnostic {
  fileprivate static func sweepDemandsNothing(_ plan: ScenarioPlan) -> Diagnostic {
    Diagnostic(
      "sweep-demands-nothing", severity: .warning,
      "no course can fail here, unless the program crashes", labels: [.init(plan.range)],
      help: "add a `check` behind the last `expect`, or `sweep: { same: [client.total] }`")
  }
}
