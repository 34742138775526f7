import Values

/// The comparison of a replay with its trace: the lines of the replay in, the divergences out.
///
/// Lines are compared in lanes: a source, an exchange, an assertion. In a lane the order counts;
/// between lanes it follows from times and causes.
package struct ReplayComparison: Sendable {
  /// A sequence with an order of its own. Each turn of an assertion has one too, and each exchange.
  enum Lane: Hashable, Sendable {
    case source(String)
    case step(String)
    case connection(ConnectionKey)
    /// The lines that the scenario wrote to a program.
    case program(String)
    case assertion(String)
    case verdict
  }

  /// A lane, or the part of it that has an order of its own.
  enum LanePart: Hashable, Sendable {
    case all(Int)
    /// The assertions of one turn of the loops around them.
    case turn(String, of: Int)
    case exchange(Int)
  }

  package let run: TraceRun
  package let rules: ReplayRules
  let isOfServer: Bool
  /// The compared content of lines.
  let content: ComparedContent
  package private(set) var exchanges: RecordedExchanges
  /// The sources that the scenario ignores at some time.
  private let ignoredSources: Set<String>
  /// The most that times may differ by: more if the machine was late when the trace was recorded.
  let tolerance: Microseconds
  var chooser: ExchangeChooser
  var lanes = ReplayLanes()
  /// The compared lines that have not happened again.
  private(set) var awaited: EntrySet
  /// The inputs of exchanges that have not happened again.
  private var inputs: EntrySet
  /// By exchange under way: the lines that are compared, and the inputs, which come next.
  private var nextLines: [Int: Int] = [:]
  private var nextInputs: [Int: Int] = [:]
  /// The parts of lanes in which something else came: what follows says nothing more.
  private var brokenParts: Set<LanePart> = []
  /// By lane of assertions in which turns came in another order: the lines by their turns.
  private var linesOfTurns: [Int: [String: [Int32]]] = [:]
  /// False for a trace of an older version, which has the pongs alone.
  let recordsPings: Bool
  /// The bytes of a value that is compared.
  var comparedBytes: [UInt8] = []
  /// By the number of a line of the replay: the lane of the step that began with it.
  var begunSteps: [Int: Int] = [:]
  /// The first request that took the answer to one of a later step.
  var onceMore: Divergence?
  /// The lanes of steps that the trace has.
  private(set) var recordedSteps: Set<Int> = []
  /// True if the trace says which steps were taken.
  var hasSteps: Bool { !recordedSteps.isEmpty }
  /// By connection of the replay: the exchanges that its requests took.
  var taken = TakenExchanges()
  /// The inputs of clients, if endpoints are served.
  package let visits: VisitInputs
  /// Replays of programs.
  var programInputs: ProgramInputs
  /// By connection: how much clients sent in the replay, if endpoints are served.
  var visited: [ConnectionKey: Int] = [:]
  /// By entry: the time at which it happened again.
  private(set) var happened: HappenedTimes
  /// The index of an entry to look out for, and whether it has happened again.
  private(set) var watched: Int?
  package private(set) var hasReachedWatched = false
  /// The index of the entry that happened again last.
  private var lastHappened = -1
  /// The entries of what `now()` gave that were not taken, in order.
  private var calendarTimes: ArraySlice<Int> = []
  /// The index of the first entry that inputs wait for and that has not happened yet.
  package private(set) var reached = 0
  package internal(set) var divergences: [Divergence] = []
  /// The number of lines that were compared after the first divergence.
  var linesAfterDivergence = 0
  /// The time at which the comparison stopped after a divergence; nil if it went to the end.
  package internal(set) var stoppedAt: Microseconds?
  /// The most lines that are compared after the first divergence: what follows from it is counted
  /// that far.
  package static let mostLinesAfterDivergence = 10_000
  /// The number of requests that were found by each rule but the strictest.
  package internal(set) var layers: [RequestLayer: Int] = [:]
  /// The number of lines that came in another order than independent ones of their time.
  package internal(set) var reordered = 0
  package internal(set) var compared = 0
  /// The differences that the rules for noise let pass.
  package internal(set) var noise = PassedNoise()
  var furthest = 0
  private var hasBrokenLanes = false

  package init(_ run: TraceRun, _ rules: ReplayRules) {
    self.run = run
    self.rules = rules
    content = ComparedContent(written: rules.writtenHeaders, noise: rules.noise)
    exchanges = RecordedExchanges(run) { !run.isServed($0) }
    isOfServer = run.isOfServer
    visits = isOfServer ? VisitInputs(run) : VisitInputs()
    programInputs = ProgramInputs(run)
    ignoredSources = rules.ignored(in: run)
    tolerance = ReplayRules.tolerance + min(run.longestLag, ReplayRules.mostExcusedLag)
    let requests = exchanges.requests
    chooser = ExchangeChooser(count: exchanges.count, noise: rules.noise) {
      run.entries[Int(requests[$0])].line
    }
    recordsPings = run.recordsPings
    happened = HappenedTimes(count: run.header.isVirtual == true ? 0 : run.entries.count)
    awaited = EntrySet(count: run.entries.count)
    inputs = EntrySet(count: run.entries.count)
    calendarTimes = run.entries.indices.filter { run.entries.kind(of: $0) == .now }[...]
    makeLanes()
    recordedSteps = Set(
      lanes.names.indices.filter { if case .step = lanes.names[$0] { true } else { false } })
    advance()
  }

  private mutating func makeLanes() {
    for index in run.entries.indices {
      if exchanges.contains(index) {
        markLine(index)
      } else if let lane = makeLane(of: index), !visits.isUnknown(index, in: lanes.names[lane]) {
        // Nothing waits for a step that is gone.
        if !isOfGoneStep(index) { awaited.insert(index) }
        if let before = lanes.progress[lane].append(index) {
          exchanges.chains.link(before, to: index)
        }
      }
    }
  }

  /// Marks a line of an exchange: it is compared, or it is an input.
  private mutating func markLine(_ index: Int) {
    let passage = run.entries.passage(of: index)
    let side = run.entries.source(of: index).flatMap { run.header.side(of: $0) }
    if passage.isOwn || side == passage.from {
      awaited.insert(index)
    } else if side != nil {
      inputs.insert(index)
    }
  }

  /// Returns the lane of an entry. Only a line whose lane is not plain from its source is read.
  private mutating func makeLane(of index: Int) -> Int? {
    let kind = run.entries.kind(of: index)
    if kind == .emitted || kind == .finished {
      return run.entries.source(of: index).flatMap { sourceLane(of: $0) }
    }
    if kind == .step { return run.entries.at(of: index).map { stepLane(of: placeNow($0)) } }
    guard (kind?.comparison ?? .never) != .never else { return nil }
    var line = run.entries[index].line
    line.at = line.at.map(placeNow)
    if kind == .assertion { return assertionLane(line) }
    return lane(of: line).map { lanes.number(of: $0) }
  }

  private func isOfGoneStep(_ index: Int) -> Bool {
    !rules.moved.isEmpty && run.entries.kind(of: index) == .step
      && run.entries.at(of: index).map(rules.isGone) == true
  }

  /// Returns where a step of the trace stands now.
  private func placeNow(_ at: String) -> String { rules.placeNow(at) }

  /// Looks out for an entry: for the one before it that is compared or an input, if it is neither.
  package mutating func watch(_ index: Int) {
    watched = (0...index).last { awaited.contains($0) || inputs.contains($0) } ?? index
  }

  /// Notes that an entry has happened again.
  mutating func note(_ index: Int, at time: Microseconds) {
    awaited.remove(index)
    inputs.remove(index)
    happened[index] = time
    lastHappened = index
    if index == watched { hasReachedWatched = true }
  }

  /// Takes what `now()` gave right after what happened last; nil if the trace does not have it.
  package mutating func takeCalendarTime() -> Timestamp? {
    while let first = calendarTimes.first, first < lastHappened { calendarTimes.removeFirst() }
    guard let first = calendarTimes.first, first < reached,
      case .success(.timestamp(let time))? = run.entries[first].line.value?.decoded()
    else { return nil }
    calendarTimes.removeFirst()
    return time
  }

  /// Moves the mark behind all that has happened.
  mutating func advance() {
    while reached < run.entries.count, !awaited.contains(reached) || !isAwaited(reached) {
      reached += 1
    }
  }

  /// True if inputs that were recorded later wait for an entry that is compared.
  private func isAwaited(_ index: Int) -> Bool {
    let kind = run.entries.kind(of: index)
    if kind == .assertion || kind == .verdict { return false }
    guard hasBrokenLanes else { return true }
    // What follows something else in its lane does not come any more.
    switch kind {
    case .emitted?, .finished?:
      let lane = run.entries.source(of: index).flatMap { lanes.number(ofSource: $0) ?? nil }
      return lane.map { !lanes.progress[$0].isBroken } ?? true
    case .stdin?, .signal?:
      let source = run.entries.source(of: index)
      let isBroken = zip(lanes.names, lanes.progress).contains { name, progress in
        progress.isBroken && source.map { name == .program($0) } == true
      }
      return !isBroken
    default: return true
    }
  }
}

