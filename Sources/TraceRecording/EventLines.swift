import Diagnostics
import Events
import ScenarioPlan
import Traces
import Values

/// The places of a scenario as a trace writes them.
package protocol TracedPlaces {
  /// Returns `path:line:column`; nil if the range is in no file, or if nobody reads it.
  func text(of range: SourceRange) -> String?

  /// Returns the path of a file as the trace has it.
  func path(of path: String) -> String

  /// Returns what the step at a place is, wherever it stands; nil if nobody reads it.
  func step(at range: SourceRange, includedBy includes: [SourceRange]) -> String?
}

/// No places, for lines that nobody reads.
package struct NoPlaces: TracedPlaces {
  package init() {}
  package func text(of range: SourceRange) -> String? { nil }
  package func path(of path: String) -> String { path }
  package func step(at range: SourceRange, includedBy includes: [SourceRange]) -> String? { nil }
}

/// The lines of the events of a log. A function of the event and the plan alone.
struct EventLines {
  let plan: ScenarioPlan
  let places: any TracedPlaces
  /// The headers of real endpoints that the scenario names.
  let headers: Set<String>
  /// The sources that scripts of mocks set or emit. Lines of others that do so say it.
  private let effectsOfMocks: Set<SourceID>
  /// The messages whose headers are shown as they are, and those of real endpoints.
  private let known = (whole: KnownMessages(), ofReal: KnownMessages())

  /// Returns what makes the lines of messages.
  ///
  /// - Parameter isReal: True if only a few of their headers are shown.
  func traffic(isReal: Bool) -> TrafficLines {
    TrafficLines(
      allowsFewHeaders: isReal, named: headers.union(plan.traces.keptHeaders),
      known: isReal ? known.ofReal : known.whole)
  }

  init(plan: ScenarioPlan, places: any TracedPlaces, headers: Set<String>) {
    self.plan = plan
    self.places = places
    self.headers = headers
    effectsOfMocks = plan.effectsOfMocks
  }

  /// Returns the line of an event; nil for an event that has none.
  func line(for event: Event) -> TraceLine? {
    switch event.kind {
    case .run(let event): line(for: event)
    case .source(let kind): line(for: kind, isOfMock: event.isOfMock)
    case .script(let event): line(for: event)
    case .assertion(let event): line(for: event)
    case .network(let event): line(for: event)
    }
  }

  private func line(for event: RunEvent) -> TraceLine? {
    switch event {
    case .inRealTime, .ended, .secretsKnown, .secretsCaptured, .secretsComputed, .tracePlayed,
      .traceEnded, .actionsAtEnd:
      nil
    case .lagged(let lag): TraceLine(.log, ["lag": .int(Int(lag))])
    case .idle(let next): TraceLine(.idle, next.map { .int(Int($0)) })
    case .failed(let problem): line(for: problem)
    case .pendingAtEnd(let operations): TraceLine(.pending, .list(operations.map(value)))
    case .stepsEnded: TraceLine(.phase, "stepsEnded")
    case .finallyBegan: TraceLine(.phase, "finally")
    }
  }

  private func line(for event: SourceEvent, isOfMock: Bool) -> TraceLine {
    switch event {
    case .emitted(let source, let value):
      var line = TraceLine(isExit(source) ? .exit : .emitted, source: name(source), value)
      line.isOwn = !isOfMock && effectsOfMocks.contains(source)
      return line
    case .finished(let source, let error):
      return TraceLine(.finished, source: name(source), error ?? .null)
    case .subscribed(let source, let number):
      return TraceLine(.subscribed, source: name(source), .int(number))
    case .unsubscribed(let source, let number):
      return TraceLine(.unsubscribed, source: name(source), .int(number))
    }
  }

  private func line(for event: ScriptEvent) -> TraceLine {
    switch event {
    case .stepBegan(let step):
      line(.step, step)
    case .branched(let from, let first, let count):
      TraceLine(
        .branch,
        ["from": .int(from.index), "first": .int(first.index), "count": .int(count)])
    case .branchesJoined(let branch): TraceLine(.branch, ["joined": .int(branch.index)])
    case .logged(let step, let value): line(.log, step, [("value", value)])
    case .connectionAccepted(let branch): TraceLine(.branch, ["accepted": .int(branch.index)])
    }
  }

  private func line(for event: NetworkEvent) -> TraceLine? {
    switch event {
    case .served(let source, let connection, .misunderstood(let problem)):
      var line = TraceLine(.problem, source: name(source), .string(problem))
      (line.connection, line.from) = (connection, .client)
      return line
    // The traffic has all of it.
    case .served: return nil
    case .driftObserved(let observation):
      return TraceLine(
        .log, source: plan.endpoints[observation.endpoint].name, ["drift": "compared"])
    case .faulted(let fault): return line(for: fault)
    // The traffic has the piece, and the event of the endpoint the request.
    case .pieceSent, .unreachable, .pieceUnread, .answeredAgain, .passedOver,
      .notResumed:
      return nil
    }
  }

