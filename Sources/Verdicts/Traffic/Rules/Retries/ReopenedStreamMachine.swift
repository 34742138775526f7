import Diagnostics
import Events
import TextSearch

/// The request that opens a stream.
private struct StreamTarget: Hashable {
  var server: String
  var target: String
  /// By what one client differs from another.
  var client: String

  /// Nil for what is no stream of events that a client may resume. Whether it is one of events, the
  /// answer says: many clients do not ask for one by `Accept`.
  init?(_ request: Exchange.Request, _ line: ExchangeLine) {
    guard request.method == "GET" else { return nil }
    server = line.server
    target = request.target
    client = ["authorization", "cookie", "user-agent", "mcp-session-id"]
      .map { request.header($0) ?? "" }.joined(separator: "\n")
  }
}

/// Finds clients that open a stream again after it broke, without the id of its last event.
struct ReopenedStreamMachine: TrafficMachine {
  static let id: DiagnosticID = "resumed-without-last-id"

  private struct OpenStream {
    var target: StreamTarget
    var lastID: RuleWitness?
  }

  private(set) var exercised = ExercisedCount()
  private var open: [Int: OpenStream] = [:]
  private var broken: [StreamTarget: RuleWitness] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request): return begin(request, line)
    case .event(let event):
      if let id = event.id { note(id, line) }
      // Nothing is behind it that a client could have missed.
      if event.data == "[DONE]" { open[line.exchange]?.lastID = nil }
    case .id(let id): note(id, line)
    case .drop, .reset:
      if let stream = open.removeValue(forKey: line.exchange), let id = stream.lastID {
        broken[stream.target] = id
      }
    case .goodbye, .left, .response, .unreachable: open[line.exchange] = nil
    case .stream, .upgrade, .comment, .retry, .cutEvent, .line, .message, .ping, .pong, .bytes:
      break
    }
    return []
  }

  private mutating func note(_ id: String, _ line: ExchangeLine) {
    open[line.exchange]?.lastID = id.isEmpty ? nil : RuleWitness(line, "id \(quoted(id))")
  }

  private mutating func begin(
    _ request: Exchange.Request, _ line: ExchangeLine
  ) -> [RuleFinding] {
    guard let target = StreamTarget(request, line) else { return [] }
    open[line.exchange] = OpenStream(target: target)
    guard let last = broken.removeValue(forKey: target) else { return [] }
    exercised.add(.client)
    guard request.header("last-event-id") == nil else { return [] }
    return [
      RuleFinding(
        .client, "the client opens a stream again without `Last-Event-ID`", last,
        RuleWitness(line, request.shownTarget))
    ]
  }
}

/// Finds clients that have several equal streams open at once.
struct EqualStreamsMachine: TrafficMachine {
  static let id: DiagnosticID = "equal-streams"

  /// The most streams of one client that are no mistake: two may be a hand-over.
  private static let mostStreams = 2

  private(set) var exercised = ExercisedCount()
  private var asked: [Int: (target: StreamTarget, witness: RuleWitness)] = [:]
  private var open: [StreamTarget: [(exchange: Int, witness: RuleWitness)]] = [:]
  private var found: Set<StreamTarget> = []

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    if case .request(let request) = line.kind, let target = StreamTarget(request, line) {
      asked[line.exchange] = (target, RuleWitness(line, request.shownTarget))
    } else if case .stream = line.kind, let begun = asked[line.exchange] {
      exercised.add(.client)
      open[begun.target, default: []].append((line.exchange, begun.witness))
      return finding(begun.target, from: EqualStreamsMachine.mostStreams + 1)
    } else if case .event = line.kind, end.isCompared, let begun = asked[line.exchange],
      open[begun.target]?.last?.exchange != line.exchange
    {
      // The older one goes on, so that this is no hand-over.
      return finding(begun.target, from: 2)
    } else if line.kind.ending != nil, let begun = asked.removeValue(forKey: line.exchange) {
      open[begun.target]?.removeAll { $0.exchange == line.exchange }
    }
    return []
  }

  private mutating func finding(_ target: StreamTarget, from least: Int) -> [RuleFinding] {
    let streams = open[target] ?? []
    guard streams.count >= least, found.insert(target).inserted else { return [] }
    return [
      RuleFinding(
        .client, "the client has \(streams.count) equal streams open at once",
        streams.first?.witness, streams.last?.witness)
    ]
  }
}
