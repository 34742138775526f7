import Diagnostics
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

/// One run of a trace with its scenario: replays it, and words the result.
struct ReplayedTraceFile {
  let run: TraceRun
  let scenario: ScenarioOfTrace
  let plan: ScenarioPlan
  /// The steps of the trace beside those of the scenario; nil if the scenario is what it was, or if
  /// the trace does not say what its steps are.
  private let alignment: StepAlignment?
  let options: ReplayOptions
  /// The number of the trace among the texts.
  let file: Int32

  init(
    _ run: TraceRun, _ scenario: ScenarioOfTrace, _ plan: ScenarioPlan, _ options: ReplayOptions,
    _ file: Int32
  ) {
    self.run = run
    self.scenario = scenario
    self.plan = plan
    self.options = options
    self.file = file
    alignment =
      scenario.changedFiles.isEmpty || run.lacksSteps ? nil : StepAlignment(run, scenario.steps)
  }

  func replay(into result: inout ReplayedFile) {
    let seed = run.header.seed ?? plan.seed ?? Suite.defaultSeed
    var one = ReplayedCase(
      plan: plan, row: scenario.row, seed: seed, verdict: Verdict(.skipped(reason: "")))
    defer { if result.diagnostics.isEmpty { result.result = one } }
    if let skip = plan.skip {
      one.verdict = Verdict(.skipped(reason: skip))
      return
    }
    let noise = NoiseFile.read(beside: result.path, &result.sources)
    result.diagnostics += unreadableValues(result.path) + noise.diagnostics
    result.diagnostics += placesNotInTrace(noise.value)
    guard result.diagnostics.isEmpty else { return }
    if let until = options.choice.until, run.entry(until) == nil {
      result.diagnostics.append(.eventNotReached(until, run, in: file))
      return
    }
    if let other = options.choice.learns { return learn(from: other, noise.value, &one, &result) }
    if !options.choice.answers.isEmpty { return changeAnswers(noise.value, &one, &result) }
    if let steps = options.choice.then, let event = options.choice.until {
      return goOn(with: steps, from: event, noise.value, &one, &result)
    }
    let replayed = replayed(result.path, noise.value, inputs(seed), until: options.choice.until)
    one.verdict = replayed.verdict
    if let until = options.choice.until {
      one.shown = stage(of: replayed)
      one.verdict = stopped(replayed, at: until)
      return
    }
    conclude(&one, replayed, result)
    if replayed.comparison.noise.count > 0 {
      one.verdict.warnings.append(
        .passedNoise(replayed.comparison.noise.count, noisePath(of: result.path)))
    }
    if options.updates { update(&one, replayed, &result) }
  }

  /// The complaints about inputs that have no value, as when the file of a body is missing.
  private func unreadableValues(_ path: String) -> [Diagnostic] {
    let resolver = TraceResolver(body: { readBody($0, of: path) })
    return run.unreadableInputs(resolver).map { $0.diagnostic(in: file) }
  }

  /// The rules of a comparison, with the noise of the trace.
  func rules(_ noise: NoiseFile) -> ReplayRules {
    var rules = plan.replayRules(for: run.header)
    rules.noise = noise.rules(plan)
    return rules
  }

  /// The complaints about noise at places that the trace does not have.
  private func placesNotInTrace(_ noise: NoiseFile) -> [Diagnostic] {
    guard !noise.places.isEmpty else { return [] }
    return ReplayComparison(run, rules(noise)).placesNotInTrace(noise.places).map { place in
      .noiseNotInTrace(place, noise.ranges[place])
    }
  }

  func inputs(_ seed: Int) -> RunInputs {
    var inputs = RunInputs(
      seed: seed, row: scenario.row, isInterrupted: options.isInterrupted)
    inputs.options.showsCredentials = options.choice.showsCredentials
    return inputs
  }

  /// Replays the trace, or its part up to an event.
  func replayed(
    _ path: String, _ noise: NoiseFile, _ inputs: RunInputs, until: Int?
  ) -> ReplayedRun {
    var settings = ReplaySettings()
    settings.folder = enclosingFolder(of: path)
    settings.resolver = TraceResolver(body: { readBody($0, of: path) })
    settings.keepsLines = options.updates || until != nil
    settings.until = until
    settings.noise = noise.rules(plan)
    settings.alignment = alignment
    settings.steps = scenario.steps
    settings.headers = headersNow
    return ScenarioRuns.replay(
      plan, by: run, inputs: inputs, sources: scenario.loaded.sources, settings)
  }
}

