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

/// The pages of `rehearse explain` about worlds without programs. Their examples are command lines.
package let programWorldPages = [
  DiagnosticPage(
    id: "programs-not-served", title: "Served endpoints and programs",
    text: """
      `rehearse serve` waits for clients that you start. With `--forever` it leaves out the steps
      and the programs; otherwise the steps would miss their programs.
      """,
    wrong: "rehearse serve client.scenario.yaml",
    right: "rehearse serve client.scenario.yaml --forever"),
  DiagnosticPage(
    id: "replay-of-programs", title: "A trace without what programs did",
    text: """
      A replay starts no programs: their lines and ends come from the trace. The header of this
      trace names no `programs`. An older version wrote it, or the scenario had no programs then.
      Record it again. `rehearse judge` judges the lines that it has.
      """,
    wrong: "rehearse replay client.trace.jsonl",
    right: "rehearse run client.scenario.yaml --record"),
]
