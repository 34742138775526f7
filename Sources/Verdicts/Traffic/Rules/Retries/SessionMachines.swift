import Diagnostics
import Events
import Values

/// Finds clients that use a session of MCP after the server has ended it.
struct DeadSessionMachine: TrafficMachine {
  static let id: DiagnosticID = "dead-session"

  private struct Session: Hashable {
    var server: String
    var id: String
  }

  private(set) var exercised = ExercisedCount()
  private var asked: [Int: (session: Session, isEnd: Bool)] = [:]
  private var dead: [Session: RuleWitness] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request):
      guard let id = request.header("mcp-session-id") else { return [] }
      let session = Session(server: line.server, id: id)
      exercised.add(.client)
      asked[line.exchange] = (session, request.method == "DELETE")
      guard let ended = dead[session] else { return [] }
      return [
        RuleFinding(
          .client, "the client uses a session that the server has ended", ended,
          RuleWitness(line, request.shownTarget))
      ]
    case .response(let answer):
      guard let (session, isEnd) = asked.removeValue(forKey: line.exchange) else { return [] }
      let isOver = answer.status == 404 || isEnd && (200..<300).contains(answer.status)
      if isOver, dead[session] == nil {
        dead[session] = RuleWitness(line, "status \(answer.status), which ends the session")
      }
      return []
    case .stream, .upgrade, .event, .comment, .retry, .id, .cutEvent, .line, .message, .ping, .pong,
      .bytes, .goodbye, .left, .drop, .reset, .unreachable:
      return []
    }
  }
}

/// Finds clients that send a refresh token again, though the server has given another one, or while
/// the first request is under way. Servers end the whole session then.
struct RefreshTokenMachine: TrafficMachine {
  static let id: DiagnosticID = "refresh-token-sent-twice"

  private struct Use {
    var witness: RuleWitness
    var exchange: Int
    /// True while the request is under way, or once the server has given another token.
    var isSpent: Bool
  }

  private struct Token: Hashable {
    var server: String
    var text: String
  }

  private(set) var exercised = ExercisedCount()
  private var uses: [Token: Use] = [:]
  private var asked: [Int: Token] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request):
      guard let text = refreshToken(in: request) else { return [] }
      return send(Token(server: line.server, text: text), request, line)
    case .response(let answer):
      guard let token = asked.removeValue(forKey: line.exchange) else { return [] }
      guard uses[token]?.exchange == line.exchange else { return [] }
      let next = try? parseJSON(answer.body).get()["refresh_token"]?.plainText
      uses[token]?.isSpent =
        (200..<300).contains(answer.status) && next != nil && next != token.text
    // A lost answer may have had the next one, and there is no other way to go on.
    case .drop, .reset, .left, .unreachable:
      if let token = asked.removeValue(forKey: line.exchange) { uses[token] = nil }
    case .stream, .upgrade, .event, .comment, .retry, .id, .cutEvent, .line, .message, .ping, .pong,
      .bytes, .goodbye:
      break
    }
    return []
  }

  private mutating func send(
    _ token: Token, _ request: Exchange.Request, _ line: ExchangeLine
  ) -> [RuleFinding] {
    exercised.add(.client)
    let witness = RuleWitness(line, request.shownTarget)
    let before = uses[token]
    asked[line.exchange] = token
    uses[token] = Use(witness: witness, exchange: line.exchange, isSpent: true)
    guard let before, before.isSpent else { return [] }
    return [
      RuleFinding(
        .client, "the client sends a refresh token that it has used", before.witness, witness)
    ]
  }

  /// The token of a form, or of JSON.
  private func refreshToken(in request: Exchange.Request) -> String? {
    guard request.method == "POST", !request.body.isEmpty else { return nil }
    if let json = try? parseJSON(request.body).get() { return json.text("refresh_token") }
    let form = String(decoding: request.body, as: UTF8.self)
    guard let pair = form.split(separator: "&").first(where: { $0.hasPrefix("refresh_token=") })
    else { return nil }
    return String(pair.dropFirst("refresh_token=".count))
  }
}
