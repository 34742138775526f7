import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values

/// The lines of a trace in the order in which they are judged. Each is read when it is asked for.
struct JudgedLines: RandomAccessCollection, Sendable {
  let trace: TraceRun
  /// The lines by their times, if the scenario asks for that order.
  private let order: [ReorderedLine]?

  /// - Parameter span: How late a line may be and still be put in order; nil leaves them all.
  init(_ trace: TraceRun, within span: Microseconds?) {
    self.trace = trace
    order = span.map { trace.reordered(within: $0) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { trace.entries.count }

  subscript(index: Int) -> TraceReader.Entry {
    guard let line = order?[index] else { return trace.entries[index] }
    var entry = trace.entries[line.index]
    (entry.time, entry.isEarlier) = (line.time, line.isEarlier)
    return entry
  }

  /// Returns the kind of the line with a number.
  func kind(of number: Int) -> TraceKind? {
    trace.index(of: number).flatMap { trace.entries.kind(of: $0) }
  }
}

/// Makes events of the lines of a trace, one after the other: of one that is there, or while they
/// come.
struct LineMatcher: IteratorProtocol, Sendable {
  /// The facts about the lines so far that no event has.
  struct Findings: Sendable {
    /// The sources that lines are events of.
    var sources: Set<SourceID> = []
    /// By name: the sources that the scenario does not declare.
    var undeclared: [String: UndeclaredSource] = [:]
    var problems: [UnreadableTraceValue] = []
    var stray = StrayLines()
    /// The first lines whose times are before those above them.
    var late: [TracePlace] = []
  }

  private static let mostLate = 3

  private(set) var found = Findings()
  /// Nil if the lines still come.
  private let lines: JudgedLines?
  private let plan: ScenarioPlan
  private let names: [String: SourceID]
  private let secrets: KnownSecrets
  /// Where the steps of the trace stand now, if it is a run of the scenario.
  private let steps: JudgedSteps
  private let isOfThisScenario: Bool
  private let place: @Sendable (TracePlace) -> TracePlace
  private let body: @Sendable (String) -> TraceBodyFile?
  private var endpoints = EndpointEvents()
  /// True if lines say where changes end, as far as is known.
  private var marksChanges = false
  private var sentTexts = SentTexts()
  private var index = 0

  init(
    _ lines: JudgedLines?, _ plan: ScenarioPlan, _ steps: JudgedSteps? = nil,
    placedBy place: @escaping @Sendable (TracePlace) -> TracePlace = { $0 },
    body: @escaping @Sendable (String) -> TraceBodyFile? = { _ in nil }
  ) {
    let names = plan.namesInTraces
    (self.lines, self.plan, self.names) = (lines, plan, names)
    (self.steps, isOfThisScenario) = (steps ?? JudgedSteps(), steps != nil)
    (self.place, self.body) = (place, body)
    secrets = KnownSecrets(plan)
    guard let lines else { return }
    marksChanges = lines.trace.entries.marksChanges
    if plan.endpoints.isEmpty { return }
    endpoints = EndpointEvents(lines) { name in names[name].map { plan.isEndpoint($0) } ?? false }
  }

  /// Returns the event of the next line that is one.
  mutating func next() -> RecordedEvent? {
    while let lines, index < lines.count {
      index += 1
      if let event = event(of: lines[index - 1]) { return event }
    }
    return nil
  }

  /// Returns the event that a line is; nil if it is none.
  mutating func event(of entry: TraceReader.Entry) -> RecordedEvent? {
    var entry = whole(entry)
    entry.place = place(entry.place)
    marksChanges = marksChanges || entry.line.isSettled
    if entry.isEarlier, found.late.count < LineMatcher.mostLate {
      found.late.append(entry.place)
    }
    found.stray.note(entry)
    guard let kind = kind(of: entry) else { return nil }
    var event = RecordedEvent(kind, time: entry.time)
    event.line = entry.place.line
    guard let source = event.source else { return event }
    found.sources.insert(source)
    event.endsChange = !marksChanges || entry.line.isSettled
    if plan.isEndpoint(source), entry.line.from != nil {
      event.requestStep = lines?.trace.requestStep(of: entry.line).map(steps.place)
    }
    return event
  }

  /// The events that are played at once. One more change may be among them.
  private static let eventsOfPiece = 256

  mutating func nextPiece() -> Recording.Piece? {
    var piece = Recording.Piece()
    while piece.events.count < LineMatcher.eventsOfPiece || piece.events.last?.endsChange == false,
      let event = next()
    {
      piece.events.append(event)
      piece.end = event.time
    }
    return piece.events.isEmpty ? nil : piece
  }

  private mutating func kind(of entry: TraceReader.Entry) -> RecordedEvent.Kind? {
    if isOfThisScenario, let rest = entry.line.rest(of: plan, steps, line) { return rest }
    sentTexts.note(entry.line)
    guard let kind = entry.line.knownKind, let name = entry.line.source else { return nil }
    guard let source = names[name] else {
      if entry.line.setsValue {
        found.undeclared[name, default: UndeclaredSource(name, entry)].count += 1
      }
      return nil
    }
    if plan.isEndpoint(source), let value = endpoints.value(of: entry) {
      return .emitted(source, value)
    }
    return self.kind(of: entry, kind, source)
  }

  private mutating func kind(
    of entry: TraceReader.Entry, _ kind: TraceKind, _ source: SourceID
  ) -> RecordedEvent.Kind? {
    if let number = entry.line.subscription {
      return kind == .subscribed ? .subscribed(source, number) : .unsubscribed(source, number)
    }
    guard kind == .emitted || kind == .finished || kind == .exit else { return nil }
    switch (entry.line.value ?? TraceValue(.null)).decoded() {
    case .failure(let problem):
      found.problems.append(UnreadableTraceValue(problem, entry.place))
      return nil
    case .success(let decoded):
      let value = plan.isConnection(source) ? sentTexts.restored(decoded) : decoded
      return kind == .finished
        ? .finished(source, error: value == .null ? nil : value) : .emitted(source, value)
    }
  }

  /// Returns a line that another one refers to.
  private func line(_ number: Int) -> TraceLine? {
    guard let lines, let index = lines.trace.index(of: number) else { return nil }
    let entry = lines.trace.entries[index]
    return (try? wholeLine(entry.line).get()) ?? entry.line
  }

  /// Returns a line with its large values, if it is judged.
  private mutating func whole(_ entry: TraceReader.Entry) -> TraceReader.Entry {
    var entry = entry
    switch wholeLine(entry.line) {
    case .success(let line): entry.line = line
    case .failure(let problem):
      found.problems.append(UnreadableTraceValue(.body(problem), place(entry.place)))
    }
    return entry
  }

  private func wholeLine(_ line: TraceLine) -> Result<TraceLine, TraceBodyProblem> {
    guard line.knownKind == .read || line.source.map({ names[$0] != nil }) ?? false else {
      return .success(line)
    }
    return line.withBodies(body).map { secrets.restored(in: $0) }
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

extension ScenarioPlan {
  fileprivate func isEndpoint(_ source: SourceID) -> Bool {
    if case .endpoint = sources[source].kind { true } else { false }
  }

  fileprivate func isConnection(_ source: SourceID) -> Bool {
    if case .connection = sources[source].kind { true } else { false }
  }
}

extension TraceLine {
  /// The number of a subscription that began or ended.
  fileprivate var subscription: Int? {
    guard knownKind == .subscribed || knownKind == .unsubscribed,
      case .int(let number)? = value?.json
    else { return nil }
    return number
  }
}
