import TextSearch
import Values

// What happens in the replay.
extension ReplayComparison {
  /// Takes a line of the replay, in its order.
  package mutating func take(_ line: TraceLine) {
    guard let kind = line.knownKind, goesOn(at: line) else { return }
    switch kind {
    case .step: if let at = line.at { takeStep(at, line) }
    case .assertion:
      if let lane = assertionLane(line) { compareAssertion(line, in: lane) }
    case .emitted where run.header.program(of: line.source) != nil: takeProgramInput(kind, line)
    case .ready, .exit: takeProgramInput(kind, line)
    case .stdin, .signal:
      if let source = line.source { compare(line, in: .all(lanes.number(of: .program(source)))) }
    case .emitted, .finished:
      if let lane = line.source.flatMap({ sourceLane(of: $0) }) { compare(line, in: .all(lane)) }
    case .request where !run.isServed(line): takeRequest(line)
    case .ping where !recordsPings: break
    case .request, .response, .stream, .upgrade, .event, .line, .message, .ping, .pong, .bytes,
      .goodbye,
      .drop, .reset, .left, .unreachable:
      takeMessage(line)
    case .subscribed, .unsubscribed, .now, .branch, .phase, .read, .idle, .network, .fault, .log,
      .ignored, .problem, .failure, .listening, .pending, .verdict:
      break
    }
    advance()
  }

  /// Returns whether lines are still compared. What follows from a divergence says nothing more
  /// after a while, and a long trace need not be played to its end for it.
  private mutating func goesOn(at line: TraceLine) -> Bool {
    if stoppedAt != nil { return false }
    if isBehindCut(line) {
      stoppedAt = line.time
      return false
    }
    guard !divergences.isEmpty, rules.stopsAfterDivergence, !rules.noise.learns else { return true }
    linesAfterDivergence += 1
    if linesAfterDivergence > ReplayComparison.mostLinesAfterDivergence { stoppedAt = line.time }
    return stoppedAt == nil
  }

  /// Returns whether a line comes after all that a cut trace has. What came then is not known, and
  /// what was sent is missing.
  private func isBehindCut(_ line: TraceLine) -> Bool {
    if run.isComplete { return false }
    let late = run.header.isVirtual == true ? run.duration : run.duration + tolerance
    return reached >= run.entries.count || (line.time ?? 0) > late
  }

  private mutating func takeStep(_ at: String, _ line: TraceLine) {
    let lane = stepLane(of: at)
    if let number = line.number { begunSteps[number] = lane }
    guard let index = lanes.progress[lane].nextLine else {
      if hasSteps, !isBroken(.all(lane)) { noteExtra(line, .all(lane)) }
      return
    }
    note(index, at: line.time ?? 0)
    pass(index, in: .all(lane))
  }

  /// Takes the recorded exchange that answers a request.
  private mutating func takeExchange(of line: TraceLine) -> ExchangeChooser.Taken? {
    guard let step = line.cause.flatMap({ begunSteps[$0] }), recordedSteps.contains(step) else {
      return chooser.take(line)
    }
    let (run, rules, lanes) = (run, rules, lanes)
    return chooser.take(line) { recorded in
      // What no step caused, or one that is gone, may be anybody's.
      guard let cause = recorded.cause.flatMap({ run.index(of: $0) }),
        run.entries.kind(of: cause) == .step, let at = run.entries.at(of: cause),
        !rules.isGone(at), let other = lanes.number(ofStep: rules.placeNow(at))
      else { return false }
      return other != step
    }
  }

  private mutating func takeRequest(_ line: TraceLine) {
    guard let key = ConnectionKey(line) else { return }
    guard let found = takeExchange(of: line) else {
      taken.append(nil, on: key)
      return divergences.append(unanswered(line))
    }
    if found.layer != .exact { layers[found.layer, default: 0] += 1 }
    if found.isOfOtherStep, onceMore == nil {
      onceMore = Divergence(.onceMore, after: lastMatch, now: line, at: line.time ?? 0)
    }
    taken.append(found.exchange, on: key)
    compare(line, in: .exchange(found.exchange))
  }

  private func unanswered(_ line: TraceLine) -> Divergence {
    let nearest = chooser.nearest(to: line)
    let isKnown = nearest?.differences.isEmpty == true
    return Divergence(
      isKnown ? .onceMore : .unknownRequest,
      recorded: nearest.map { exchanges.request(of: $0.exchange) }, after: lastMatch, now: line,
      at: line.time ?? 0, differences: nearest?.differences ?? [])
  }

  /// Returns the exchange that the request took which arrives next on a connection of the replay;
  /// nil if it took none.
  package mutating func exchangeOfNextRequest(on connection: Int, at source: String) -> Int? {
    taken.arrive(on: ConnectionKey(source, connection))
  }

