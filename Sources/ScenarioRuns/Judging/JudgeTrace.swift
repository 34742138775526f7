import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Traces
import Values
import Verdicts

/// A trace that was read to be judged.
package struct ReadTrace: Sendable {
  package var path: String
  package var header = TraceHeader()
  package var entries: [TraceReader.Entry] = []
  package var problems: [TraceProblem] = []
  /// The place after which the trace was cut.
  package var cut: TracePlace?

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    for item in TraceReader.read(bytes) {
      switch item {
      case .header(let header, _): self.header = header
      case .line(let entry): entries.append(entry)
      case .problem(let problem): problems.append(problem)
      case .cut(let place): cut = place
      }
    }
  }

  /// True if the trace holds its run to the end.
  var isComplete: Bool { cut == nil && entries.last?.line.knownKind == .verdict }
}

/// Holds a scenario against a trace: plan and trace → events → verdict.
package func judge(
  _ plan: ScenarioPlan, by trace: ReadTrace, inputs: RunInputs, sources: SourceMap,
  rerun: String? = nil
) -> JudgedTrace {
  var judged = plan
  // An event may come at any time before the trace ends.
  judged.timeout = .max / 4
  let lines = MatchedLines(trace, plan)
  let judge = ScenarioJudge(judged)
  var log = judgeRecording(lines.recording, by: judged, inputs: inputs, judge: judge)
  log.traceLines = lines.numbers(in: log)
  let verdict = judge.verdict(on: log, sources: sources, rerun: rerun)
  return JudgedTrace(verdict: verdict, log: log, ignored: lines.ignored, problems: lines.problems)
}

/// The verdict on a trace, and what was not judged.
package struct JudgedTrace: Sendable {
  package var verdict: Verdict
  package var log: EventLog
  /// The sources that the scenario does not declare, each with the number of its events.
  package var ignored: [(source: String, count: Int)]
  /// Lines whose values cannot be read.
  package var problems: [UnreadableTraceValue]
}

/// A value of a trace that cannot be decoded.
package struct UnreadableTraceValue: Sendable {
  package var place: TracePlace
  package var message: String
}

/// The lines of a trace, matched with the sources of a plan.
struct MatchedLines {
  private(set) var recording: Recording
  private(set) var ignored: [(source: String, count: Int)] = []
  private(set) var problems: [UnreadableTraceValue] = []
  /// The place of each recorded event.
  private var places: [TracePlace] = []

  init(_ trace: ReadTrace, _ plan: ScenarioPlan) {
    recording = Recording(
      facts: TraceFacts(
        isVirtual: trace.header.isVirtual ?? false, isComplete: trace.isComplete),
      events: [], end: trace.entries.last?.time ?? 0)
    let names = plan.namesInTraces
    let marksChanges = trace.entries.contains { $0.line.isSettled }
    var counts: [String: Int] = [:]
    for entry in trace.entries {
      guard let kind = entry.line.knownKind, let name = entry.line.source else { continue }
      guard let source = names[name] else {
        if kind == .emitted || kind == .finished { counts[name, default: 0] += 1 }
        continue
      }
      add(entry, kind, source, endsChange: !marksChanges || entry.line.isSettled)
    }
    ignored = counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the line of each event that came from the trace.
  func numbers(in log: EventLog) -> [EventID: Int] {
    var numbers: [EventID: Int] = [:]
    var next = 0
    for event in log.events where next < places.count {
      guard event.source == recording.events[next].source else { continue }
      numbers[event.sequence] = places[next].line
      next += 1
    }
    return numbers
  }

  private mutating func add(
    _ entry: TraceReader.Entry, _ kind: TraceKind, _ source: SourceID, endsChange: Bool
  ) {
    guard kind == .emitted || kind == .finished else { return }
    let value: Value
    switch (entry.line.value ?? TraceValue(.null)).decoded() {
    case .success(let decoded): value = decoded
    case .failure(let problem):
      problems.append(UnreadableTraceValue(place: entry.place, message: problem.message))
      return
    }
    let event: RecordedEvent.Kind =
      kind == .emitted ? .emitted(value) : .finished(error: value == .null ? nil : value)
    places.append(entry.place)
    recording.events.append(
      RecordedEvent(source: source, kind: event, time: entry.time, endsChange: endsChange))
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
        .connectivity:
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
    case .source(.emitted(let source, _)), .source(.finished(let source, _)): source
    case .source, .run, .script, .assertion, .network: nil
    }
  }
}