// The lines of lanes.
extension ReplayComparison {
  /// Returns the line that is to come next in a part of a lane; nil if all have come.
  mutating func nextLine(in part: LanePart) -> Int? {
    switch part {
    case .all(let lane): return lanes.progress[lane].nextLine
    case .turn(let turns, let lane): return nextAssertion(of: turns, in: lane)
    case .exchange(let exchange):
      let start = nextLines[exchange] ?? exchanges.request(of: exchange)
      let next = firstEntry(from: start) { awaited.contains($0) }
      nextLines[exchange] = next
      return next
    }
  }

  /// Returns the input that is to come next in an exchange; nil if all have come.
  mutating func nextInput(of exchange: Int) -> Int? {
    let start = nextInputs[exchange] ?? exchanges.request(of: exchange)
    let next = firstEntry(from: start) { inputs.contains($0) }
    nextInputs[exchange] = next
    return next
  }

  /// Moves a lane behind a line that has happened again.
  mutating func pass(_ index: Int, in part: LanePart) {
    let lane: Int
    switch part {
    case .all(let number), .turn(_, let number): lane = number
    case .exchange(let exchange):
      // One that is complete needs no mark.
      nextLines[exchange] = firstEntry(from: index) { awaited.contains($0) }
      return
    }
    guard lanes.progress[lane].nextLine == index else { return }
    lanes.progress[lane].nextLine = firstEntry(from: index) { awaited.contains($0) }
  }

