import Diagnostics
import Events
import TextSearch
import Values

/// Finds clients that send a POST again whose answer was lost, without a key by which the server
/// can know it.
struct RepeatedPostMachine: TrafficMachine {
  static let id: DiagnosticID = "post-repeated-without-key"

  private struct Post: Hashable {
    var server: String
    var target: String
    var body: [UInt8]
  }

  private(set) var exercised = ExercisedCount()
  private var open: [Int: (post: Post, witness: RuleWitness)] = [:]
  /// The requests whose answer was lost, each with the time at which its client had given it up.
  private var lost: [Post: (witness: RuleWitness, left: Microseconds?)] = [:]
  /// A request so soon after the client has given up the same one is no repetition: something newer
  /// has overtaken the work.
  private static let overtaking: Microseconds = 1_000

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request): return send(request, line)
    case .response, .stream, .upgrade: open[line.exchange] = nil
    case .drop, .reset, .left:
      guard let sent = open.removeValue(forKey: line.exchange) else { break }
      lost[sent.post] = (sent.witness, line.from == .client ? line.time : nil)
    // The server did not get it.
    case .unreachable: open[line.exchange] = nil
    case .event, .comment, .retry, .id, .cutEvent, .line, .message, .ping, .pong, .bytes, .goodbye:
      break
    }
    return []
  }

  private mutating func send(
    _ request: Exchange.Request, _ line: ExchangeLine
  ) -> [RuleFinding] {
    guard request.method == "POST", !request.body.isEmpty, !mayRepeat(request) else { return [] }
    let post = Post(server: line.server, target: request.target, body: request.body)
    let witness = RuleWitness(line, request.shownTarget)
    open[line.exchange] = (post, witness)
    guard let (first, left) = lost.removeValue(forKey: post) else { return [] }
    if let left, line.time - left < Self.overtaking { return [] }
    exercised.add(.client)
    let hasKey = request.headers.contains { $0.name.lowercasedASCII.hasSuffix("idempotency-key") }
    guard !hasKey else { return [] }
    return [
      RuleFinding(
        .client, "the client sends a POST again whose answer was lost, without a key", first,
        witness)
    ]
  }

  /// True for what changes nothing, or is known by an id of its own.
  private func mayRepeat(_ request: Exchange.Request) -> Bool {
    let body = String(decoding: request.body, as: UTF8.self)
    return ["jsonrpc", "grant_type", "\"query\"", "password"].contains { body.contains($0) }
  }
}