  private func line(for fault: Fault) -> TraceLine {
    var map = ValueMap()
    switch fault.kind {
    case .refused: map["fault"] = "refused"
    case .dropped: map["fault"] = "dropped"
    case .reset: map["fault"] = "reset"
    case .stalled: map["fault"] = "stalled"
    case .corrupted: map["fault"] = "corrupted"
    case .duplicated: map["fault"] = "duplicated"
    case .delayed(let delay): (map["fault"], map["delay"]) = ("delayed", .int(Int(delay)))
    }
    map["to"] = fault.isToServer.map { $0 ? "server" : "client" }
    var line = TraceLine(.fault, source: plan.endpoints[fault.endpoint].name, .map(map))
    line.connection = fault.connection
    return line
  }

  private func isExit(_ source: SourceID) -> Bool {
    if case .program(_, .exit) = plan.sources[source].kind { true } else { false }
  }

  /// Returns the line of what passed between the scenario and a program.
  func line(for kind: ProgramTraffic.Kind) -> TraceLine {
    switch kind {
    case .ready(let program): TraceLine(.ready, source: plan.programs[program].name)
    case .wrote(let text, let program):
      TrafficLines.line(.stdin, text, source: plan.programs[program].name)
    case .signalled(let name, let program):
      TraceLine(.signal, source: plan.programs[program].name, .string(name))
    case .port(let port, let program):
      TraceLine(.listening, source: plan.programs[program].name, ["port": .int(port)])
    case .folder(let path, let program):
      TraceLine(.listening, source: plan.programs[program].name, ["temp": .string(path)])
    case .listening(let endpoint, let url, let webSocket):
      TraceLine(
        .listening, source: plan.endpoints[endpoint].name,
        ["url": .string(url), "webSocket": .string(webSocket)])
    }
  }

  func name(_ source: SourceID) -> String { plan.sources[source].name }

  /// Returns `path:line:column` of a place in a scenario.
  func place(_ range: SourceRange) -> String? { places.text(of: range) }

  /// Returns the line of something that a step does. The keys differ, and are none of those of
  /// steps.
  func line(
    _ kind: TraceKind, _ step: StepReference, _ members: [ValueMap.Entry]
  ) -> TraceLine {
    line(kind, step, TraceValue(value(of: step, members)))
  }

  /// Returns the line of the beginning or the result of a step.
  func line(_ kind: TraceKind, _ step: StepReference, held: Bool? = nil) -> TraceLine {
    var members: [ValueMap.Entry] = [("verb", .string(step.verb))]
    // Members that come before others are in their order.
    if let held { members.insert(("held", .bool(held)), at: 0) }
    return line(kind, step, TraceValue(json: value(of: step, members)))
  }

  private func line(
    _ kind: TraceKind, _ step: StepReference, _ value: TraceValue
  ) -> TraceLine {
    var line = TraceLine(kind)
    line.value = value
    line.at = place(step.range)
    line.step = places.step(at: step.range, includedBy: step.includes)
    return line
  }

  private func value(of step: StepReference, _ members: [ValueMap.Entry]) -> Value {
    // In the order of their keys, which the writer need not sort then.
    var entries: [ValueMap.Entry] = []
    entries.reserveCapacity(3 + members.count)
    entries.append(("branch", .int(step.branch.index)))
    if !step.includes.isEmpty {
      entries.append(("includes", .list(step.includes.map { .string(place($0) ?? "") })))
    }
    if !step.turns.isEmpty {
      entries.append(("turns", .list(step.turns.map { .int($0) })))
    }
    entries += members
    return .map(ValueMap(distinct: entries))
  }

  private func value(_ operation: PendingOperation) -> Value {
    switch operation.kind {
    case .connection(let connection, let state):
      [
        "connection": .string(plan.connections[connection].name),
        "state": .string(state.rawValue), "since": .int(Int(operation.since)),
      ]
    case .client(let part, let endpoint, let state):
      [
        "client": .string(part), "endpoint": .string(plan.endpoints[endpoint].name),
        "state": .string(state.rawValue), "since": .int(Int(operation.since)),
      ]
    case .request(let endpoint, let method, let target, let state):
      [
        "endpoint": .string(plan.endpoints[endpoint].name), "method": .string(method),
        "target": .string(target), "state": .string(state.rawValue),
        "since": .int(Int(operation.since)),
      ]
    }
  }
}
