import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

/// Holds a scenario against a trace: plan and lines → events → verdict. The lines are the same for
/// each row of its table.
package func judge(
  _ plan: ScenarioPlan, by lines: MatchedLines, inputs: RunInputs, sources: SourceMap,
  rerun: String? = nil
) -> JudgedTrace {
  var inputs = inputs
  inputs.complete(for: plan)
  if lines.recording.isOfThisScenario,
    let disturbed = DisturbedReplay(plan, lines.header, inputs, sources, recorders: [])
  {
    // Its expectations wait no longer than they did, since the script then went on.
    let log = lines.numbered(disturbed.log(as: .judged(lines.recording)))
    return JudgedTrace(verdict: disturbed.verdict(on: log), log: log)
  }
  // An event may come at any time before the trace ends.
  let judged = plan.changed { $0.timeout = .max / 4 }
  let judge = ScenarioJudge(judged)
  let rehearsal = Rehearsal(
    of: SharedPlan(judged), inputs: inputs, judge: judge,
    hiding: OutsideParties(of: plan, inputs.row, recordedIn: lines.header, sources))
  let log = lines.numbered(rehearsal.run(as: .judged(lines.recording)))
  // Warnings quote these lines, also if the scenario holds.
  if !lines.late.isEmpty || !lines.undeclared.isEmpty { judge.readCredentials(of: log) }
  var verdict = judge.verdict(on: log, sources: sources, rerun: rerun)
  verdict.failures = verdict.failures.noting(leftOutOf: lines.header)
  if verdict.outcome == .passed {
    verdict.warnings += judge.warningsOfTrace(beside: verdict.neverExercised)
  }
  return JudgedTrace(verdict: verdict, log: log)
}

/// The verdict on a trace, and the events that it was judged by.
package struct JudgedTrace: Sendable {
  package var verdict: Verdict
  package var log: EventLog
}

/// A source of a trace that a scenario does not declare.
package struct UndeclaredSource: Sendable, Equatable {
  package var name: String
  /// The number of its events.
  package var count: Int
  /// The place of the first one.
  package var first: TracePlace

  /// Makes one of whose events none has been counted.
  fileprivate init(_ name: String, _ entry: TraceReader.Entry) {
    self.name = name
    count = 0
    first = entry.place
  }
}

