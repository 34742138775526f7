import Diagnostics
import ScenarioPlan
import Traces

extension Diagnostic {
  package static func programsNotServed(_ program: ProgramPlan) -> Diagnostic {
    Diagnostic(
      "programs-not-served", "`serve` starts no programs, and the steps use them",
      labels: [.init(program.range, "this program")],
      help: "use `rehearse run`, or serve the endpoints alone: `--forever`")
  }

  static func replayOfPrograms(_ program: ProgramPlan, _ trace: TracePlace?, in file: Int32)
    -> Diagnostic
  {
    Diagnostic(
      "replay-of-programs", "the trace does not say what the programs did",
      labels: trace.map { [.init($0.range(in: file))] } ?? []
        + [.init(program.range, "this program")],
      help: "record it again, with `rehearse run --record`")
  }
}
