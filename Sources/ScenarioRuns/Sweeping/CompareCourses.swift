import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioSpec
import TraceRecording
import Traces
import Values
import Verdicts
import World

extension SweepRehearsal {
  /// Returns the run without a disturbance beside one with disturbances, as a fact of a report.
  ///
  /// Both are done again to record them: a run in virtual time is the same. Those in real time are
  /// not, so that there is no comparison.
  func comparison(with disturbances: [Disturbance]) -> [Diagnostic.Fact] {
    guard !world.isInRealTime else { return [] }
    guard let good = recordedRun([]), let disturbed = recordedRun(disturbances) else { return [] }
    let lines = TraceDifferences(good, disturbed).sideBySide(titles: "without", "disturbed")
    return lines.isEmpty ? [] : [.init("runs", lines.joined(separator: "\n"))]
  }

  private func recordedRun(_ disturbances: [Disturbance]) -> TraceRun? {
    let plan = relaxed.plan
    let facts = RunFacts(
      by: "rehearse \(programVersion)", row: inputs.row, seed: inputs.seed,
      world: WorldName.mock.rawValue, isVirtual: true, side: .client)
    let secrets = plan.secrets + plan.secretTexts(of: inputs.row)
    var mask = TraceMask(secrets, names: plan.secretNames, findsTokens: false)
    let header = TraceHeader(plan, facts, TracedFiles(sources), from: "", &mask)
    let kept = KeptTrace(header)
    let recorder = RunRecorder(plan, header, mask, place: { _ in nil }, write: kept.write)
    let log = run(disturbances, [recorder]).0
    recorder.finish(Verdict(.passed, duration: log.events.last?.time ?? 0), [], in: sources)
    return ReadTrace(kept.bytes).onlyRun
  }
}