// The verdict.
extension ReplayedTraceFile {
  func conclude(
    _ one: inout ReplayedCase, _ replayed: ReplayedRun, _ result: ReplayedFile
  ) {
    let comparison = replayed.comparison
    if !options.updates { one.verdict.warnings += warningsOfChanges(result.sources) }
    for index in comparison.visits.brokenAt.values.sorted() {
      one.verdict.warnings.append(.bytesNotRecorded(run.entries[index].place, in: file))
    }
    if comparison.reordered > 0, comparison.divergences.isEmpty {
      one.verdict.warnings.append(.otherOrder(comparison.reordered, run.place, in: file))
    }
    if let first = comparison.divergences.first {
      one.hasDiverged = true
      if options.updates { return }
      one.verdict.outcome = .failed
      one.verdict.failures = [divergence(first, comparison, result)] + reasons(first, replayed)
    } else if !run.isComplete {
      // What failed then, failed since the rest of the inputs is missing.
      one.verdict.outcome = options.choice.allowsCut ? .passed : .failed
      one.verdict.failures = options.choice.allowsCut ? [] : [.traceIsCut(run, in: file)]
    }
  }

  /// Returns the failures of the run, if only its result differs, which does not explain why.
  private func reasons(_ divergence: Divergence, _ replayed: ReplayedRun) -> [Diagnostic] {
    let kind = divergence.now?.knownKind
    let isReason = kind == .assertion || kind == .verdict
    return isReason ? replayed.verdict.failures.noting(leftOutOf: run.header) : []
  }

  private func divergence(
    _ divergence: Divergence, _ comparison: ReplayComparison, _ result: ReplayedFile
  ) -> Diagnostic {
    let entry = divergence.recorded ?? divergence.after
    let place = entry.map { run.entries[$0].place } ?? run.place
    var notes = comparison.notes(on: divergence)
    if let source = source(of: divergence, comparison, result.sources) {
      notes.insert(.init("source", source), at: min(notes.count, 2))
    }
    if !scenario.changedFiles.isEmpty {
      notes.append(.init("note", "the scenario is not the one that was recorded any more"))
      notes += changedSteps(result.sources)
    }
    let moved = options.choice.scenario.map { " --scenario \(shellQuoted($0))" } ?? ""
    notes.append(.init("accept", "rehearse replay \(shellQuoted(result.path))\(moved) --update"))
    return Diagnostic(
      "replay-diverged", comparison.message(of: divergence),
      labels: place.map { [.init($0.range(in: file))] } ?? [], notes: notes)
  }

  /// The warnings that the scenario is not the one that was recorded, which `--update` settles.
  private func warningsOfChanges(_ sources: SourceMap) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    if !scenario.changedFiles.isEmpty {
      var warning = Diagnostic.scenarioChanged(scenario.changedFiles, run.place, in: file)
      warning.notes += changedSteps(sources)
      warnings.append(warning)
    }
    if let title = scenario.title, !plan.isTitled(title) {
      warnings.append(.scenarioRenamed(title, plan, run.place, in: file))
    }
    if run.lacksSteps { warnings.append(.traceWithoutSteps(run.place, in: file)) }
    return warnings
  }

  /// Returns which steps of the scenario are not what they were.
  private func changedSteps(_ sources: SourceMap) -> [Diagnostic.Fact] {
    guard let alignment else { return [] }
    let changes = alignment.changes
    var facts = changes.prefix(ReplayedTraceFile.mostChanges).map { change -> Diagnostic.Fact in
      let path = change.recorded.map { $0.prefix { $0 != " " } } ?? ""
      guard let now = change.now else {
        let place = change.at.map { ", which was at \(visibleText($0))" } ?? ""
        return .init("removed", visibleText("`\(path)`") + place)
      }
      let text = lineText(now.place.range, sources) ?? ""
      return .init(change.recorded == nil ? "added" : "changed", text)
    }
    let more = changes.count - facts.count
    if more > 0 { facts.append(.init("changed", more == 1 ? "1 more step" : "\(more) more steps")) }
    return facts.isEmpty ? [.init("note", "all of its steps are what they were")] : facts
  }

  private static let mostChanges = 4

  /// Returns the line of the scenario that an event comes from: its own place, that of the step
  /// that led to it, or that of its source.
  private func source(
    of divergence: Divergence, _ comparison: ReplayComparison, _ sources: SourceMap
  ) -> String? {
    let recorded = divergence.recorded.map { run.entries[$0] }
    let line = divergence.now ?? recorded?.line
    if let name = line?.source, let id = plan.namesInTraces[name] {
      let range = plan.sourceRange(of: id)
      if let text = range.flatMap({ lineText($0, sources) }) { return text }
    }
    let causes = recorded.flatMap { TraceCauses(of: $0.number, in: run)?.chain } ?? []
    let at = line?.at ?? causes.lazy.compactMap(\.line.at).first
    return at.map { visibleText($0) }
  }

  private func lineText(_ range: SourceRange, _ sources: SourceMap) -> String? {
    guard let file = sources.file(of: range), let place = sources.placeText(of: range) else {
      return nil
    }
    let text = file.line(file.place(of: Int(range.start)).line).drop { $0 == " " }
    return place + "  " + visibleText(String(text.prefix(100)))
  }

  private func stopped(_ replayed: ReplayedRun, at event: Int) -> Verdict {
    var verdict = Verdict(.passed, duration: replayed.lines.last?.time ?? 0)
    guard run.entry(event) == nil || !replayed.hasReached else { return verdict }
    verdict.outcome = .failed
    verdict.failures = [.eventNotReached(event, run, in: file)]
    return verdict
  }

  private func stage(of replayed: ReplayedRun) -> String? {
    var writer = TraceWriter()
    var bytes = writer.write(run.header).bytes
    for line in replayed.lines { bytes += writer.write(line, splits: false).bytes }
    guard let made = ReadTrace(bytes).runs.first, let last = made.entries.last else { return nil }
    return TraceState(at: last.number, in: made)?.answer.text(all: true)
  }
}

