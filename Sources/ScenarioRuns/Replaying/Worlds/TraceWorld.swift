import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values

/// A trace, or a folder of traces, that answers in place of endpoints.
package struct TraceWorld: Sendable, Equatable {
  /// A recorded run, and the file it is in.
  fileprivate struct Recording: Sendable {
    var path: String
    var run: TraceRun
    var noise: [NoisePlace] = []
    /// The answers that are to be others.
    var changes: ChangedAnswers?
  }

  /// The path on the command line.
  package let path: String
  fileprivate var recordings: [Recording] = []
  /// The endpoints that keep their mocks.
  var mocked: Set<String> = []

  /// Makes a world whose traces are not read yet.
  package init(_ path: String) { self.path = path }

  /// Makes a world of one run that was read, some of whose answers are to be others.
  init(_ path: String, _ run: TraceRun, _ noise: [NoisePlace], changing changes: ChangedAnswers) {
    self.path = path
    recordings = [
      Recording(path: path, run: run.playedByClients, noise: noise, changes: changes)
    ]
  }

  /// The scenarios that the traces name.
  package var scenarios: [(path: String, title: String, row: String?)] {
    recordings.compactMap { recording in
      guard let named = recording.run.header.scenario, let path = named.path,
        let title = named.title
      else { return nil }
      return (straightPath(path, in: enclosingFolder(of: recording.path)), title, named.row)
    }
  }

  /// The header of the only run; nil if there are several.
  package var onlyHeader: TraceHeader? {
    recordings.count == 1 ? recordings[0].run.header : nil
  }

  package static func == (one: TraceWorld, other: TraceWorld) -> Bool { one.path == other.path }

  /// Reads the traces. Those of a folder come in the order of their names.
  mutating func read() -> TraceReading {
    var reading = TraceReading()
    recordings = []
    // Standard input and pipes have a trace, and are no file that could be found.
    switch isPiped(path) ? .files([path]) : findFiles(at: path, ending: traceSuffixes) {
    case .missing: reading.diagnostics = [.unreadableTrace(path, "there is no such file")]
    case .unreadable(let reason): reading.diagnostics = [.unreadableTrace(path, reason)]
    case .files(let files):
      for file in files { recordings += reading.recordings(in: file) }
      if !reading.diagnostics.hasErrors, recordings.isEmpty {
        reading.diagnostics = [.unreadableTrace(path, "it has no `*.trace.jsonl`")]
      }
    }
    return reading
  }
}

/// The result of reading traces: their texts, and what is wrong with them.
package struct TraceReading: Sendable {
  package var sources = SourceMap()
  package var diagnostics: [Diagnostic] = []

  fileprivate mutating func recordings(in path: String) -> [TraceWorld.Recording] {
    switch openTrace(path) {
    case .failure(let problem):
      diagnostics.append(.unreadableTrace(path, problem.message))
      return []
    case .success(let bytes):
      let trace = ReadTrace(bytes)
      let file = sources.add(SourceFile(path: path, recording: bytes))
      diagnostics += trace.problems.map { $0.diagnostic(in: file) }
      let noise = NoiseFile.read(beside: path, &sources)
      diagnostics += noise.diagnostics
      return trace.runs.map { run in
        let resolver = TraceResolver(body: { readBody($0, of: path) })
        let played = run.playedByClients
        diagnostics += played.unreadableInputs(resolver).map { $0.diagnostic(in: file) }
        return TraceWorld.Recording(path: path, run: played, noise: noise.value.places)
      }
    }
  }
}

extension WorldKind {
  /// Reads the traces of the world, if it has any.
  package mutating func readTraces() -> TraceReading {
    switch self {
    case .mock, .sockets, .real: return TraceReading()
    case .trace(var world):
      let reading = world.read()
      self = .trace(world)
      return reading
    case .chosen(var choices):
      let reading = choices.trace?.read() ?? TraceReading()
      self = .chosen(choices)
      return reading
    }
  }
}

extension TraceRun {
  /// The run as a client of its endpoints sees it: what endpoints sent are inputs. A trace of
  /// `rehearse serve` has the other side, and one of another program may have none.
  fileprivate var playedByClients: TraceRun {
    var run = self
    for name in endpointNames { run.header.sides[name] = .string(TraceSide.client.rawValue) }
    return run
  }

  fileprivate var endpointNames: [String] {
    var names: [String] = []
    for index in entries.indices where entries.kind(of: index) == .request {
      guard let name = entries.source(of: index), !names.contains(name),
        entries[index].line.from == .client
      else { continue }
      names.append(name)
    }
    return names
  }
}