/// The lines of a trace, matched with the sources of a plan.
package struct MatchedLines: Sendable {
  package let path: String
  fileprivate let header: TraceHeader
  private(set) var recording: Recording
  /// The sources that the scenario does not declare, in the order of their names.
  package private(set) var undeclared: [UndeclaredSource] = []
  /// Lines whose values cannot be read.
  package private(set) var problems: [UnreadableTraceValue] = []
  /// Lines that nothing can read.
  package private(set) var stray = StrayLines()
  /// True if a time of day ends what is judged, and the trace has none.
  package private(set) var lacksDate = false
  /// The lines that come too late for the order of their times.
  package private(set) var late: [TracePlace] = []
  /// The place of each recorded event.
  private var places: [TracePlace] = []
  private var sentTexts = SentTexts()
  /// Where the steps of the trace stand now.
  private var steps = JudgedSteps()

  /// - Parameters:
  ///   - files: Those of the scenario.
  ///   - end: When events begin to ask for no answer.
  ///   - place: Returns where a line stands in the file that people know.
  ///   - body: Returns the file of a large value, by its hash.
  package init(
    _ trace: TraceRun, at path: String, _ plan: ScenarioPlan, _ files: TracedFiles,
    until end: AskingEnd? = nil, placedBy place: (TracePlace) -> TracePlace = { $0 },
    body: (String) -> TraceBodyFile? = { _ in nil }
  ) {
    let names = plan.namesInTraces
    let lines: [TraceReader.Entry]
    (lines, problems) = trace.lines(body, KnownSecrets(plan), place) { $0.isJudged(by: names) }
    let entries = plan.reorder.map { lines.reordered(within: $0) } ?? lines
    self.path = path
    header = trace.header
    late = entries.filter(\.isEarlier).map(\.place)
    let asksUntil = end.map { $0.time(in: entries, trace.header) } ?? .max
    lacksDate = asksUntil == nil
    recording = Recording(
      facts: TraceFacts(trace, asksUntil: asksUntil ?? .max),
      events: [], end: entries.last?.time ?? 0,
      isOfThisScenario: trace.isOf(plan, files),
      place: { placeInFile($0, files.sources) })
    if recording.isOfThisScenario { steps = JudgedSteps(trace, plan, files) }
    let marksChanges = entries.contains { $0.line.isSettled }
    var others: [String: UndeclaredSource] = [:]
    var endpoints = EndpointEvents(entries, worlds: trace.header.worlds) { name in
      names[name].map { plan.isEndpoint($0) } ?? false
    }
    for entry in entries {
      stray.note(entry)
      let line = { (number: Int) in trace.index(of: number).map { lines[$0].line } }
      if recording.isOfThisScenario, let rest = entry.line.rest(of: plan, steps, line) {
        recording.events.append(RecordedEvent(rest, time: entry.time))
        places.append(entry.place)
        continue
      }
      sentTexts.note(entry.line)
      guard let kind = entry.line.knownKind, let name = entry.line.source else { continue }
      guard let source = names[name] else {
        if entry.line.setsValue { others[name, default: UndeclaredSource(name, entry)].count += 1 }
        continue
      }
      let endsChange = !marksChanges || entry.line.isSettled
      if plan.isEndpoint(source), let value = endpoints.value(of: entry) {
        append(.emitted(source, value), entry, endsChange)
        let step = trace.requestStep(of: entry.line).map(steps.place)
        recording.events[recording.events.count - 1].requestStep = step
      } else {
        add(entry, kind, source, endsChange, isReceived: plan.isConnection(source))
      }
    }
    undeclared = others.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the events that a judge was shown, with their lines.
  fileprivate func numbered(_ log: EventLog) -> EventLog {
    var log = log
    log.traceLines = numbers(in: log)
    log.tracePath = path
    return log
  }

  /// Returns the line of each event that came from the trace.
  func numbers(in log: EventLog) -> [EventID: Int] {
    var numbers: [EventID: Int] = [:]
    var next = 0
    for event in log.events {
      while next < places.count, recording.events[next].source == nil { next += 1 }
      guard next < places.count, let source = recording.events[next].source,
        event.source == source
      else { continue }
      numbers[event.sequence] = places[next].line
      next += 1
    }
    return numbers
  }

  private mutating func add(
    _ entry: TraceReader.Entry, _ kind: TraceKind, _ source: SourceID, _ endsChange: Bool,
    isReceived: Bool
  ) {
    if let number = entry.line.subscription {
      let event =
        kind == .subscribed
        ? RecordedEvent.Kind.subscribed(source, number) : .unsubscribed(source, number)
      return append(event, entry, endsChange)
    }
    guard kind == .emitted || kind == .finished || kind == .exit else { return }
    let value: Value
    switch (entry.line.value ?? TraceValue(.null)).decoded() {
    case .success(let decoded): value = isReceived ? sentTexts.restored(decoded) : decoded
    case .failure(let problem):
      problems.append(UnreadableTraceValue(problem, entry.place))
      return
    }
    let event: RecordedEvent.Kind =
      kind == .finished
      ? .finished(source, error: value == .null ? nil : value) : .emitted(source, value)
    append(event, entry, endsChange)
  }

  private mutating func append(
    _ kind: RecordedEvent.Kind, _ entry: TraceReader.Entry, _ endsChange: Bool
  ) {
    places.append(entry.place)
    recording.events.append(
      RecordedEvent(kind, time: entry.time, endsChange: endsChange))
  }
}

extension TraceFacts {
  fileprivate init(_ trace: TraceRun, asksUntil: Microseconds) {
    self.init(
      isVirtual: trace.header.isVirtual ?? false, isComplete: trace.isComplete,
      asksUntil: asksUntil)
  }
}

extension TraceRun {
  /// Returns the place of the `request` step by which a line came; nil if none led to it.
  fileprivate func requestStep(of line: TraceLine) -> String? {
    guard let index = line.cause.flatMap({ index(of: $0) }), entries.kind(of: index) == .step
    else { return nil }
    let step = entries[index].line
    return step.value?.json["verb"] == "request" ? step.at : nil
  }
}

extension TraceLine {
  /// True if the value of the line is needed to judge a scenario with these sources.
  fileprivate func isJudged(by names: [String: SourceID]) -> Bool {
    knownKind == .read || source.map { names[$0] != nil } ?? false
  }
}

extension TraceRun {
  /// Returns the lines with their large values, and those of which one cannot be read.
  fileprivate func lines(
    _ body: (String) -> TraceBodyFile?, _ secrets: KnownSecrets,
    _ place: (TracePlace) -> TracePlace, of judged: (TraceLine) -> Bool
  ) -> (lines: [TraceReader.Entry], unreadable: [UnreadableTraceValue]) {
    var unreadable: [UnreadableTraceValue] = []
    let lines = entries.map { entry in
      var entry = entry
      entry.place = place(entry.place)
      guard judged(entry.line) else { return entry }
      switch entry.line.withBodies(body) {
      case .success(let whole): entry.line = secrets.restored(in: whole)
      case .failure(let problem):
        unreadable.append(UnreadableTraceValue(.body(problem), entry.place))
      }
      return entry
    }
    return (lines, unreadable)
  }
}

extension ScenarioPlan {
  /// The sources by the names that traces give them.
  package var namesInTraces: [String: SourceID] {
    var names: [String: SourceID] = [:]
    for (id, source) in sources.withIDs {
      switch source.kind {
      case .declared(let declared): names[declaredSources[declared].nameInTrace] = id
      case .node, .endpoint, .reactorEvents, .componentEvents, .allEvents, .stream, .connection,
        .connectivity, .program:
        names[source.name] = names[source.name] ?? id
      }
    }
    return names
  }
}

extension Event {
  /// The source that emitted or ended; nil for any other event.
  fileprivate var source: SourceID? {
    switch kind {
    case .source(.emitted(let source, _)), .source(.finished(let source, _)),
      .source(.subscribed(let source, _)), .source(.unsubscribed(let source, _)):
      source
    case .source, .run, .script, .assertion, .network: nil
    }
  }
}

extension ScenarioPlan {
  fileprivate func isEndpoint(_ source: SourceID) -> Bool {
    if case .endpoint = sources[source].kind { true } else { false }
  }

  fileprivate func isConnection(_ source: SourceID) -> Bool {
    if case .connection = sources[source].kind { true } else { false }
  }
}

extension Value {
  /// True if a part of a value of a trace is the name of a secret.
  fileprivate var hasSecret: Bool {
    switch self {
    case .string(let text): text.contains("‹")
    case .list(let elements): elements.contains(where: \.hasSecret)
    case .map(let map):
      map[TraceEncoding.secret.rawValue] != nil
        || map.contains { $0.key.hasSecret || $0.value.hasSecret }
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      false
    }
  }
}

/// Returns `line:column` of a place, which is the same wherever the file lies.
private func placeInFile(_ range: SourceRange, _ sources: SourceMap) -> String {
  guard let file = sources.file(of: range) else { return "" }
  let place = file.place(of: Int(range.start))
  return "\(place.line):\(place.column)"
}

/// The steps of a trace in the scenario that it is judged by.
private struct JudgedSteps {
  /// By place, as the trace has it: `line:column` now.
  private var moved: [String: String] = [:]
  /// The places of steps that read what they read; nil if all do.
  private var unchanged: Set<String>? = []

  init() {}

  init(_ trace: TraceRun, _ plan: ScenarioPlan, _ files: TracedFiles) {
    if files.have(filesOf: trace.header) {
      unchanged = nil
    } else if !trace.lacksSteps {
      let steps = TracedSteps(files.sources).steps(of: plan)
      let alignment = StepAlignment(trace, steps)
      moved = alignment.steps.mapValues { placeInFile($0.place.range, files.sources) }
      for at in alignment.gone { moved[at] = "gone" }
      unchanged = alignment.unchanged
    }
  }

  /// Returns `line:column` of `path:line:column`, where the step stands now.
  func place(of at: String) -> String {
    moved[at] ?? at.split(separator: ":").suffix(2).joined(separator: ":")
  }

  /// True if the step's text is the recorded one. Then its assertion reads what it read.
  func isUnchanged(at place: String) -> Bool { unchanged.map { $0.contains(place) } ?? true }
}

extension TraceLine {
  /// The number of a subscription that began or ended.
  fileprivate var subscription: Int? {
    guard knownKind == .subscribed || knownKind == .unsubscribed,
      case .int(let number)? = value?.json
    else { return nil }
    return number
  }

  /// Returns the course of the scenario if it went on here, so that nothing more followed from the
  /// step before.
  fileprivate func rest(
    of plan: ScenarioPlan, _ steps: JudgedSteps, _ lineOf: (Int) -> TraceLine?
  ) -> RecordedEvent.Kind? {
    if knownKind == .step, let at { return .step(at: steps.place(of: at)) }
    if knownKind == .phase, value?.json == "finally" { return .finallyBegan }
    if knownKind == .read, let at, value?.json["as"] == "exchanged" {
      let endpoints = Dictionary(
        plan.endpoints.withIDs.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
      let exchange = JudgedExchange(self, endpoints: endpoints, lineOf)
      return exchange.map { .exchanged(at: steps.place(of: at), $0) } ?? .rest
    }
    if knownKind == .read, let at, value?.json["as"] == "opened" {
      return .opened(
        at: steps.place(of: at), reads: steps.isUnchanged(at: at) ? plainReads : nil)
    }
    if knownKind == .problem { return failedRequest(steps) }
    if knownKind == .idle {
      guard case .int(let next)? = value?.json else { return .idle(next: nil) }
      return .idle(next: Microseconds(next))
    }
    return knownKind == .read || knownKind == .phase ? .rest : nil
  }

  /// The values that an assertion read; nil if one is a secret or cannot be read.
  private var plainReads: [Value]? {
    guard case .list(let values)? = value?.json["values"] else { return [] }
    let read = values.compactMap { value -> Value? in
      guard !value.hasSecret, case .success(let read) = TraceValue(json: value).decoded() else {
        return nil
      }
      return read
    }
    return read.count == values.count ? read : nil
  }

  /// The request of a step that got no answer; nil if the line is of another problem.
  private func failedRequest(_ steps: JudgedSteps) -> RecordedEvent.Kind? {
    guard let at, let json = value?.json, json["problem"] == "requestFailed",
      let error = json["error"]
    else { return nil }
    let decoded = try? TraceValue(json: error).decoded().get()
    return .requestFailed(
      at: steps.place(of: at), error: decoded ?? error,
      message: json["message"]?.plainText ?? "")
  }
}
