import Diagnostics
import Events
import Values

/// Finds JSON-RPC calls that are answered twice or never.
///
/// On a WebSocket, ids belong to its connection. With HTTP, the answer may come on another stream
/// of the server, and several sessions may use the same ids: so an answer closes the call of its
/// own exchange, else the oldest with its id.
struct CallIDMachine: TrafficMachine {
  static let id: DiagnosticID = "call-not-answered-once"

  /// Where an id belongs to: a server, or one of its WebSockets.
  private struct Key: Hashable {
    var server: String
    var socket: Int?
    var caller: Traffic.Side
    var id: String
  }

  private struct Call {
    var key: Key
    var exchange: Int
    var witness: RuleWitness
  }

  private struct Answer {
    var call: Call
    var exchange: Int
    var witness: RuleWitness
  }

  private(set) var exercised = ExercisedCount()
  private var sockets: Set<Int> = []
  /// The exchanges that ask for what a broken stream had after its last event.
  private var resumed: Set<Int> = []
  private var open: [Call] = []
  private var answers: [Key: Answer] = [:]
  private var answered = LastElements<Key>()

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    begin(line)
    var findings: [RuleFinding] = []
    for object in line.objects(with: ["\"jsonrpc\""]) where object.text("jsonrpc") != nil {
      findings += take(object, line)
    }
    return findings + conclude(line)
  }

  private mutating func begin(_ line: ExchangeLine) {
    switch line.kind {
    case .upgrade: sockets.insert(line.exchange)
    case .request(let request):
      if request.header("last-event-id") != nil { resumed.insert(line.exchange) }
    case .unreachable: takeBackAnswers(of: line.exchange)
    case .response, .stream, .event, .comment, .retry, .id, .cutEvent, .line, .message, .ping,
      .pong,
      .bytes,
      .goodbye, .left,
      .drop, .reset:
      break
    }
  }

  /// Opens the calls again that were answered on a connection which was never made.
  private mutating func takeBackAnswers(of exchange: Int) {
    let unsent = answers.filter { $0.value.exchange == exchange }
    for (key, answer) in unsent.sorted(by: { $0.key.id < $1.key.id }) {
      answers[key] = nil
      open.append(answer.call)
    }
  }

  private mutating func take(_ object: Value, _ line: ExchangeLine) -> [RuleFinding] {
    if let method = object.text("method") {
      call(method, object, line)
      return []
    }
    guard let id = object.idText("id"), object["result"] != nil || object["error"] != nil else {
      return []
    }
    return answer(key(id, of: line.from.other, line), line)
  }

  private mutating func call(_ method: String, _ object: Value, _ line: ExchangeLine) {
    if let id = object.idText("id") {
      exercised.add(line.from.other)
      let key = key(id, of: line.from, line)
      answers[key] = nil
      open.append(
        Call(
          key: key, exchange: line.exchange,
          witness: RuleWitness(line, "call of \(quoted(method)) with the id \(quoted(id))")))
    } else if method == "notifications/cancelled",
      let id = object["params"]?.idText("requestId")
    {
      let key = key(id, of: line.from, line)
      open.removeAll { $0.key == key }
    }
  }

  private mutating func answer(_ key: Key, _ line: ExchangeLine) -> [RuleFinding] {
    let witness = RuleWitness(line, "answer to the id \(quoted(key.id))")
    let own = open.firstIndex { $0.key == key && $0.exchange == line.exchange }
    if let index = own ?? open.firstIndex(where: { $0.key == key }) {
      answers[key] = Answer(
        call: open.remove(at: index), exchange: line.exchange, witness: witness)
      if let oldest = answered.append(key), oldest != key { answers[oldest] = nil }
      return []
    }
    guard let before = answers[key], !resumed.contains(line.exchange) else { return [] }
    return [
      RuleFinding(
        line.from, "the call with the id \(quoted(key.id)) is answered twice", before.call.witness,
        before.witness, witness)
    ]
  }

  /// Closes the calls of an exchange that ended.
  private mutating func conclude(_ line: ExchangeLine) -> [RuleFinding] {
    guard let ending = line.kind.ending else { return [] }
    let left = open.filter { $0.exchange == line.exchange && $0.key.caller == .client }
    guard !left.isEmpty else { return [] }
    if !isForAnother(line) { open.removeAll { $0.exchange == line.exchange } }
    guard ending == .inOrder, isDue(line) else { return [] }
    return left.map { call in
      RuleFinding(
        .server, "the call with the id \(quoted(call.key.id)) is never answered", call.witness,
        RuleWitness(line, "the end of its exchange"))
    }
  }

  /// True if the answers may come on another stream of the server.
  private func isForAnother(_ line: ExchangeLine) -> Bool {
    if case .response(let response) = line.kind { return response.status == 202 }
    return line.kind.ending == .broken && !sockets.contains(line.exchange)
  }

  /// True if the calls of an exchange had to be answered before this end.
  private func isDue(_ line: ExchangeLine) -> Bool {
    if case .goodbye(let code, _) = line.kind { return code == nil || code == 1000 }
    guard case .response(let response) = line.kind else { return false }
    return (200..<300).contains(response.status) && response.status != 202
      && !response.body.isEmpty && response["content-encoding"] == nil
  }

  private func key(_ id: String, of caller: Traffic.Side, _ line: ExchangeLine) -> Key {
    Key(
      server: line.server, socket: sockets.contains(line.exchange) ? line.exchange : nil,
      caller: caller, id: id)
  }
}
