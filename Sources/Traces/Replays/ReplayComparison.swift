import Values

/// The comparison of a replay with its trace: the lines of the replay in, the divergences out.
///
/// Lines are compared in lanes: a source, an exchange, an assertion. In a lane the order counts;
/// between lanes it follows from times and causes.
package struct ReplayComparison: Sendable {
  /// What has an order of its own.
  enum Lane: Hashable, Sendable {
    case source(String)
    case step(String)
    case exchange(Int)
    case connection(ConnectionKey)
    /// What the scenario wrote to a program.
    case program(String)
    case assertion(String)
    case verdict
  }

  package let run: TraceRun
  package let rules: ReplayRules
  package let exchanges: [RecordedExchange]
  /// By exchange: the lines that the other side sent.
  package let inputs: [[Int]]
  /// The sources that the scenario ignores at some time.
  private let ignoredSources: Set<String>
  /// The most that times may differ by: more if the machine was late when the trace was recorded.
  let tolerance: Microseconds
  var chooser: ExchangeChooser
  var lanes = ReplayLanes()
  /// By entry: the number of its lane; -1 for one that is not compared.
  private var laneOfEntry: [Int32]
  /// False for a trace of an older version, which has the pongs alone.
  let recordsPings: Bool
  /// The bytes of a value that is compared.
  var comparedBytes: [UInt8] = []
  /// By connection of the replay: the exchanges that its requests took, in order.
  var taken: [ConnectionKey: [Int]] = [:]
  /// What clients sent, if endpoints are served.
  let visits: VisitInputs
  /// What programs did.
  var programInputs: ProgramInputs
  /// By connection: how much clients sent in the replay, if endpoints are served.
  var visited: [ConnectionKey: Int] = [:]
  /// By exchange: what the other side sent in the replay.
  var received: [Int: Int] = [:]
  /// By entry: the time at which it happened again.
  package private(set) var happened: HappenedTimes
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
  /// What the noise of the rules let pass.
  package internal(set) var noise = PassedNoise()
  var furthest = 0

  package init(_ run: TraceRun, _ rules: ReplayRules) {
    self.run = run
    self.rules = rules
    let exchanges = run.recordedExchanges.filter { !run.isServed($0.request) }
    self.exchanges = exchanges
    inputs = exchanges.map { exchange in
      exchange.lines.filter { run.entries[$0].line.isInput(in: run.header) }
    }
    visits = run.isOfServer ? VisitInputs(run) : VisitInputs()
    programInputs = ProgramInputs(run)
    ignoredSources = rules.ignored(in: run)
    tolerance = ReplayRules.tolerance + min(run.longestLag, ReplayRules.mostExcusedLag)
    chooser = ExchangeChooser(
      exchanges.lazy.map { run.entries[$0.request].line }, noise: rules.noise)
    recordsPings = run.recordsPings
    happened = HappenedTimes(count: run.entries.count)
    laneOfEntry = [Int32](repeating: -1, count: run.entries.count)
    calendarTimes = run.entries.indices.filter { run.entries.kind(of: $0) == .now }[...]
    makeLanes()
    advance()
  }

  private mutating func makeLanes() {
    let places = exchangeOfEntry
    for index in run.entries.indices {
      guard let lane = makeLane(of: index, exchange: places[index]),
        !visits.isUnknown(index, in: lanes.names[lane])
      else { continue }
      laneOfEntry[index] = Int32(lane)
      lanes.progress[lane].lines.append(Int32(index))
    }
  }

  /// Returns the lane of an entry. Only a line whose lane is not plain from its source is read.
  private mutating func makeLane(of index: Int, exchange: @autoclosure () -> Int?) -> Int? {
    let kind = run.entries.kind(of: index)
    if kind == .emitted || kind == .finished {
      return run.entries.source(of: index).flatMap { sourceLane(of: $0) }
    }
    if kind == .step { return run.entries.at(of: index).map { stepLane(of: $0) } }
    guard (kind?.comparison ?? .never) != .never else { return nil }
    return lane(of: run.entries[index].line, exchange: exchange()).map { lanes.number(of: $0) }
  }

  private var exchangeOfEntry: [Int: Int] {
    var places: [Int: Int] = [:]
    for (number, exchange) in exchanges.enumerated() {
      places[exchange.request] = number
      for line in exchange.lines { places[line] = number }
    }
    return places
  }

  /// Notes that an entry has happened again.
  mutating func note(_ index: Int, at time: Microseconds) {
    happened[index] = time
    lastHappened = index
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

  /// The lane of an entry; nil for one that is not compared.
  func lane(of index: Int) -> Lane? {
    let number = Int(laneOfEntry[index])
    return number < 0 ? nil : lanes.names[number]
  }

  /// Moves the mark behind all that has happened.
  mutating func advance() {
    while reached < run.entries.count, happened[reached] != nil || !isAwaited(reached) {
      reached += 1
    }
  }

  /// True if inputs that were recorded later wait for an entry.
  private func isAwaited(_ index: Int) -> Bool {
    let lane = Int(laneOfEntry[index])
    return lane >= 0 && lanes.areAwaited(lane)
  }
}

/// The times at which entries happened again.
package struct HappenedTimes: Sendable {
  private var times: [Microseconds]
  private static let never = Microseconds.min

  init(count: Int) { times = [Microseconds](repeating: HappenedTimes.never, count: count) }

  /// The time at which an entry happened again; nil if it has not.
  package subscript(index: Int) -> Microseconds? {
    get { times[index] == HappenedTimes.never ? nil : times[index] }
    set { times[index] = newValue ?? HappenedTimes.never }
  }
}

/// What a comparison must know of the scenario.
package struct ReplayRules: Sendable {
  /// The endpoints, whose own events follow from what clients sent.
  package var endpoints: Set<String>
  /// By endpoint: the headers that the scenario writes itself, in lower case.
  package var writtenHeaders: [String: Set<String>]
  /// The places at which any value of the same type is equal.
  package var noise = ReplayNoise()
  /// True if the comparison may stop some time after a divergence.
  package var stopsAfterDivergence = true

  package init(endpoints: Set<String>, writtenHeaders: [String: Set<String>] = [:]) {
    self.endpoints = endpoints
    self.writtenHeaders = writtenHeaders
  }

  /// The headers that are compared only if the scenario writes them.
  package static let ignoredHeaders: Set<String> = [
    "user-agent", "host", "accept", "accept-encoding", "connection", "content-length",
    "sec-websocket-key",
  ]
  /// The most that times of a real-time trace may differ by.
  package static let tolerance: Microseconds = 50_000
  /// The most that is allowed beyond that because the machine was late.
  package static let mostExcusedLag: Microseconds = 200_000
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
  /// Returns the lane of a recorded line; nil for one that is not compared.
  private func lane(of line: TraceLine, exchange: Int?) -> Lane? {
    guard let kind = line.knownKind else { return nil }
    switch kind {
    case .step: return line.at.map { .step(placeKey($0)) }
    case .assertion: return assertionLane(line)
    case .verdict: return .verdict
    case .stdin, .signal: return line.source.map { .program($0) }
    case .emitted, .finished: return line.source.flatMap { madeSourceLane(of: $0) }
    case .request, .response, .stream, .upgrade, .event, .line, .message, .ping, .pong, .bytes,
      .goodbye,
      .drop, .reset, .left, .unreachable:
      guard line.isCompared(in: run.header), let key = ConnectionKey(line) else { return nil }
      return exchange.flatMap { isOurs(line) ? .exchange($0) : nil } ?? .connection(key)
    case .subscribed, .unsubscribed, .ready, .exit, .now, .branch, .phase, .read, .idle, .network,
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

  func assertionLane(_ line: TraceLine) -> Lane? {
    let json = line.value?.json
    // What a mock receives is judged by the mock, which does not run.
    if json?["verb"] == "receive", !run.isOfServer { return nil }
    let turns = json?["turns"]?.json() ?? ""
    return .assertion(placeKey(line.at ?? "") + turns)
  }

  private func isOurs(_ line: TraceLine) -> Bool {
    line.source.flatMap { run.header.side(of: $0) } ?? .client == .client
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

extension ReplayRules {
  fileprivate func ignored(in run: TraceRun) -> Set<String> {
    var names: Set<String> = []
    for index in run.entries.indices where run.entries.kind(of: index) == .ignored {
      guard case .list(let sources)? = run.entries[index].line.value?.json else { continue }
      for source in sources { names.insert(source.plainText) }
    }
    return names
  }
}
