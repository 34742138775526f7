import Diagnostics
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

/// The recorded run of a scenario in which it passed. A failed run is compared with it.
struct GoodRun {
  private let path: String
  private let run: TraceRun

  /// Reads a trace; nil if there is none, or if it is not of one complete run that passed.
  init?(at path: String) {
    guard case .success(let bytes) = readFile(path), let run = ReadTrace(bytes).onlyRun,
      run.isComplete, run.entries.last?.line.value?.json["outcome"] == "passed"
    else { return nil }
    self.path = path
    self.run = run
  }

  /// Adds where a failed run left this one first to its first failure.
  ///
  /// The run is done again to record it: with mocks in memory, it is the same.
  func explain(
    _ verdict: inout Verdict, _ plan: ScenarioPlan, _ inputs: RunInputs, _ facts: RunFacts,
    _ sources: SourceMap
  ) {
    guard !verdict.failures.isEmpty else { return }
    let folder = enclosingFolder(of: path)
    var mask = TraceMask(plan.namedSecrets, findsTokens: false)
    let files = TracedFiles(sources)
    let header = TraceHeader(plan, facts, files, from: folder, &mask)
    let places = PlaceTexts(files, folder)
    let kept = KeptTrace(header)
    let recorder = RunRecorder(
      plan, header, mask, places: places, write: kept.write)
    let again = runScenario(plan, inputs: inputs, sources: sources, recorders: [recorder])
    recorder.finish(again.verdict, again.verdict.failures, in: sources)
    guard let now = ReadTrace(kept.bytes).onlyRun else { return }
    let notes = TraceDifferences(run, now).notes(onLeaving: path)
    let place = verdict.failures[0].notes.firstIndex { $0.name == Diagnostic.Fact.rerun }
    verdict.failures[0].notes.insert(
      contentsOf: notes, at: place ?? verdict.failures[0].notes.count)
  }
}

/// A trace in memory.
final class KeptTrace {
  private var writer = TraceWriter()
  private(set) var bytes: [UInt8]

  init(_ header: TraceHeader) { bytes = writer.write(header).bytes }

  /// Large values are split off as in the file, and only their hashes compared.
  func write(_ line: TraceLine) { bytes += writer.write(line).bytes }
}
