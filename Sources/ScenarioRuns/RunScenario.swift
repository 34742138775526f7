import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioSpec
import Values
import Verdicts
import YAMLSyntax

/// What a file's text was made into: plans ready to run, and all that is to be said about it.
package struct LoadedFile: Sendable {
  package var sources: SourceMap
  /// The scenarios without errors.
  package var plans: [ScenarioPlan]
  package var diagnostics: [Diagnostic]
}

/// Text → tree → document → plan; each stage hands on what it understood and adds its complaints.
package func loadScenarios(_ file: SourceFile, inputs: PlanInputs = PlanInputs()) -> LoadedFile {
  var sources = SourceMap()
  let tree = parseYAML(file, index: sources.add(file))
  let documents = decodeScenarios(tree.value, in: sources)
  let plans = documents.value.map { compileScenario($0, inputs: inputs) }
  return LoadedFile(
    sources: sources, plans: plans.compactMap(\.value),
    diagnostics: tree.diagnostics + documents.diagnostics + plans.flatMap(\.diagnostics))
}

/// Plan → live objects → events → verdict.
package func runScenario(_ plan: ScenarioPlan, inputs: RunInputs) -> JudgedRun {
  let judge = ScenarioJudge(plan)
  let log = runScenario(plan, inputs: inputs, judge: judge)
  return JudgedRun(log: log, judge: judge)
}

/// Everything that happened in a run, and who judged it.
package struct JudgedRun {
  package var log: EventLog
  package var judge: ScenarioJudge
}