  private mutating func takeMessage(_ line: TraceLine) {
    guard line.from != nil, let key = ConnectionKey(line) else { return }
    let isCompared = line.isCompared(in: run.header)
    guard isCompared || line.isInput(in: run.header) else { return }
    switch taken.last(on: key) {
    case .unanswered: break
    case .exchange(let exchange):
      if isCompared { compare(line, in: .exchange(exchange)) } else { takeInput(line, exchange) }
    case .unasked:
      if isCompared { return compare(line, in: .all(lanes.number(of: .connection(key)))) }
      if run.isServed(line) { takeVisit(key, line) }
    }
  }

  private mutating func takeInput(_ line: TraceLine, _ exchange: Int) {
    guard let index = nextInput(of: exchange) else { return }
    note(index, at: line.time ?? 0)
    passInput(index, of: exchange)
  }

  /// Compares an assertion with the one of its turn, which is nearly always the next one at its
  /// place, and as it was.
  private mutating func compareAssertion(_ line: TraceLine, in lane: Int) {
    if divergences.isEmpty, let next = lanes.progress[lane].nextLine, isWrittenAlike(next, line) {
      compared += 1
      return noteMatch(of: next, in: .all(lane), line)
    }
    compare(line, in: .turn(turnsText(of: line), of: lane))
  }

  private mutating func compare(_ line: TraceLine, in part: LanePart) {
    if isBroken(part) { return }
    compared += 1
    guard let index = nextLine(in: part) else { return noteExtra(line, part) }
    if isWrittenAlike(index, line) { return noteMatch(of: index, in: part, line) }
    let entry = run.entries[index]
    let values = settledValues(entry.line, line, in: part)
    guard entry.line.kind == line.kind, entry.line.from == line.from,
      isMatch(values.recorded, values.now)
    else {
      breakOff(part)
      return divergences.append(
        Divergence(
          .otherValue, recorded: index, now: line, at: min(entry.time, line.time ?? 0),
          differences: contentDifferences(values, of: entry.line)))
    }
    noteMatch(of: index, in: part, line)
    compareTimes(entry, index, line)
  }

  /// True if a line is as it was recorded to the byte, at its time. Then the recorded one need not
  /// be read. Nearly all lines of sources and assertions are.
  private mutating func isWrittenAlike(_ index: Int, _ line: TraceLine) -> Bool {
    guard run.header.isVirtual == true, !rules.noise.mayPass, let value = line.value,
      line.time == run.entries.time(of: index), line.knownKind == run.entries.kind(of: index),
      line.knownKind == .emitted || line.knownKind == .finished || line.knownKind == .assertion
    else { return false }
    comparedBytes.removeAll(keepingCapacity: true)
    value.json.appendJSON(to: &comparedBytes, sortedKeys: true)
    return run.entries.hasPlainValue(comparedBytes, at: index)
  }

  private mutating func noteMatch(of index: Int, in part: LanePart, _ line: TraceLine) {
    note(index, at: line.time ?? 0)
    pass(index, in: part)
    noteOrder(index, line)
  }

  private mutating func noteExtra(_ line: TraceLine, _ part: LanePart) {
    breakOff(part)
    if case .all(let lane) = part, case .connection(let key) = lanes.names[lane],
      visits.brokenAt[key] != nil
    {
      return
    }
    divergences.append(Divergence(.extra, after: lastMatch, now: line, at: line.time ?? 0))
  }

  /// The index of the furthest line that has happened again; nil in a trace without lines.
  private var lastMatch: Int? { run.entries.isEmpty ? nil : furthest }

  private mutating func noteOrder(_ index: Int, _ line: TraceLine) {
    // In real time, chance orders what has one time.
    if run.header.isVirtual == true, index < furthest,
      run.entries.time(of: index) == run.entries.time(of: furthest)
    {
      if standsBeforeItsCause(index) {
        divergences.append(Divergence(.order, recorded: index, now: line, at: line.time ?? 0))
      } else {
        reordered += 1
      }
    }
    furthest = max(furthest, index)
  }
}

extension ReplayComparison {
  /// Returns whether a trace that somebody changed has an event before what caused it.
  private func standsBeforeItsCause(_ index: Int) -> Bool {
    run.entries[index].line.cause.flatMap { run.index(of: $0) }.map { $0 > index } ?? false
  }
}

// Values and times.
extension ReplayComparison {
  /// Returns what is compared of two lines; noise has its recorded value.
  private mutating func settledValues(
    _ recorded: TraceLine, _ now: TraceLine, in part: LanePart
  ) -> (recorded: Value, now: Value) {
    let values = (
      recorded: content.value(of: recorded, like: recorded),
      now: content.value(of: now, like: recorded)
    )
    guard rules.noise.mayPass, recorded.kind == now.kind,
      let scope = noiseScope(of: recorded, in: part)
    else { return values }
    let settled = noise.settled(
      values.now, toward: values.recorded, in: scope, by: rules.noise)
    return (values.recorded, settled)
  }

  private func contentDifferences(
    _ values: (recorded: Value, now: Value), of line: TraceLine
  ) -> [String] {
    let verb = line.knownKind == .request ? "asked" : "now"
    return content.differences(values.recorded, values.now, sides: ("recorded", verb))
  }

