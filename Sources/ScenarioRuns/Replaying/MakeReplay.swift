import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values

/// The maker of a replay's inputs: the lines of a trace in, what the other side did out.
struct ReplayMaker {
  let plan: ScenarioPlan
  let run: TraceRun
  let reader: TrafficReader
  /// By the number of a line: the later event that its endpoint emitted because of it.
  private var emissions: [Int: Int] = [:]
  /// By the number of a line: the values that mocks set because of it.
  private var effects: [Int: [ReplayedTrace.Effect]] = [:]
  /// The places of `network` lines that begin or end losses, latency, and outages.
  private var losses: [Condition] = []
  private var outages: [Condition] = []
  private var latencies: [Condition] = []

  private struct Condition {
    var index: Int
    var endpoint: String?
    var isHarmful: Bool
  }

  init(_ plan: ScenarioPlan, _ run: TraceRun, _ resolver: TraceResolver) {
    self.plan = plan
    self.run = run
    reader = TrafficReader(resolver)
    let names = Set(plan.endpoints.map(\.name))
    let targets = plan.targetsOfMocks
    for index in run.entries.indices where mayMatter(index, targets, names) {
      let entry = run.entries[index]
      let line = entry.line
      if line.knownKind == .emitted, let source = line.source, let cause = line.cause,
        names.contains(source)
      {
        emissions[cause] = index
      } else if let effect = effect(entry, index, targets, names) {
        effects[entry.line.cause ?? 0, default: []].append(effect)
      } else if line.knownKind == .network {
        note(line, index)
      }
    }
  }

  /// False for a line that need not be read, since it is not played.
  private func mayMatter(
    _ index: Int, _ targets: [String: ReplayedTrace.Effect.Target], _ endpoints: Set<String>
  ) -> Bool {
    let kind = run.entries.kind(of: index)
    guard kind == .emitted, let source = run.entries.source(of: index) else {
      return kind == .network
    }
    return endpoints.contains(source) || targets[source] != nil
  }

  private mutating func note(_ line: TraceLine, _ index: Int) {
    let change = NetworkChange(line)
    func condition(_ isHarmful: Bool) -> Condition {
      Condition(index: index, endpoint: line.source, isHarmful: isHarmful)
    }
    if let loses = change.loses { losses.append(condition(loses)) }
    if let isOut = change.isOut { outages.append(condition(isOut)) }
    if let isLate = change.isLate { latencies.append(condition(isLate)) }
  }

  /// Returns the value that a mock set, if a line is of one. Its cause is what a client sent.
  private func effect(
    _ entry: TraceReader.Entry, _ index: Int, _ targets: [String: ReplayedTrace.Effect.Target],
    _ endpoints: Set<String>
  ) -> ReplayedTrace.Effect? {
    guard entry.line.knownKind == .emitted, let target = entry.line.source.flatMap({ targets[$0] }),
      let cause = entry.line.cause.flatMap({ run.entry($0) })?.line,
      cause.source.map(endpoints.contains) == true,
      let value = reader.decoded(entry.line.value)
    else { return nil }
    return ReplayedTrace.Effect(
      target: target, value: value, time: entry.time, position: index)
  }