// Accepting what is different.
extension ReplayedTraceFile {
  private func update(
    _ one: inout ReplayedCase, _ replayed: ReplayedRun, _ result: inout ReplayedFile
  ) {
    let header = headerNow(of: result)
    guard one.hasDiverged || header != run.header else { return }
    guard one.verdict.outcome == .passed else {
      guard !one.verdict.failures.isEmpty else { return }
      one.verdict.failures[0].notes.append(
        .init("note", "the trace was not updated, since the scenario does not hold"))
      return
    }
    var details = RecordedDetails(run) { [path = result.path] in readBody($0, of: path) }
    let trace = TraceFile(result.path)
    trace.write(header)
    for line in replayed.lines { trace.write(details.restored(in: line)) }
    trace.complete()
    result.updateProblem = trace.problem
    result.wasUpdated = trace.problem == nil
  }
}

extension ReplayedTraceFile {
  /// The headers that the scenario names now. An older trace has none of them.
  private var headersNow: [String] {
    guard run.header.hasRealEndpoints, !run.header.steps.isEmpty else { return [] }
    return TracedSteps(scenario.loaded.sources).headers()
  }

  /// Returns the header with the scenario's title, place and steps as they are now.
  private func headerNow(of result: ReplayedFile) -> TraceHeader {
    var header = run.header
    let folder = enclosingFolder(of: result.path)
    let files = TracedFiles(scenario.loaded.sources)
    var mask = TraceMask(plan.namedSecrets, findsTokens: false)
    let facts = RunFacts(
      by: "", row: scenario.row, seed: 0, world: "", isVirtual: true, side: .client)
    let now = TraceHeader(plan, facts, files, from: folder, &mask)
    if header.scenario != nil { header.scenario = now.scenario }
    header.steps = scenario.steps.listed
    header.headers += headersNow.filter { !header.headers.contains($0) }
    if !header.files.isEmpty { header.files = now.files }
    return header
  }
}

/// Returns the file of a body of a trace.
package func readBody(_ hash: String, of trace: String) -> TraceBodyFile {
  let path = bodiesFolder(of: trace) + "/" + hash
  // A trace may come from anywhere: only a hash may name a file.
  guard hash.utf8.count == 64, hash.allSatisfy(\.isHexDigit) else {
    return .unreadable(path: path, reason: "its name is no SHA-256")
  }
  switch readFile(path) {
  case .success(let bytes): return .read(bytes, path: path)
  case .failure(let problem): return .unreadable(path: path, reason: problem.message)
  }
}

extension ScenarioPlan {
  /// Returns where a source is declared.
  fileprivate func sourceRange(of source: SourceID) -> SourceRange? {
    if let connection = connections.first(where: { $0.source == source }) {
      return connection.range
    }
    if let endpoint = endpoints.first(where: { $0.source == source }) { return endpoint.range }
    return nodes.first { $0.source == source }?.range
  }
}