  private mutating func compareTimes(
    _ entry: TraceReader.Entry, _ index: Int, _ line: TraceLine
  ) {
    guard entry.line.knownKind != .assertion, !rules.noise.learns, let time = line.time else {
      return
    }
    guard let shift = shift(of: entry, to: time) else { return }
    let key = min(entry.time, time)
    if let first = divergences.firstIndex(where: { $0.kind == .time(shift) }) {
      divergences[first].followers += 1
    } else {
      divergences.append(Divergence(.time(shift), recorded: index, now: line, at: key))
    }
  }

  /// Returns by how much an event came late; nil if it came in time.
  private func shift(of entry: TraceReader.Entry, to time: Microseconds) -> Microseconds? {
    if run.header.isVirtual == true { return time == entry.time ? nil : time - entry.time }
    // In real time only the time since the cause says something.
    guard let cause = entry.line.cause.flatMap({ run.index(of: $0) }), let before = happened[cause]
    else { return nil }
    let shift = (time &- before) &- (entry.time &- run.entries.time(of: cause))
    return shift.magnitude <= tolerance.magnitude ? nil : shift
  }
}

// The end.
extension ReplayComparison {
  /// Ends the comparison: what has not come by now is missing.
  package mutating func finish(outcome: String, at end: Microseconds) {
    compareVerdict(outcome, at: end)
    noteMissingLines()
    for exchange in 0..<exchanges.count where !isBroken(.exchange(exchange)) {
      if let index = nextLine(in: .exchange(exchange)) { noteMissing(index) }
    }
    noteInputs()
    divergences = divergences.sorted { position($0) < position($1) }
    pairUp()
    nameCause()
  }

  private mutating func noteMissingLines() {
    for (number, lane) in lanes.names.enumerated() {
      switch lane {
      case .verdict: continue
      case .assertion: noteMissingAssertions(in: number)
      case .source, .step, .connection, .program:
        guard !lanes.progress[number].isBroken, let index = lanes.progress[number].nextLine else {
          continue
        }
        // What a step writes to a program never lies behind the end by chance.
        if case .program = lane, stoppedAt == nil, run.isComplete {
          noteMissing(index, isSure: true)
        } else {
          noteMissing(index)
        }
      }
    }
  }

  /// Notes the first assertion of each turn that did not come.
  private mutating func noteMissingAssertions(in lane: Int) {
    var missing: [Int] = []
    var seen: Set<Value> = []
    forEachAwaited(of: lane) { index in
      let turns = turnsText(of: run.entries[index].line)
      guard seen.insert(.string(turns)).inserted, !isBroken(.turn(turns, of: lane)) else { return }
      missing.append(index)
    }
    for index in missing { noteMissing(index) }
  }

  private mutating func noteMissing(_ index: Int, isSure: Bool = false) {
    guard isSure || !isAtEnd(run.entries.time(of: index)) else { return }
    // The replay of a cut trace may stop before an assertion is decided.
    if !run.isComplete, run.entries.kind(of: index) == .assertion { return }
    divergences.append(Divergence(.missing, recorded: index, at: run.entries[index].time))
  }

  /// Returns whether a time is at the end of the comparison. Near the end of a real-time trace, a
  /// line may be on either side of it.
  func isAtEnd(_ time: Microseconds) -> Bool {
    if let stoppedAt, time >= stoppedAt { return true }
    return run.header.isVirtual != true && run.duration - time <= tolerance
  }

  private mutating func compareVerdict(_ outcome: String, at end: Microseconds) {
    guard stoppedAt == nil, run.isComplete, let last = run.entries.last,
      let recorded = last.line.value?.json["outcome"]?.plainText, recorded != outcome
    else { return }
    divergences.append(
      Divergence(
        .otherValue, recorded: run.entries.count - 1,
        now: TraceLine(.verdict, ["outcome": .string(outcome)], at: end),
        at: max(end, last.time), differences: ["outcome: recorded \(recorded), now \(outcome)"]))
  }

  private mutating func noteInputs() {
    if rules.noise.learns { return }
    noteVisits()
    noteProgramInputs()
    for exchange in 0..<exchanges.count where chooser.isUsed(exchange) {
      guard let index = nextInput(of: exchange), !isAtEnd(run.entries.time(of: index)) else {
        continue
      }
      divergences.append(Divergence(.leftOver, recorded: index, at: run.entries[index].time))
    }
  }

  /// By time, and by the place in the trace. What assertions say follows from events, and what is
  /// only left over comes last.
  private func position(_ divergence: Divergence) -> (Microseconds, Int, Int) {
    let kind =
      divergence.now?.knownKind ?? divergence.recorded.flatMap { run.entries.kind(of: $0) }
    let follows = kind == .assertion || kind == .step
    let rank = divergence.kind == .leftOver ? 2 : follows ? 1 : 0
    return (divergence.time, rank, divergence.after ?? divergence.recorded ?? .max)
  }
}
