import Diagnostics
import Events
import Protocols
import TextSearch
import Values

/// The shortest pause of the clients of an endpoint before they connect again, by their own policy.
package struct DeclaredPause: Sendable {
  package var server: String
  package var pause: Microseconds

  package init(server: String, pause: Microseconds) {
    self.server = server
    self.pause = pause
  }
}

/// Finds clients of streams that connect again sooner than they may: sooner than `retry:` or
/// `Retry-After` of the server says, or else sooner than their own policy.
///
/// Two clients may read the same stream. A request is one of the same client if it names the last
/// id of the stream, or if the stream had no ids.
struct ReconnectionMachine: TrafficMachine {
  static let id: DiagnosticID = "early-reconnection"

  /// The request target, and its endpoint.
  private struct Target: Hashable {
    var server: String
    var target: String
  }

  /// Who says how long a client waits.
  private struct Pause {
    var time: Microseconds
    var name: String
    var witness: RuleWitness?
  }

  private struct Client {
    var target: Target
    var lastID: String?
    var isStream: Bool
    var pause: Pause?
  }

  private struct Lost {
    var client: Client
    var pause: Pause
    var end: RuleWitness
  }

  private(set) var exercised = ExercisedCount()
  private let declared: [String: Microseconds]
  private var clients: [Int: Client] = [:]
  private var lost: [Target: [Lost]] = [:]

  init(_ declared: [DeclaredPause] = []) {
    self.declared = Dictionary(declared.map { ($0.server, $0.pause) }, uniquingKeysWith: min)
  }

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request): return connect(request, line, end)
    case .event(let event):
      if let id = event.id { clients[line.exchange]?.lastID = id.isEmpty ? nil : id }
      if let retry = event.retry { advise(retry, line) }
    case .retry(let milliseconds): advise(milliseconds, line)
    case .id(let id): clients[line.exchange]?.lastID = id.isEmpty ? nil : id
    case .response(let response): refuse(response, line)
    case .goodbye, .drop, .reset, .unreachable: lose(line)
    case .left: clients[line.exchange] = nil
    case .stream, .upgrade: clients[line.exchange]?.isStream = true
    case .cutEvent(let text): obey(text, line)
    case .bytes(let bytes): obey(String(decoding: bytes, as: UTF8.self), line)
    case .comment, .line, .message, .ping, .pong: break
    }
    return []
  }

  /// Reads the lines of an event that never ended: a client obeys each of them as it comes.
  private mutating func obey(_ text: String, _ line: ExchangeLine) {
    for part in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = part.split(separator: ":", maxSplits: 1)
      guard words.count == 2, words[0] == "retry" else { continue }
      if let retry = Int(words[1].drop { $0 == " " }) { advise(retry, line) }
    }
  }

  private mutating func advise(_ milliseconds: Int, _ line: ExchangeLine) {
    guard milliseconds >= 0 else { return }
    let (time, overflow) = Microseconds(milliseconds).multipliedReportingOverflow(by: 1_000)
    clients[line.exchange]?.pause = Pause(
      time: overflow ? .max : time, name: "`retry:`",
      witness: RuleWitness(line, "retry: \(milliseconds)"))
  }

  /// An answer in place of a stream ends the attempt. Only `Retry-After` says when the next may be.
  private mutating func refuse(_ response: Exchange.Response, _ line: ExchangeLine) {
    guard var client = clients.removeValue(forKey: line.exchange), client.isStream else { return }
    guard let time = response.retryAfter else {
      // What the stream said before still holds for the time behind the next stream.
      guard let known = client.pause else { return }
      let none = Pause(time: 0, name: known.name, witness: nil)
      let end = RuleWitness(line, "the end of the attempt")
      return lost[client.target, default: []].append(Lost(client: client, pause: none, end: end))
    }
    let witness = RuleWitness(line, "Retry-After: \(response["retry-after"] ?? "")")
    client.pause = nil
    let pause = Pause(time: time, name: "`Retry-After`", witness: nil)
    lost[client.target, default: []].append(Lost(client: client, pause: pause, end: witness))
  }

  private mutating func lose(_ line: ExchangeLine) {
    guard let client = clients.removeValue(forKey: line.exchange), client.isStream else { return }
    let own = declared[line.server].map { Pause(time: $0, name: "the policy of the client") }
    guard let pause = client.pause ?? own else { return }
    let end = RuleWitness(line, "the end of the stream")
    lost[client.target, default: []].append(Lost(client: client, pause: pause, end: end))
  }

  private mutating func connect(
    _ request: Exchange.Request, _ line: ExchangeLine, _ end: RecordingEnd
  ) -> [RuleFinding] {
    let target = Target(server: line.server, target: request.target)
    let id = request.header("last-event-id")
    let wantsStream = request.wantsStream
    let known = lost[target]?.firstIndex { lost in
      lost.client.lastID.map { $0 == id } ?? wantsStream
    }
    clients[line.exchange] = Client(target: target, lastID: id, isStream: wantsStream)
    guard let known, let before = lost[target]?.remove(at: known) else { return [] }
    clients[line.exchange]?.pause = before.client.pause
    exercised.add(.client)
    let waited = line.time - before.end.time
    let pause = before.pause
    guard waited < pause.time - min(end.tolerance, pause.time) else { return [] }
    return [
      RuleFinding(
        .client,
        "the client connects again after \(durationText(waited)), "
          + "and \(pause.name) is \(durationText(pause.time))",
        pause.witness, before.end, RuleWitness(line, request.shownTarget))
    ]
  }
}

extension Exchange.Request {
  /// Returns the first field of this name, in any case.
  func header(_ name: String) -> String? {
    headers.first { sameName($0.name, name) }?.value
  }

  fileprivate var wantsStream: Bool {
    let accepted = header("accept")?.lowercasedASCII ?? ""
    return accepted.contains("text/event-stream") || accepted.contains("ndjson")
      || header("upgrade")?.lowercasedASCII == "websocket"
  }

  /// The method and the path. A query may hold what is nobody's business.
  var shownTarget: String { quoted("\(method) \(HTTPTarget(target).path)") }
}

extension Exchange.Response {
  /// The time of `Retry-After`. A date counts from the date of the answer.
  fileprivate var retryAfter: Microseconds? {
    guard [429, 503].contains(status), let text = self["retry-after"] else { return nil }
    let headers: HTTPHeaders = ["Retry-After": text]
    let now = self["date"].flatMap { HTTPDate.seconds($0) }
    return headers.retryAfter(now: now).map { $0 * 1_000_000 }
  }
}