  /// Moves an exchange behind an input that has happened again.
  mutating func passInput(_ index: Int, of exchange: Int) {
    nextInputs[exchange] = firstEntry(from: index) { inputs.contains($0) }
  }

  func isBroken(_ part: LanePart) -> Bool {
    if !hasBrokenLanes { return false }
    if case .all(let lane) = part { return lanes.progress[lane].isBroken }
    return brokenParts.contains(part)
  }

  /// Notes that something else came in a part of a lane.
  mutating func breakOff(_ part: LanePart) {
    hasBrokenLanes = true
    if case .all(let lane) = part {
      lanes.progress[lane].isBroken = true
    } else {
      brokenParts.insert(part)
    }
  }

  /// Returns the first line of a chain, from one of its lines on, that is looked for.
  func firstEntry(from index: Int, where isWanted: (Int) -> Bool) -> Int? {
    var next: Int? = index
    while let index = next, !isWanted(index) { next = exchanges.chains[after: index] }
    return next
  }

  /// Returns the next assertion of a turn. It is nearly always the next one at its place, or one
  /// of a branch that runs at the same time.
  private mutating func nextAssertion(of turns: String, in lane: Int) -> Int? {
    if linesOfTurns[lane] == nil {
      var next = lanes.progress[lane].nextLine
      for _ in 0..<ReplayComparison.mostTurnsAhead {
        guard let index = next else { return nil }
        if turnsText(of: run.entries[index].line) == turns { return index }
        next = exchanges.chains[after: index]
          .flatMap { firstEntry(from: $0, where: awaited.contains) }
      }
      linesOfTurns[lane] = awaitedLines(of: lane)
    }
    return linesOfTurns[lane]?[turns]?.first { awaited.contains(Int($0)) }.map { Int($0) }
  }

