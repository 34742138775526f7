import Diagnostics
import Traces
import Verdicts

/// The noise that two recordings of one flow have, for the file beside the first of them.
struct LearnedNoise {
  private let comparison: ReplayComparison
  private let file: Int32

  /// Compares a trace with another recording. Noise that is known already stays.
  ///
  /// - Parameter file: The number of the trace among the texts.
  init(_ run: TraceRun, _ other: TraceRun, _ rules: ReplayRules, in file: Int32) {
    var rules = rules
    rules.noise.learns = true
    var comparison = ReplayComparison(run, rules)
    comparison.learn(from: other)
    self.comparison = comparison
    self.file = file
  }

  var places: Set<NoisePlace> { comparison.noise.places }

  /// The difference apart from noise; nil if there is no difference.
  var difference: Diagnostic? {
    guard let first = comparison.divergences.first else { return nil }
    let place = first.recorded.map { comparison.run.entries[$0].place } ?? comparison.run.place
    let notes = comparison.notes(on: first).map { note in
      note.name == "now" ? Diagnostic.Fact("other", note.text) : note
    }
    return Diagnostic(
      "more-than-noise", "not only noise differs: \(comparison.message(of: first))",
      labels: place.map { [.init($0.range(in: file))] } ?? [], notes: notes)
  }

  /// Reads the other recording.
  static func recording(_ path: String, _ sources: inout SourceMap) -> Diagnosed<TraceRun?> {
    switch openTrace(path) {
    case .failure(let problem): return Diagnosed(nil, [.unreadableTrace(path, problem.message)])
    case .success(let bytes):
      let trace = ReadTrace(bytes)
      let number = sources.add(SourceFile(path: path, recording: bytes))
      let problems = trace.problems.map { $0.diagnostic(in: number) }
      guard !problems.hasErrors else { return Diagnosed(nil, problems) }
      guard let run = trace.onlyRun, run.isComplete else {
        return Diagnosed(
          nil, [.learnsFromOneRun("`\(visibleText(path))` does not hold one complete run")])
      }
      return Diagnosed(run)
    }
  }
}

extension ReplayedTraceFile {
  /// Learns noise from another recording, and writes it beside the trace.
  func learn(
    from path: String, _ known: NoiseFile, _ one: inout ReplayedCase, _ result: inout ReplayedFile
  ) {
    let other = LearnedNoise.recording(path, &result.sources)
    result.diagnostics += other.diagnostics
    guard let other = other.value else { return }
    guard run.isComplete else {
      result.diagnostics.append(
        .learnsFromOneRun("`\(visibleText(result.path))` does not hold one complete run"))
      return
    }
    let learned = LearnedNoise(run, other, rules(known), in: file)
    if let difference = learned.difference {
      one.verdict = Verdict(.failed, failures: [difference])
      return
    }
    one.verdict = Verdict(.passed)
    let places = learned.places.union(known.places)
    result.learnedNoise = places.count
    guard !places.isEmpty else { return }
    result.noiseProblem =
      writeFile(noisePath(of: result.path), NoisePlace.fileText(places))?.message
  }
}
