import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Synchronization
import TestKit
import TraceRecording
import Traces
import Values
import Verdicts

/// A run of the corpus with the trace it leaves.
struct TracedRun {
  var run: JudgedRun
  var text: String

  /// Runs a scenario and records it. Paths begin at the folder of the golden traces.
  init(_ corpusRun: CorpusRun, in world: WorldKind = .mock) {
    let plan = corpusRun.plan
    let seed = plan.seed ?? Suite.defaultSeed
    var mask = TraceMask(plan.namedSecrets, findsTokens: false)
    let facts = RunFacts(
      by: "rehearse", row: corpusRun.row, seed: seed, world: world.name,
      isVirtual: !plan.isInRealTime && world == .mock, side: .client)
    let files = TracedFiles(corpusRun.sources)
    var header = TraceHeader(plan, facts, files, from: TracedRun.folder, &mask)
    let steps = TracedSteps(corpusRun.sources).steps(of: plan)
    header.steps = steps.listed
    let lines = WrittenLines(header)
    let places = PlaceTexts(files, TracedRun.folder, steps)
    let recorder = RunRecorder(
      plan, header, mask, places: places, write: lines.write)
    run = runScenario(
      plan, inputs: RunInputs(seed: seed, row: corpusRun.row), sources: corpusRun.sources,
      in: world, recorders: [recorder])
    recorder.finish(run.verdict, run.verdict.failures, in: corpusRun.sources)
    text = String(decoding: lines.bytes, as: UTF8.self)
  }

  static let folder = "scenarios/traces"

  /// Returns the runs of a file that can be recorded alike each time.
  static func runs(of path: String) -> [CorpusRun] {
    Corpus.runs(of: Corpus.load(path)).filter { !$0.plan.isInRealTime && $0.plan.skip == nil }
  }

  /// Returns these runs with their traces. Each is recorded once, for all suites that read it.
  static func recorded(_ path: String) -> [RecordedRun] {
    let file = files.withLock { files in
      let file = files[path] ?? RecordedFile(path)
      files[path] = file
      return file
    }
    return file.runs
  }

  private static let files = Mutex<[String: RecordedFile]>([:])
}

/// A run of the corpus and its trace.
struct RecordedRun: Sendable {
  var run: CorpusRun
  var trace: String
  var outcome: Verdict.Outcome
  /// The log of the recorded run as text.
  var log: [String]
}

/// The recorded runs of a file, which are made when they are first asked for.
private final class RecordedFile: Sendable {
  private let path: String
  private let made = Mutex<[RecordedRun]?>(nil)

  init(_ path: String) { self.path = path }

  var runs: [RecordedRun] {
    made.withLock { made in
      let runs = made ?? TracedRun.runs(of: path).map(RecordedFile.record)
      made = runs
      return runs
    }
  }

  private static func record(_ run: CorpusRun) -> RecordedRun {
    let traced = TracedRun(run)
    return RecordedRun(
      run: run, trace: traced.text, outcome: traced.run.verdict.outcome,
      log: lines(of: traced.run.log))
  }
}

private final class WrittenLines {
  private var writer = TraceWriter()
  private(set) var bytes: [UInt8] = []

  init(_ header: TraceHeader) { bytes = writer.write(header).bytes }

  func write(_ line: TraceLine) { bytes += writer.write(line, splits: false).bytes }
}
