import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values

/// The maker of a replay's inputs: the lines of a trace in, what the other side did out.
final class ReplayMaker {
  let plan: ScenarioPlan
  let run: TraceRun
  let reader: TrafficReader
  let secrets: KnownSecrets
  /// By the number of a line: the later event that its endpoint emitted because of it.
  private var emissions: [Int: Int] = [:]
  /// The connections of which an endpoint emitted that its client has left.
  private var cancelled: Set<ConnectionKey> = []
  /// By the number of a line: the values that mocks set because of it.
  private var effects: [Int: [ReplayedTrace.Effect]] = [:]
  /// By the number of a line with a request that no entry of its mock matched: the line that says
  /// so.
  private var unmatched: [Int: TraceLine] = [:]
  /// The places of `network` lines that begin or end losses, latency, and outages.
  private var losses: [Condition] = []
  private var outages: [Condition] = []
  private var latencies: [Condition] = []
  /// True if lines say where changes end. Those that do say so soon.
  private lazy var marksChanges = run.entries.prefix(1_000).contains { $0.line.isSettled }

  private struct Condition {
    var index: Int
    var endpoint: String?
    var isHarmful: Bool
  }

  init(_ plan: ScenarioPlan, _ run: TraceRun, _ resolver: TraceResolver) {
    self.plan = plan
    self.run = run
    reader = TrafficReader(resolver)
    secrets = KnownSecrets(plan)
    let names = Set(plan.endpoints.map(\.name))
    let targets = Dictionary(
      plan.effectsOfMocks.map { (plan.sources[$0].name, $0) },
      uniquingKeysWith: { first, _ in first })
    for index in run.entries.indices where mayMatter(index, targets, names) {
      let entry = run.entries[index]
      let line = entry.line
      if line.knownKind == .emitted, let source = line.source, names.contains(source) {
        if let cause = run.lineEmitted(by: line) { emissions[cause] = index }
        if case .int(let number)? = line.value?.json["cancelled"]?["connection"] {
          cancelled.insert(ConnectionKey(source, number))
        }
      } else if let effect = effect(entry, index, targets, names) {
        effects[entry.line.cause ?? 0, default: []].append(effect)
      } else if line.knownKind == .network {
        note(line, index)
      } else if line.value?.json["problem"] == "unmatchedRequest", let cause = line.cause {
        unmatched[cause] = secrets.restored(in: line)
      }
    }
  }

  /// False for a line that need not be read, since it is not played.
  private func mayMatter(
    _ index: Int, _ targets: [String: SourceID], _ endpoints: Set<String>
  ) -> Bool {
    let kind = run.entries.kind(of: index)
    guard kind == .emitted, let source = run.entries.source(of: index) else {
      return kind == .network || kind == .problem
    }
    return endpoints.contains(source) || targets[source] != nil
  }

  private func note(_ line: TraceLine, _ index: Int) {
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
    _ entry: TraceReader.Entry, _ index: Int, _ targets: [String: SourceID],
    _ endpoints: Set<String>
  ) -> ReplayedTrace.Effect? {
    guard entry.line.knownKind == .emitted, !entry.line.isOwn,
      let target = entry.line.source.flatMap({ targets[$0] }),
      let cause = entry.line.cause.flatMap({ run.entry($0) })?.line,
      cause.source.map(endpoints.contains) == true,
      let value = reader.decoded(secrets.restored(in: entry.line).value)
    else { return nil }
    return ReplayedTrace.Effect(
      target: target, value: value, time: entry.time, position: index)
  }

