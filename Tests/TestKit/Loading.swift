import Diagnostics
import Explanations
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TraceRecording
import Traces
import Values
import Verdicts

/// A text and the plan it was made into, or what there is to say against it.
package struct Loading {
  package let file: LoadedFile

  /// Variables are given by name with the text and the value of the command line; components, and
  /// all other files the text refers to, by their paths.
  package init(
    _ text: String, path: String = "a.yaml", variables: [PlanInputs.Variable] = [],
    environment: ValueMap = ValueMap(), components: [String: String] = [:]
  ) {
    var inputs = PlanInputs()
    inputs.variables = variables
    inputs.environment = environment
    file = loadScenarios(
      SourceFile(path: path, text: text), inputs: inputs, components: .inMemory(components))
  }

  package var plan: ScenarioPlan? { file.plans.first }

  package var ids: [String] { file.diagnostics.map(\.id.rawValue) }

  /// Each complaint on a line: `3:5 some-id: the message`, and behind `→` the help.
  ///
  /// A text for one rule needs no steps and no assertions, so those warnings are left out.
  package var complaints: [String] {
    file.complaints.filter { $0.id != "no-steps" }.map { diagnostic in
      "\(place(of: diagnostic)) \(diagnostic.id): \(diagnostic.message)"
        + (diagnostic.help.map { " → " + $0 } ?? "")
    }
  }

  private func place(of diagnostic: Diagnostic) -> String {
    guard let range = diagnostic.labels.first?.range, let file = file.sources.file(of: range) else {
      return "nowhere"
    }
    let place = file.place(of: Int(range.start))
    return "\(place.line):\(place.column)"
  }

  /// Runs the first scenario, with the first row of its table; nil if nothing can be run.
  package func run(
    in world: WorldKind = .mock, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) -> JudgedRun? {
    guard let plan else { return nil }
    let inputs = RunInputs(seed: 1, row: plan.rows.first, isInterrupted: isInterrupted)
    return runScenario(plan, inputs: inputs, sources: file.sources, in: world)
  }
}

extension DiagnosticPage {
  /// The texts of the files that the examples use, by their paths.
  package var fileTexts: [String: String] {
    Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
  }
}

extension Loading {
  /// Holds the first scenario against a trace.
  package func judge(_ trace: String) -> Verdict? {
    guard let plan, let run = ReadTrace(Array(trace.utf8)).runs.first else { return nil }
    let lines = MatchedLines(run, at: "a.trace.jsonl", plan, TracedFiles(file.sources))
    return ScenarioRuns.judge(
      plan, by: lines, inputs: RunInputs(seed: 1), sources: file.sources
    ).verdict
  }
}

extension LoadedFile {
  /// The complaints about a text for one rule, which need not assert anything. A note is none.
  package var complaints: [Diagnostic] {
    diagnostics.filter { $0.id != "no-assertions" && $0.severity != .note }
  }
}
