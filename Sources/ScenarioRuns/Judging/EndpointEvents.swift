import Protocols
import ScenarioEngine
import Traces
import Values

/// The events of endpoints for the lines of their conversations, as in a run.
///
/// A trace has one line for a request and for the event that it is. Only where the event came later
/// it has a line of its own, whose cause is the request.
struct EndpointEvents {
  /// The numbers of requests and messages whose events have lines of their own, and of those that
  /// never arrived.
  private var silent: Set<Int> = []
  /// The connections, by endpoint, that the server has ended.
  private var ended: Set<String> = []

  /// The events of a scenario without endpoints.
  init() {}

  init(_ lines: JudgedLines, isEndpoint: (String) -> Bool) {
    silent = UndeliveredLines(lines, worlds: lines.trace.header.worlds).numbers
    let entries = lines.trace.entries
    for index in entries.indices where entries.kind(of: index) == .emitted {
      guard entries.source(of: index).map(isEndpoint) == true,
        let cause = entries[index].line.lineEmitted(causes: lines.kind)
      else { continue }
      silent.insert(cause)
    }
  }

  /// Returns what the endpoint emits; nil if the line is no event of it.
  mutating func value(of entry: TraceReader.Entry) -> Value? {
    let line = entry.line
    let connection = line.connection ?? 0
    switch line.knownKind {
    case .request: return silent.contains(entry.number) ? nil : request(line, connection)
    case .message:
      guard line.from == .client, !silent.contains(entry.number) else { return nil }
      return ["message": decoded(line) ?? .null, "connection": .int(connection)]
    case .goodbye, .drop, .reset:
      if line.from == .server { ended.insert(key(line)) }
      return nil
    case .left:
      if ended.contains(key(line)) || silent.contains(entry.number) { return nil }
      return farewell(line, connection)
    case .emitted, .finished, .subscribed, .unsubscribed, .response, .stream, .upgrade, .event,
      .line, .ping, .pong, .bytes, .unreachable, .stdin, .signal, .ready, .exit, .now, .step,
      .branch,
      .phase, .assertion, .read,
      .idle, .network, .fault, .log, .ignored, .problem, .failure, .listening, .pending, .verdict,
      nil:
      return nil
    }
  }

  private func key(_ line: TraceLine) -> String {
    "\(line.connection ?? 0) \(line.source ?? "")"
  }

  private func decoded(_ line: TraceLine) -> Value? {
    guard let value = line.value, case .success(let decoded) = value.decoded() else { return nil }
    return decoded
  }

  private func farewell(_ line: TraceLine, _ connection: Int) -> Value {
    var map = ValueMap([("connection", .int(connection))])
    if let parts = decoded(line) {
      map["code"] = parts["code"]
      map["reason"] = parts["reason"]
    }
    return ["cancelled": .map(map)]
  }

  private func request(_ line: TraceLine, _ connection: Int) -> Value? {
    guard let value = decoded(line), case .string(let method)? = value["method"],
      case .string? = value["path"]
    else { return nil }
    let message = TraceMessage(line)
    let target = message.target
    let request = HTTPRequest(
      method: method, target: target, headers: HTTPHeaders(message), body: message.bodyBytes)
    return requestValue(request, target: HTTPTarget(target), connection: connection)
  }
}