  /// The endpoints by name.
  var endpointIDs: [String: EndpointID] {
    Dictionary(
      plan.endpoints.withIDs.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the trace without its exchanges, which are read when they are chosen.
  func trace(visits: VisitInputs) -> ReplayedTrace {
    let ids = endpointIDs
    let isVirtual = run.header.isVirtual == true
    var trace = ReplayedTrace(
      sent: sent(ids), times: isVirtual ? RisingTimes() : run.entries.times, isVirtual: isVirtual)
    if run.isOfServer || run.runsPrograms { addVisits(visits, to: &trace, ids) }
    if run.runsPrograms { trace.programs = programs }
    if !plan.programs.isEmpty { trace.addresses = addresses(ids) }
    return trace
  }

  /// Returns an exchange, whose lines are read one after the other while it is played.
  ///
  /// - Parameters:
  ///   - number: The exchange.
  ///   - exchanges: Those of the run.
  ///   - isRelative: True if inputs come as long after what they answer to as in the recording.
  ///   - hasOutages: False to leave out what the recorded scenario's own network did.
  func exchange(
    _ number: Int, of exchanges: RecordedExchanges, isRelative: Bool = false,
    hasOutages: Bool = true
  ) -> PlayedExchange {
    let first = exchanges.request(of: number)
    let opening = restored(first)
    // What breaks when the scenario's own network goes offline breaks again by itself.
    let lines = exchanges.lines(of: number).lazy.filter { [self] in
      !isOfOutage($0) || (hasOutages && run.entries.kind(of: $0) == .unreachable)
    }
    var inputs = lines.makeIterator()
    var arrivals = lines.makeIterator()
    var answered = AnsweredArrivals(opening, isNoted: isRelative)
    var isFirst = true
    let played = PlayedExchange(
      reader.request(opening.line),
      inputs: { [self] in
        while let index = inputs.next() {
          if let input = input(index, of: opening.line, &answered) { return input }
        }
        return nil
      },
      arrivals: { [self] in
        defer { isFirst = false }
        if isFirst { return arrival(opening, at: first, isLost: isLost(first, lines)) }
        while let index = arrivals.next() {
          // Most lines are of the server, and nearly all others arrive.
          guard run.entries.kind(of: index)?.arrives == true else { continue }
          let entry = run.entries[index]
          if isArrival(entry.line) { return arrival(entry, at: index) }
        }
        return nil
      })
    played.endsUnnoticed = endsUnnoticed(exchanges.lines(of: number))
    if !isRelative, let line = lineOfMismatch(opening.number) {
      played.refusal = (line.at, line.recordedDifferences)
    }
    return played
  }

  /// Returns whether the recorded scenario's own network cut a connection off on which nothing was
  /// owed any more: the answer was on its way.
  private func endsUnnoticed(_ lines: some Sequence<Int>) -> Bool {
    guard !outages.isEmpty,
      let reset = lines.first(where: { run.entries.kind(of: $0) == .reset && isOfOutage($0) }),
      let connection = ConnectionKey(run.entries[reset].line)
    else { return false }
    return !cancelled.contains(connection)
  }

  /// Returns the line that says that no entry of its mock matched a request, which ended the run.
  private func lineOfMismatch(_ request: Int) -> TraceLine? {
    unmatched[request] ?? emissions[request].flatMap { unmatched[run.entries[$0].number] }
  }

  /// Returns what the other side sent with a line; nil for a line of the client, which is noted.
  private func input(
    _ index: Int, of request: TraceLine, _ answered: inout AnsweredArrivals
  ) -> ReplayedTrace.Input? {
    let entry = restored(index)
    guard entry.line.isInput(in: run.header) else {
      if isArrival(entry.line) { answered.note(entry) }
      return nil
    }
    guard var kind = reader.kind(of: entry.line) else { return nil }
    if case .response(let answer) = kind {
      kind = .response(redirected(answer, after: index, to: request))
    }
    var input = ReplayedTrace.Input(
      kind, time: entry.time, seen: entry.line.seen, position: index,
      answersTo: answered.cause(of: entry.line, in: run))
    input.awaitsArrivals = !isBeforeArrival(index)
    return input
  }

  /// Returns whether a line stands between what our side sent and its arrival, which ends a change.
  private func isBeforeArrival(_ index: Int) -> Bool {
    guard index > 0, marksChanges, run.entries.kind(of: index - 1)?.arrives == true else {
      return false
    }
    let before = run.entries[index - 1].line
    return isArrival(before) && !before.isSettled
  }

  /// Returns a line with the values that secrets have now.
  private func restored(_ index: Int) -> TraceReader.Entry {
    var entry = run.entries[index]
    entry.line = secrets.restored(in: entry.line)
    return entry
  }

  /// True for a line that says what the client sent after its request.
  private func isArrival(_ line: TraceLine) -> Bool {
    line.from == .client && !line.isInput(in: run.header) && line.knownKind?.arrives == true
  }

  /// Returns an answer whose redirect leads where it led in the recording. The URL of a real
  /// endpoint, with which such a redirect begins, is not known here.
  private func redirected(
    _ answer: Exchange.Response, after index: Int, to request: TraceLine
  ) -> Exchange.Response {
    guard (300..<400).contains(answer.status), let endpoint = request.source,
      run.header.worlds[endpoint] == "real" || run.runsPrograms,
      let field = answer.headers.firstIndex(where: { $0.name.lowercasedASCII == "location" }),
      let next = nextRequest(after: index, causedLike: request), let name = next.source
    else { return answer }
    let location = answer.headers[field].value.prefix { $0 != "#" }
    let target = reader.request(next).target
    guard location.hasSuffix(target) || (location + "/").hasSuffix(target)
    else { return answer }
    var answer = answer
    answer.headers[field].value = "http://\(name)\(target)"
    return answer
  }

  /// Returns the next request that the same step or client made, as when it follows a redirect.
  private func nextRequest(after index: Int, causedLike request: TraceLine) -> TraceLine? {
    guard let cause = request.cause else { return nil }
    let requests = (index..<run.entries.count).lazy.filter { [run] in
      run.entries.kind(of: $0) == .request
    }
    return requests.map { [run] in run.entries[$0].line }
      .first { $0.from == .client && $0.cause == cause }
  }

  private func arrival(
    _ entry: TraceReader.Entry, at index: Int, isLost: Bool = false
  ) -> ReplayedTrace.Arrival {
    let own = effects[entry.number] ?? []
    if isLost { return ReplayedTrace.Arrival(time: entry.time, emission: .never, effects: own) }
    guard let place = emissions[entry.number] else {
      // With latency it would have come later: the run ended before.
      return ReplayedTrace.Arrival(
        time: entry.time, emission: isHarmed(index, latencies) ? .never : .atOnce, effects: own)
    }
    let emission = restored(place)
    let value = reader.decoded(emission.line.value) ?? .null
    return ReplayedTrace.Arrival(
      time: entry.time, emission: .later(value, at: emission.time, position: place),
      effects: own + (effects[emission.number] ?? []))
  }

  /// True if a request got lost: nothing but a reset followed while requests were being lost.
  private func isLost(_ request: Int, _ lines: some Sequence<Int>) -> Bool {
    guard !losses.isEmpty else { return false }
    let inputs = lines.lazy.filter { [self] in run.entries[$0].line.isInput(in: run.header) }
    var kinds = inputs.map { [self] in run.entries.kind(of: $0) }.makeIterator()
    guard kinds.next() == .reset, kinds.next() == nil else { return false }
    return isHarmed(request, losses)
  }

  func isInOutage(_ index: Int) -> Bool { isHarmed(index, outages) }

  private func isHarmed(_ index: Int, _ conditions: [Condition]) -> Bool {
    let source = run.entries.source(of: index)
    let last = conditions.last {
      $0.index < index && ($0.endpoint == nil || $0.endpoint == source)
    }
    return last?.isHarmful ?? false
  }

  /// True if an exchange has something besides what the recorded scenario's own network did when it
  /// was offline, or if nothing followed its request.
  func isPlayed(_ exchange: Int, of exchanges: RecordedExchanges) -> Bool {
    var hasLines = false
    for index in exchanges.lines(of: exchange) {
      if !isOfOutage(index) { return true }
      hasLines = true
    }
    return !hasLines
  }

  /// True for the end of a connection that the recorded scenario's own network cut off.
  private func isOfOutage(_ index: Int) -> Bool {
    let kind = run.entries.kind(of: index)
    return (kind == .unreachable || kind == .reset) && isHarmed(index, outages)
  }

  /// The times at which our side sent what counts, by endpoint.
  private func sent(_ ids: [String: EndpointID]) -> PerID<EndpointPlan, RisingTimes> {
    var times = PerID(repeating: RisingTimes(), for: plan.endpoints)
    for index in run.entries.indices where run.entries.kind(of: index)?.isCounted == true {
      guard let id = run.entries.source(of: index).flatMap({ ids[$0] }),
        run.sendsItself(index)
      else { continue }
      times[id].append(run.entries.time(of: index))
    }
    return times
  }
}

extension TraceKind {
  /// True for what an endpoint emits, or would emit if it arrived.
  fileprivate var arrives: Bool {
    switch self {
    case .ping, .pong, .bytes: false
    case .request, .response, .stream, .upgrade, .event, .line, .message, .goodbye, .left, .drop,
      .reset, .unreachable:
      true
    case .emitted, .finished, .subscribed, .unsubscribed, .stdin, .signal, .ready, .exit, .now,
      .step, .branch, .phase, .assertion, .read, .idle, .network, .fault, .log, .ignored,
      .problem, .failure, .listening, .pending, .verdict:
      false
    }
  }
}

/// The messages of a client in an exchange, if inputs come as long after them as in the recording.
private struct AnsweredArrivals {
  /// By the number of a line that the client sent.
  private var arrivals: [Int: ReplayedTrace.Answered]
  private let request: ReplayedTrace.Answered
  private let isNoted: Bool

  init(_ request: TraceReader.Entry, isNoted: Bool) {
    self.isNoted = isNoted
    self.request = ReplayedTrace.Answered(place: 0, time: request.time)
    arrivals = isNoted ? [request.number: self.request] : [:]
  }

  mutating func note(_ entry: TraceReader.Entry) {
    guard isNoted else { return }
    arrivals[entry.number] = ReplayedTrace.Answered(place: arrivals.count, time: entry.time)
  }

  /// Returns what a line answers to: the nearest of its causes that the client sent on its
  /// connection, else the request.
  func cause(of line: TraceLine, in run: TraceRun) -> ReplayedTrace.Answered {
    guard isNoted else { return request }
    var cause = line.cause
    var before = Int.max
    while let number = cause, number < before {
      if let arrival = arrivals[number] { return arrival }
      before = number
      cause = run.entry(number)?.line.cause
    }
    return request
  }
}

extension TraceLine {
  /// How a request differs from the closest entry of its mock, in words.
  fileprivate var recordedDifferences: [String] {
    guard case .list(let texts)? = value?.json["differences"] else { return [] }
    return texts.map(\.plainText)
  }
}