// What a scenario gets of the traces.
extension TraceWorld {
  /// The endpoints that have requests in the traces, in the order of the document.
  private func played(of plan: ScenarioPlan) -> [EndpointID] {
    let names = Set(recordings.flatMap(\.run.endpointNames)).subtracting(others(in: plan))
    return plan.endpoints.withIDs.filter { names.contains($1.name) }.map(\.0)
  }

  /// Returns the names of endpoints that no trace answers for: mocks by choice, and programs of the
  /// scenario.
  private func others(in plan: ScenarioPlan) -> Set<String> {
    plan.programs.isEmpty ? mocked : mocked.union(plan.servers)
  }

  /// Returns why a scenario cannot run here: no endpoint of it is in the traces.
  func problem(for plan: ScenarioPlan) -> Diagnostic? {
    guard let first = plan.endpoints.first, played(of: plan).isEmpty else { return nil }
    return .traceWithoutEndpoints(path, recordings.flatMap(\.run.endpointNames), first)
  }

  func played(for plan: ScenarioPlan) -> TracePlay {
    TracePlay(plan, path, recordings, besides: others(in: plan))
  }
}

/// The play of traces in one run: it chooses the recorded exchange of each request.
final class TracePlay: ReplayGuide {
  /// A request that was answered by another one's answer.
  private struct LooseAnswer {
    var endpoint: EndpointID
    var request: String
    var layer: RequestLayer
    var differences: [String]
  }

  /// A request with another query is another request.
  private static let layers: [RequestLayer] = [.exact, .operation, .query]

  private let plan: ScenarioPlan
  private let path: String
  /// An exchange of one of the recordings.
  private struct Recorded {
    var recording: Int32
    var exchange: Int32
  }

  private let trace: ReplayedTrace
  private let recordings: [TraceWorld.Recording]
  private let makers: [ReplayMaker]
  private let exchanges: [RecordedExchanges]
  private let recorded: [Recorded]
  /// The endpoints that were chosen to keep their mocks.
  private let mocked: Set<String>
  private var chooser: ExchangeChooser
  private var looseAnswers: [LooseAnswer] = []
  /// The exchanges that requests took, and the conversations among them that a GET began.
  private var taken: Set<Int> = []
  private var conversations: [(endpoint: EndpointID, target: String, played: PlayedExchange)] = []

  fileprivate init(
    _ plan: ScenarioPlan, _ path: String, _ recordings: [TraceWorld.Recording],
    besides mocked: Set<String>
  ) {
    self.plan = plan
    self.mocked = mocked
    self.path = path
    let names = Set(plan.endpoints.map(\.name)).subtracting(mocked)
    self.recordings = recordings
    let makers = recordings.map { recording in
      let resolver = TraceResolver(body: { readBody($0, of: recording.path) })
      return ReplayMaker(plan, recording.run, resolver)
    }
    let exchanges = recordings.map { recording in
      RecordedExchanges(recording.run) { request in
        recording.run.entries.source(of: request).map(names.contains) == true
      }
    }
    var recorded: [Recorded] = []
    for (number, exchanges) in exchanges.enumerated() {
      for exchange in 0..<exchanges.count where makers[number].isPlayed(exchange, of: exchanges) {
        recorded.append(Recorded(recording: Int32(number), exchange: Int32(exchange)))
      }
    }
    (self.makers, self.exchanges, self.recorded) = (makers, exchanges, recorded)
    let requests = recorded.map { one in
      let request = exchanges[Int(one.recording)].request(of: Int(one.exchange))
      return (recording: one.recording, request: Int32(request))
    }
    var trace = ReplayedTrace(
      sent: PerID(repeating: RisingTimes(), for: plan.endpoints), times: RisingTimes(),
      isVirtual: true)
    trace.timing = .relative
    let asked = Set(
      requests.compactMap { recordings[Int($0.recording)].run.entries.source(of: Int($0.request)) })
    trace.played = Set(plan.endpoints.withIDs.filter { asked.contains($0.1.name) }.map(\.0))
    self.trace = trace
    let noise = ReplayNoise(
      recordings.flatMap(\.noise), match: plan.traces.match, ignore: plan.traces.ignore)
    chooser = ExchangeChooser(count: recorded.count, repeats: true, noise: noise) { exchange in
      let one = requests[exchange]
      return recordings[Int(one.recording)].run.entries[Int(one.request)].line
    }
  }

  var replay: Replay { Replay(trace, self) }

  /// Returns failures with a note where a recording leaves out what is missing.
  func noting(leftOut failures: [Diagnostic]) -> [Diagnostic] {
    guard let header = recordings.map(\.run.header).first(where: \.hasRealEndpoints) else {
      return failures
    }
    return failures.noting(leftOutOf: header)
  }

