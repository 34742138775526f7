import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioSpec
import Secrets
import TraceRecording
import Traces
import Verdicts
import World

extension SweepRehearsal {
  /// The run without a disturbance, to compare others with.
  ///
  /// Runs in memory are done again to record them, since they are the same again. Those of programs
  /// may not be: they are recorded while they run, as bytes of a trace.
  func recordedGoodRun() -> TraceRun? { read(world.hasPrograms ? recording : record([])) }

  /// Returns the run without a disturbance beside one with disturbances, as a fact of a report.
  func comparison(
    of good: TraceRun?, with disturbances: [Disturbance], recorded bytes: [UInt8]?
  ) -> [Diagnostic.Fact] {
    let differences = differences(of: good, with: disturbances, recorded: bytes)
    let lines = differences?.sideBySide(titles: "without", "disturbed") ?? []
    return lines.isEmpty ? [] : [.init("runs", lines.joined(separator: "\n"))]
  }

  func differences(
    of good: TraceRun?, with disturbances: [Disturbance], recorded bytes: [UInt8]?
  ) -> TraceDifferences? {
    guard let good, let other = read(world.hasPrograms ? bytes : record(disturbances)) else {
      return nil
    }
    return TraceDifferences(good, other)
  }

  private func read(_ bytes: [UInt8]?) -> TraceRun? { bytes.flatMap { ReadTrace($0).onlyRun } }

  /// Makes the recording of a run that is about to begin.
  func makeRecording() -> CourseRecording {
    CourseRecording(relaxed.plan, inputs, sources, in: world)
  }

  /// Makes the recording of a run for a report.
  func makeTimeline(hiding fileMask: SecretMask) -> TimelineRecording {
    let (header, mask) = CourseRecording.head(relaxed.plan, inputs, sources, in: world)
    return TimelineRecording(
      relaxed.plan, inputs.row, header, mask, in: sources, hiding: fileMask)
  }

  /// Returns the timeline of another run without a disturbance.
  func goodTimeline(hiding fileMask: SecretMask) -> RunTimeline {
    let recording = makeTimeline(hiding: fileMask)
    return recording.finish(run([], [recording.recorder]).0, [])
  }

  private func record(_ disturbances: [Disturbance]) -> [UInt8] {
    let recording = makeRecording()
    return recording.finish(run(disturbances, [recording.recorder]).0)
  }
}

/// The recording of one run of a sweep, for a comparison with another.
struct CourseRecording {
  let recorder: RunRecorder
  private let kept: KeptTrace
  private let sources: SourceMap

  init(
    _ plan: ScenarioPlan, _ inputs: RunInputs, _ sources: SourceMap, in world: SweepWorld,
    namesEvents: Bool = false
  ) {
    let (header, mask) = CourseRecording.head(plan, inputs, sources, in: world)
    let kept = KeptTrace(header)
    recorder = RunRecorder(plan, header, mask, namesEvents: namesEvents, write: kept.write)
    self.kept = kept
    self.sources = sources
  }

  /// Returns the header of a recording, and what it hides.
  fileprivate static func head(
    _ plan: ScenarioPlan, _ inputs: RunInputs, _ sources: SourceMap, in world: SweepWorld
  ) -> (TraceHeader, TraceMask) {
    var facts = RunFacts(
      by: "rehearse \(programVersion)", row: inputs.row, seed: inputs.seed,
      world: WorldName.mock.rawValue, isVirtual: !world.isInRealTime, side: .client)
    facts.runsPrograms = !plan.programs.isEmpty
    var secrets = plan.namedSecrets
    secrets.add(plan.secretTexts(of: inputs.row), names: plan.secretNames)
    // The comparison of two runs is shown.
    let outside =
      inputs.options.showsCredentials
      ? OutsideParties() : OutsideParties(of: plan, inputs.row, in: world.kind, sources)
    var mask = TraceMask(plan, from: outside, secrets)
    let header = TraceHeader(
      plan, facts, TracedFiles(sources), from: "", &mask, isWritten: false)
    return (header, mask)
  }

  /// Ends the recording, and returns it as the bytes of a trace.
  func finish(_ log: EventLog) -> [UInt8] {
    recorder.finish(Verdict(.passed, duration: log.events.last?.time ?? 0), [], in: sources)
    return kept.bytes
  }
}