  /// The endpoints by name.
  var endpointIDs: [String: EndpointID] {
    Dictionary(
      plan.endpoints.withIDs.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func trace(_ exchanges: [RecordedExchange]) -> ReplayedTrace {
    let ids = endpointIDs
    var trace = trace(exchanges.map { exchange($0, ids) }, ids)
    if run.isOfServer || run.runsPrograms { addVisits(to: &trace, ids) }
    if run.runsPrograms { trace.programs = programs }
    if !plan.programs.isEmpty { trace.addresses = addresses(ids) }
    return trace
  }

  func trace(
    _ exchanges: [ReplayedTrace.Exchange], _ ids: [String: EndpointID]
  ) -> ReplayedTrace {
    let isVirtual = run.header.isVirtual == true
    return ReplayedTrace(
      exchanges: exchanges, sent: sent(ids),
      times: isVirtual ? [] : run.entries.indices.map { run.entries.time(of: $0) },
      isVirtual: isVirtual)
  }

  private func exchange(
    _ recorded: RecordedExchange, _ ids: [String: EndpointID]
  ) -> ReplayedTrace.Exchange {
    let entry = run.entries[recorded.request]
    let endpoint = ids[entry.line.source ?? ""] ?? EndpointID(0)
    var arrivals = [arrival(recorded.request)]
    var inputs: [ReplayedTrace.Input] = []
    /// By the number of a line that the client sent: its place among the arrivals.
    var places = [entry.number: 0]
    for index in recorded.lines {
      let line = run.entries[index].line
      guard var kind = reader.kind(of: line) else { continue }
      if case .response(let answer) = kind {
        kind = .response(redirected(answer, after: index, to: entry.line))
      }
      if line.isInput(in: run.header) {
        inputs.append(
          ReplayedTrace.Input(
            kind, time: run.entries[index].time, seen: line.seen, position: index,
            answersTo: answeredPlace(line, places)))
      } else if line.from == .client, kind.arrives {
        places[run.entries[index].number] = arrivals.count
        arrivals.append(arrival(index))
      }
    }
    if isLost(recorded, inputs) { arrivals[0].emission = .never }
    return ReplayedTrace.Exchange(
      endpoint: endpoint, request: reader.request(entry.line), arrivals: arrivals,
      inputs: inputs)
  }

  /// Returns an answer whose redirect leads where it led in the recording. The URL of a real
  /// endpoint, with which such a redirect begins, is not known here.
  private func redirected(
    _ answer: Exchange.Response, after index: Int, to request: TraceLine
  ) -> Exchange.Response {
    guard (300..<400).contains(answer.status), let endpoint = request.source,
      run.header.worlds[endpoint] == "real" || run.runsPrograms,
      let field = answer.headers.firstIndex(where: { $0.name.lowercased() == "location" }),
      let next = run.entries[index...].first(where: { $0.line.isRequest(causedLike: request) })?
        .line, let name = next.source
    else { return answer }
    let location = answer.headers[field].value.prefix { $0 != "#" }
    let target = reader.request(next).target
    guard location.hasSuffix(target) || (location + "/").hasSuffix(target)
    else { return answer }
    var answer = answer
    answer.headers[field].value = "http://\(name)\(target)"
    return answer
  }

  /// Returns the place of what a line answers to: the nearest of its causes that the client sent on
  /// its connection, else the request.
  private func answeredPlace(_ line: TraceLine, _ places: [Int: Int]) -> Int {
    var cause = line.cause
    var before = Int.max
    while let number = cause, number < before {
      if let place = places[number] { return place }
      before = number
      cause = run.entry(number)?.line.cause
    }
    return 0
  }

  private func arrival(_ index: Int) -> ReplayedTrace.Arrival {
    let entry = run.entries[index]
    let own = effects[entry.number] ?? []
    guard let place = emissions[entry.number] else {
      // With latency it would have come later: the run ended before.
      return ReplayedTrace.Arrival(
        time: entry.time, emission: isHarmed(index, latencies) ? .never : .atOnce, effects: own)
    }
    let emission = run.entries[place]
    let value = reader.decoded(emission.line.value) ?? .null
    return ReplayedTrace.Arrival(
      time: entry.time, emission: .later(value, at: emission.time, position: place),
      effects: own + (effects[emission.number] ?? []))
  }

  /// True if a request got lost: nothing but a reset followed while requests were being lost.
  private func isLost(_ recorded: RecordedExchange, _ inputs: [ReplayedTrace.Input]) -> Bool {
    guard inputs.count == 1, case .reset = inputs[0].kind else { return false }
    return isHarmed(recorded.request, losses)
  }

  func isInOutage(_ index: Int) -> Bool { isHarmed(index, outages) }

  private func isHarmed(_ index: Int, _ conditions: [Condition]) -> Bool {
    let source = run.entries[index].line.source
    let last = conditions.last {
      $0.index < index && ($0.endpoint == nil || $0.endpoint == source)
    }
    return last?.isHarmful ?? false
  }

  /// Returns an exchange without what the recorded scenario's own network did when it was offline;
  /// nil if it was nothing else.
  func withoutOutages(_ recorded: RecordedExchange) -> RecordedExchange? {
    var exchange = recorded
    exchange.lines.removeAll { index in
      let kind = run.entries[index].line.knownKind
      return (kind == .unreachable || kind == .reset) && isHarmed(index, outages)
    }
    let hadOnlyThose = exchange.lines.isEmpty && !recorded.lines.isEmpty
    return hadOnlyThose ? nil : exchange
  }

  /// The times at which our side sent what counts, by endpoint.
  private func sent(_ ids: [String: EndpointID]) -> PerID<EndpointPlan, [Microseconds]> {
    var times: PerID<EndpointPlan, [Microseconds]> = PerID(repeating: [], for: plan.endpoints)
    for index in run.entries.indices where run.entries.kind(of: index)?.isCounted == true {
      let entry = run.entries[index]
      guard !entry.line.isInput(in: run.header), !entry.line.isOwn,
        let id = entry.line.source.flatMap({ ids[$0] })
      else { continue }
      times[id].append(entry.time)
    }
    return times
  }
}

extension ScenarioPlan {
  /// What mocks set or emit, by the names of the sources.
  fileprivate var targetsOfMocks: [String: ReplayedTrace.Effect.Target] {
    let pairs = effectsOfMocks.map { target in
      switch target {
      case .node(let node): (sources[nodes[node].source].name, target)
      case .source(let source): (sources[source].name, target)
      }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }
}

extension Traffic.Kind {
  /// True for what an endpoint emits, or would emit if it arrived.
  fileprivate var arrives: Bool {
    switch self {
    case .ping, .pong, .bytes: false
    case .request, .response, .stream, .upgrade, .event, .comment, .line, .message, .goodbye,
      .left, .drop, .reset, .unreachable:
      true
    }
  }
}

extension TraceLine {
  /// True for a request that the same step or client made, as when it follows a redirect.
  fileprivate func isRequest(causedLike other: TraceLine) -> Bool {
    knownKind == .request && from == .client && cause == other.cause && cause != nil
  }
}
