import Diagnostics
import Events
import ScenarioPlan
import ScenarioRuns
import Testing
import Values
import Verdicts

@testable import ScenarioEngine

/// A run whose stage is built and whose steps have not begun, so that a test can move one of its
/// parts.
final class BuiltStage {
  let run: ScenarioRun
  var parts: RunParts { run.parts }

  init(_ text: String) throws {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: "scenario: x\n" + text))
    try #require(loaded.diagnostics.filter { $0.severity == .error } == [])
    let plan = try #require(loaded.plans.first)
    run = ScenarioRun(
      RunParts(SharedPlan(plan), inputs: RunInputs(seed: 1), judge: ScenarioJudge(plan)))
    run.buildStage()
  }

  // The parts hold each other until the run ends.
  deinit { parts.release() }

  func node(_ name: String) throws -> NodeID {
    try #require(parts.plan.nodes.indices.first { parts.plan.nodes[$0].name == name })
  }

  /// The values that a source has emitted.
  func values(of name: String) -> [Value] {
    parts.recorder.log.events.compactMap { event in
      guard case .source(.emitted(let source, let value)) = event.kind,
        parts.plan.sources[source].name == name
      else { return nil }
      return value
    }
  }

  /// What `log` steps have written, with the time of each in milliseconds.
  var logged: [(value: Value, time: Int)] {
    parts.recorder.log.events.compactMap { event in
      guard case .script(.logged(_, let value)) = event.kind else { return nil }
      return (value, Int(event.time / 1_000))
    }
  }

  /// The problems that the run has met.
  var problems: [RunProblem] {
    parts.recorder.log.events.compactMap { event in
      if case .run(.failed(let problem)) = event.kind { problem } else { nil }
    }
  }
}
