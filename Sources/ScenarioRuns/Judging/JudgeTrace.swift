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
    let log = lines.log { disturbed.log(as: $0) }
    return JudgedTrace(verdict: disturbed.verdict(on: log), log: log)
  }
  // An event may come at any time before the trace ends.
  let judged = SharedPlan(plan.changed { $0.timeout = .max / 4 })
  func judgedOnce(keepingAll: Bool) -> (judge: ScenarioJudge, log: EventLog) {
    let judge = ScenarioJudge(judged.plan)
    let rehearsal = Rehearsal(
      of: judged, inputs: inputs, judge: judge,
      hiding: OutsideParties(of: plan, inputs.row, recordedIn: lines.header, sources))
    return (judge, lines.log(keepingAll: keepingAll) { rehearsal.run(as: $0) })
  }
  var (judge, log) = judgedOnce(keepingAll: false)
  if !judge.failures.isEmpty, log.count > log.events.count {
    // A failure may be about any event: the trace is read once more, and all are kept.
    (judge, log) = judgedOnce(keepingAll: true)
  }
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
  init(_ name: String, _ entry: TraceReader.Entry) {
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
  /// Stands before the first line.
  private let matcher: LineMatcher
  private let found: LineMatcher.Findings
  /// True if a time of day ends what is judged, and the trace has none.
  package private(set) var lacksDate = false

  /// The sources that the scenario does not declare, in the order of their names.
  package var undeclared: [UndeclaredSource] {
    found.undeclared.sorted { $0.key < $1.key }.map(\.value)
  }
  /// Lines whose values cannot be read.
  package var problems: [UnreadableTraceValue] { found.problems }
  /// Lines that nothing can read.
  package var stray: StrayLines { found.stray }
  /// The first lines that come too late for the order of their times.
  package var late: [TracePlace] { found.late }

  /// - Parameters:
  ///   - files: Those of the scenario.
  ///   - end: When events begin to ask for no answer.
  ///   - place: Returns where a line stands in the file that people know.
  ///   - body: Returns the file of a large value, by its hash.
  package init(
    _ trace: TraceRun, at path: String, _ plan: ScenarioPlan, _ files: TracedFiles,
    until end: AskingEnd? = nil,
    placedBy place: @escaping @Sendable (TracePlace) -> TracePlace = { $0 },
    body: @escaping @Sendable (String) -> TraceBodyFile? = { _ in nil }
  ) {
    let lines = JudgedLines(trace, within: plan.reorder)
    let isOfThisScenario = trace.isOf(plan, files)
    self.path = path
    header = trace.header
    let asksUntil = end.map { $0.time(in: lines, trace.header) } ?? .max
    lacksDate = asksUntil == nil
    matcher = LineMatcher(
      lines, plan, isOfThisScenario ? JudgedSteps(trace, plan, files) : nil, placedBy: place,
      body: body)
    // It may have no end of lines: it is read now for its steps and for what is wrong with it, and
    // again while it is judged.
    var matcher = matcher
    var steps = RecordedSteps()
    while let event = matcher.next() { steps.note(event) }
    found = matcher.found
    recording = Recording(
      facts: TraceFacts(trace, asksUntil: asksUntil ?? .max), steps: steps,
      sources: found.sources, end: lines.last?.time ?? 0, isOfThisScenario: isOfThisScenario,
      place: { placeInFile($0, files.sources) })
  }

  /// Returns the events that a judge was shown, with their lines.
  fileprivate func log(keepingAll: Bool = true, of run: (RunRole) -> EventLog) -> EventLog {
    var recording = recording
    if !keepingAll { recording.eventsKept = EventLog.passingKept }
    var matcher = matcher
    var log = run(.judged(recording, nextPiece: { matcher.nextPiece() }))
    log.tracePath = path
    return log
  }
}

extension TraceFacts {
  fileprivate init(_ trace: TraceRun, asksUntil: Microseconds) {
    self.init(
      isVirtual: trace.header.isVirtual ?? false, isComplete: trace.isComplete,
      asksUntil: asksUntil)
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
struct JudgedSteps {
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
  /// Returns the course of the scenario if it went on here, so that nothing more followed from the
  /// step before.
  func rest(
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
