import Diagnostics
import Events
import Protocols
import TextSearch
import Values

/// Finds clients of event streams that connect again sooner than `retry:` says.
///
/// Two clients may read the same stream. A request is one of the same client if it names the last
/// id of the stream, or if the stream had no ids.
struct ReconnectionMachine: TrafficMachine {
  static let id: DiagnosticID = "early-reconnection"

  /// What is asked for, and where.
  private struct Target: Hashable {
    var server: String
    var target: String
  }

  private struct Client {
    var target: Target
    var lastID: String?
    var retry: (time: Microseconds, witness: RuleWitness)?
  }

  private struct Lost {
    var client: Client
    var end: RuleWitness
  }

  private(set) var exercised = ExercisedCount()
  private var clients: [Int: Client] = [:]
  private var lost: [Target: [Lost]] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request): return connect(request, line, end)
    case .event(let event): receive(event, line)
    case .goodbye, .drop, .reset, .unreachable:
      guard let client = clients.removeValue(forKey: line.exchange), client.retry != nil else {
        break
      }
      lost[client.target, default: []].append(
        Lost(client: client, end: RuleWitness(line, "the end of the stream")))
    case .response, .left: clients[line.exchange] = nil
    case .stream, .upgrade, .comment, .line, .message, .pong, .bytes: break
    }
    return []
  }

  private mutating func receive(_ event: Traffic.StreamEvent, _ line: ExchangeLine) {
    guard var client = clients[line.exchange] else { return }
    if let id = event.id { client.lastID = id.isEmpty ? nil : id }
    if let retry = event.retry, retry >= 0 {
      let (time, overflow) = Microseconds(retry).multipliedReportingOverflow(by: 1_000)
      client.retry = (overflow ? .max : time, RuleWitness(line, "retry: \(retry)"))
    }
    clients[line.exchange] = client
  }

  private mutating func connect(
    _ request: Exchange.Request, _ line: ExchangeLine, _ end: RecordingEnd
  ) -> [RuleFinding] {
    let target = Target(server: line.server, target: request.target)
    let id = request.header("last-event-id")
    var client = Client(target: target, lastID: id)
    clients[line.exchange] = client
    let known = lost[target]?.firstIndex { lost in
      lost.client.lastID.map { $0 == id } ?? request.wantsEvents
    }
    guard let known, let before = lost[target]?.remove(at: known) else { return [] }
    client.retry = before.client.retry
    clients[line.exchange] = client
    exercised.add(.client)
    guard let retry = before.client.retry else { return [] }
    let waited = line.time - before.end.time
    guard waited < retry.time - min(end.tolerance, retry.time) else { return [] }
    return [
      RuleFinding(
        .client,
        "the client connects again after \(durationText(waited)), "
          + "and `retry:` is \(durationText(retry.time))",
        retry.witness, before.end, RuleWitness(line, request.shownTarget))
    ]
  }
}

extension Exchange.Request {
  /// Returns the first field of this name, which is in small letters.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  fileprivate var wantsEvents: Bool {
    header("accept")?.lowercased().contains("text/event-stream") == true
  }

  /// The method and the path. A query may hold what is nobody's business.
  var shownTarget: String { quoted("\(method) \(HTTPTarget(target).path)") }
}
