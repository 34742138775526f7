import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values

extension RecordedVisits.Act {
  /// True if a client sends nothing more from here on.
  fileprivate var isEnd: Bool {
    switch self {
    case .sends(.left), .sends(.reset), .sends(.drop): true
    case .sends, .pipelines, .pings, .breaksRules: false
    }
  }
}

/// Replays of clients of served endpoints.
extension ReplayMaker {
  /// Adds what clients sent to served endpoints, and leaves the others to the trace.
  func addVisits(
    _ inputs: VisitInputs, to trace: inout ReplayedTrace, _ ids: [String: EndpointID]
  ) {
    let isEndless =
      !run.runsPrograms
      && (run.header.options[ServingOption.forever.rawValue] == true
        || plan.scripts[plan.steps.script].steps.isEmpty)
    trace.visits = RecordedVisits(
      visits: visits(inputs, ids), own: ownConnections(ids),
      serving: isEndless ? .untilInterrupted : run.hasOnlyRealEndpoints ? nil : .untilStepsEnd,
      interruption: interruption(isEndless: isEndless), cut: run.isComplete ? nil : run.duration)
    trace.visits?.areCutOff = run.runsPrograms
    trace.played = Set(
      ids.filter { run.header.side(of: $0.key) == .client }.map(\.value))
  }

  private func visits(
    _ recorded: VisitInputs, _ ids: [String: EndpointID]
  ) -> [RecordedVisits.Visit] {
    var visits: [RecordedVisits.Visit] = []
    var places: [ConnectionKey: Int] = [:]
    let recordsPings = run.recordsPings
    for index in run.entries.indices {
      let kind = run.entries.kind(of: index)
      guard kind == .problem || kind?.comparison == .bySender else { continue }
      guard run.isServed(index) else { continue }
      let line = secrets.restored(in: run.entries[index].line)
      guard !isOfOutage(line, index), let key = ConnectionKey(line),
        let endpoint = line.source.flatMap({ ids[$0] }),
        let act = act(line, recordsPings, isUnrecorded: recorded.brokenAt[key] == index)
      else { continue }
      if places[key] == nil {
        places[key] = visits.count
        visits.append(
          RecordedVisits.Visit(endpoint: endpoint, number: line.connection ?? 0, inputs: []))
      }
      let due = ReplayedTrace.Input(
        reader.kind(of: line) ?? .drop, time: run.entries.time(of: index), seen: line.seen,
        position: index)
      insert(RecordedVisits.Input(act, due: due), into: &visits[places[key] ?? 0].inputs)
    }
    return visits
  }

  /// True for the end of a program's connection that a `network` step cut off. A replay does that
  /// again.
  private func isOfOutage(_ line: TraceLine, _ index: Int) -> Bool {
    run.runsPrograms && line.knownKind == .reset && isInOutage(index)
  }

  /// Adds what a client did. A request that was read after its client had left was sent before. A
  /// ping may have come with messages that were read before it was answered: it comes before those
  /// that had no effect yet.
  private func insert(_ input: RecordedVisits.Input, into inputs: inout [RecordedVisits.Input]) {
    var place = inputs.count
    if case .sends(.request(let request)) = input.act,
      let end = inputs.firstIndex(where: \.act.isEnd)
    {
      let ahead = RecordedVisits.Input(.pipelines(request), due: inputs[end].due)
      return inputs.insert(ahead, at: end)
    }
    if case .pings = input.act {
      while place > 0, inputs[place - 1].due.time == input.due.time,
        !hasEffect(inputs[place - 1].due.position, before: input.due.position)
      {
        place -= 1
      }
    }
    inputs.insert(input, at: place)
  }

  private func hasEffect(_ index: Int, before end: Int) -> Bool {
    let number = run.entries[index].number
    return run.entries[index].line.knownKind == .request
      || (index..<end).contains { run.entries[$0].line.cause == number }
  }

  /// Returns what a client did; nil if the line is not of a client, or of the scenario's own.
  private func act(
    _ line: TraceLine, _ recordsPings: Bool, isUnrecorded: Bool
  ) -> RecordedVisits.Act? {
    if line.isOfBrokenRules { return isUnrecorded ? .breaksRules : nil }
    guard let kind = reader.kind(of: line) else { return nil }
    if line.isInput(in: run.header) { return .sends(kind) }
    // An endpoint sends a pong when it got a ping.
    if !recordsPings, case .pong(let payload) = kind, line.from == .server {
      return .pings(payload)
    }
    return nil
  }

  private func ownConnections(
    _ ids: [String: EndpointID]
  ) -> PerID<EndpointPlan, [Int]> {
    var own: PerID<EndpointPlan, [Int]> = PerID(repeating: [], for: plan.endpoints)
    for index in run.entries.indices where run.entries.kind(of: index) == .request {
      let line = run.entries[index].line
      guard line.isOwn, let endpoint = line.source.flatMap({ ids[$0] }),
        let number = line.connection, !own[endpoint].contains(number)
      else { continue }
      own[endpoint].append(number)
    }
    return own.mapValues { $0.sorted() }
  }

  /// Returns when serving was interrupted. Without an end, the endpoints then say goodbye, and
  /// nothing led to that.
  private func interruption(isEndless: Bool) -> Microseconds? {
    let index = run.entries.indices.first { index in
      switch run.entries.kind(of: index) {
      case .problem?:
        let line = run.entries[index].line
        guard line.cause == nil, !line.isOfBrokenRules else { return false }
        let problem = line.value?.json["problem"]
        return problem == "interrupted" || isEndless && problem == "stepFailed"
      case .goodbye?:
        let line = run.entries[index].line
        return isEndless && line.cause == nil && line.from == .server
      case .phase?, .pending?, .verdict?: return isEndless
      case nil, .emitted?, .finished?, .subscribed?, .unsubscribed?, .request?, .response?,
        .stream?, .upgrade?, .event?, .line?, .message?, .ping?, .pong?, .bytes?, .drop?, .reset?,
        .left?,
        .unreachable?, .stdin?, .signal?, .ready?, .exit?, .now?, .step?, .branch?, .assertion?,
        .read?, .idle?, .network?,
        .fault?, .log?, .ignored?, .failure?, .listening?:
        return false
      }
    }
    return index.map { run.entries.time(of: $0) }
  }
}