  private static let mostTurnsAhead = 64

  private func awaitedLines(of lane: Int) -> [String: [Int32]] {
    var lines: [String: [Int32]] = [:]
    forEachAwaited(of: lane) { index in
      lines[turnsText(of: run.entries[index].line), default: []].append(Int32(index))
    }
    return lines
  }

  /// Calls a function with each line of a lane that has not happened again.
  func forEachAwaited(of lane: Int, _ body: (Int) -> Void) {
    var next = lanes.progress[lane].nextLine
    while let index = next {
      if awaited.contains(index) { body(index) }
      next = exchanges.chains[after: index]
    }
  }

  /// Returns the turns of the loops around an assertion; no text if there are none.
  func turnsText(of line: TraceLine) -> String { line.value?.json["turns"]?.json() ?? "" }
}

extension TraceRun {
  /// The longest that the machine was late in a run in real time, as the trace notes it.
  fileprivate var longestLag: Microseconds {
    guard header.isVirtual != true else { return 0 }
    let lags = entries.indices.lazy.filter { entries.kind(of: $0) == .log }.compactMap { index in
      if case .int(let lag)? = entries[index].line.value?.json["lag"] {
        Microseconds(lag)
      } else {
        nil
      }
    }
    return max(0, lags.max() ?? 0)
  }
}

extension ReplayComparison {
  /// Returns the lane of a recorded line that is in no exchange; nil for one that is not compared.
  private func lane(of line: TraceLine) -> Lane? {
    guard let kind = line.knownKind else { return nil }
    switch kind {
    case .verdict: return .verdict
    case .stdin, .signal: return line.source.map { .program($0) }
    case .request, .response, .stream, .upgrade, .event, .line, .message, .ping, .pong, .bytes,
      .goodbye,
      .drop, .reset, .left, .unreachable:
      guard line.isCompared(in: run.header) else { return nil }
      return ConnectionKey(line).map { .connection($0) }
    case .step, .assertion, .emitted, .finished, .subscribed, .unsubscribed, .ready, .exit, .now,
      .branch, .phase, .read, .idle, .network,
      .fault, .log, .ignored, .problem, .failure, .listening, .pending:
      return nil
    }
  }

  /// Returns the number of the lane of a source; nil for one that is not compared.
  mutating func sourceLane(of source: String) -> Int? {
    lanes.number(ofSource: source) ?? lanes.set(madeSourceLane(of: source), ofSource: source)
  }

  /// Returns the number of the lane of the step at a place.
  mutating func stepLane(of at: String) -> Int {
    lanes.number(ofStep: at) ?? lanes.set(.step(placeKey(at)), ofStep: at)
  }

  private func madeSourceLane(of source: String) -> Lane? {
    // What an endpoint emits is what a client sent, and the scenario's own events say more.
    if rules.endpoints.contains(source), run.header.side(of: source) != .server { return nil }
    if run.header.program(of: source) != nil { return nil }
    return ignoredSources.contains(source) ? nil : .source(source)
  }

  /// Returns the number of the lane of an assertion; nil for one that is not compared.
  mutating func assertionLane(_ line: TraceLine) -> Int? {
    // What a mock receives is judged by the mock, which does not run.
    if !isOfServer, line.value?.json["verb"] == "receive" { return nil }
    let at = line.at ?? ""
    return lanes.number(ofAssertion: at) ?? lanes.set(.assertion(placeKey(at)), ofAssertion: at)
  }

  /// Returns `line:column` of `path:line:column`: paths begin at different folders.
  func placeKey(_ at: String) -> String {
    var (start, colons) = (at.utf8.endIndex, 0)
    while start > at.utf8.startIndex {
      let before = at.utf8.index(before: start)
      if at.utf8[before] == UInt8(ascii: ":") { colons += 1 }
      if colons == 2 { break }
      start = before
    }
    return String(at[start...])
  }
}