  func choose(
    for request: Exchange.Request, at endpoint: EndpointID, connection: Int
  ) -> ExchangeChoice {
    let line = TraceLine(request, to: plan.endpoints[endpoint].name)
    let id = request.headers.first { $0.name.lowercasedASCII == "last-event-id" }?.value
    let exact = chooser.take(line, by: [.exact])
    if exact == nil, let id, let rest = restOfStream(behind: id, asked: line) {
      return .exchange(rest)
    }
    guard let taken = exact ?? chooser.take(line, by: TracePlay.layers) else {
      return .unknown(nearest(to: line))
    }
    let found = taken.exchange
    if taken.layer != .exact {
      looseAnswers.append(
        LooseAnswer(
          endpoint: endpoint, request: line.valueText, layer: taken.layer,
          differences: chooser.differences(of: found, from: line)))
    }
    let played = played(found)
    if request.method == "GET" {
      note(played, found, at: endpoint, request.target, isExpected: exact != nil && id != nil)
    }
    let number = Int(recorded[found].recording)
    if recordings[number].changes?.change(played, at: self.request(of: recorded[found])) == true {
      chooser.giveBack(found)
    }
    return .exchange(played)
  }

  private func played(_ found: Int) -> PlayedExchange {
    let (number, place) = (Int(recorded[found].recording), Int(recorded[found].exchange))
    return makers[number].exchange(
      place, of: exchanges[number], isRelative: true, hasOutages: false)
  }

  private func request(of one: Recorded) -> Int {
    exchanges[Int(one.recording)].request(of: Int(one.exchange))
  }

  /// Returns the rest of a recorded stream for a client that names an event of it.
  private func restOfStream(behind id: String, asked: TraceLine) -> PlayedExchange? {
    for (found, one) in recorded.enumerated() {
      let (exchanges, entries) = (
        exchanges[Int(one.recording)], recordings[Int(one.recording)].run.entries
      )
      let line = entries[exchanges.request(of: Int(one.exchange))].line
      guard line.source == asked.source,
        ["method", "path", "query"].allSatisfy({ line.value?.json[$0] == asked.value?.json[$0] })
      else { continue }
      let events = exchanges.lines(of: Int(one.exchange)).filter { entries.kind(of: $0) == .event }
      guard
        let last = events.last(where: {
          entries[$0].line.value?.json["id"] == .string(id)
        })
      else { continue }
      let played = played(found)
      played.resume(behind: last)
      return played
    }
    return nil
  }

  /// Notes whether a conversation begins that a client may miss something of: it began before, or
  /// an earlier one broke off that nobody goes on with.
  private func note(
    _ played: PlayedExchange, _ found: Int, at endpoint: EndpointID, _ target: String,
    isExpected: Bool
  ) {
    let isNew = taken.insert(found).inserted
    guard played.opensConversation else { return }
    let isBroken = conversations.contains {
      $0.endpoint == endpoint && $0.target == target && $0.played.wasLeft
    }
    played.beginsAgain = !isExpected && (!isNew || isBroken)
    conversations.append((endpoint, target, played))
  }

  private func nearest(to line: TraceLine) -> TracedRequest {
    let nearest = chooser.nearest(to: line)
    return TracedRequest(
      path: path, nearest: nearest.map { requestText(recorded[$0.exchange]) },
      differences: nearest?.differences ?? [])
  }

  /// Returns the place of a recorded request, and what it asked.
  private func requestText(_ one: Recorded) -> String {
    let recording = recordings[Int(one.recording)]
    let entry = recording.run.entries[request(of: one)]
    return "\(recording.path):\(entry.place.line)  \(entry.line.valueText)"
  }

  // What is due comes in the order of time: nothing waits for what was recorded before it.
  let reached = Int.max
  let isOver = false
  func takeCalendarTime() -> Timestamp? { nil }
}

// What a reader of the report must know.
extension TracePlay {
  var warnings: [Diagnostic] { mockedEndpoints.map(Diagnostic.mockBesideTrace) + looseWarnings }

  private var mockedEndpoints: [EndpointPlan] {
    let played = trace.played ?? []
    return plan.endpoints.withIDs.filter { !played.contains($0.0) && !mocked.contains($0.1.name) }
      .map(\.1)
  }

  /// A warning for each endpoint, with the first of its requests.
  private var looseWarnings: [Diagnostic] {
    plan.endpoints.withIDs.compactMap { id, endpoint in
      let answers = looseAnswers.filter { $0.endpoint == id }
      guard let first = answers.first else { return nil }
      return .looseAnswers(
        answers.count, endpoint, first.request, first.layer, first.differences)
    }
  }
}
