import Traces
import Values

/// Reads what clients and endpoints said to each other in a run of a trace.
///
/// - Parameter body: Returns the file of a large body, by its hash.
package func readFlow(
  of run: TraceRun, named name: String, body: @escaping (String) -> [UInt8]? = { _ in nil }
) -> ImportedFlow {
  let reader = TraceFlowReader(run, TraceResolver(body: body))
  var flow = ImportedFlow(title: run.header.scenario?.title ?? name, origin: name)
  flow.exchanges = run.exchanges.map(reader.exchange)
  return flow
}

private struct TraceFlowReader {
  /// By endpoint and connection: all that was said there.
  private var lines: [Conversation: [TraceReader.Entry]] = [:]
  private let resolver: TraceResolver

  private struct Conversation: Hashable {
    var source: String?
    var connection: Int?
  }

  init(_ run: TraceRun, _ resolver: TraceResolver) {
    self.resolver = resolver
    for entry in run.entries where entry.line.from != nil {
      let key = Conversation(source: entry.line.source, connection: entry.line.connection)
      lines[key, default: []].append(entry)
    }
  }

  func exchange(_ exchange: TraceExchange) -> ImportedExchange {
    let line = exchange.request.line
    return ImportedExchange(
      server: line.source ?? line.others["url"]?.plainText ?? "api", url: nil,
      time: exchange.request.time, request: request(line), answer: answer(of: exchange))
  }

  private func request(_ line: TraceLine) -> ImportedRequest {
    let json = line.value?.json ?? .null
    var request = ImportedRequest(
      method: json["method"]?.plainText ?? "GET", path: json["path"]?.plainText ?? "/",
      query: fields(json["query"]), headers: fields(json["headers"]), body: body(of: line))
    if let target = json["target"].flatMap({ SplitURL("x://x" + $0.plainText) }) {
      request.path = target.path
    }
    return request
  }

  private func answer(of exchange: TraceExchange) -> ImportedAnswer {
    switch exchange.answer {
    case .none: return .none
    case .response:
      guard let line = exchange.response?.line else { return .none }
      let json = line.value?.json ?? .null
      return .response(
        ImportedResponse(
          status: exchange.status ?? 200, headers: fields(json["headers"]), body: body(of: line)))
    case .stream, .webSocket: return .conversation(conversation(of: exchange))
    }
  }

  private func conversation(of exchange: TraceExchange) -> ImportedConversation {
    let first = exchange.response ?? exchange.request
    let key = Conversation(source: first.line.source, connection: first.line.connection)
    let last = exchange.end?.number ?? .max
    let said = (lines[key] ?? []).filter { $0.number > first.number && $0.number <= last }
    var conversation = ImportedConversation(
      kind: kind(of: exchange), endTime: (said.last ?? first).time)
    let asked = fields(exchange.request.line.value?.json["headers"])
    let answered = fields(exchange.response?.line.value?.json["headers"])
    conversation.offered = asked.subprotocols
    conversation.subprotocol = answered.subprotocols.first
    for entry in said { add(entry, to: &conversation) }
    return conversation
  }

  private func kind(of exchange: TraceExchange) -> ImportedConversation.Kind {
    if exchange.answer == .webSocket { return .webSocket }
    let type = exchange.response?.line.value?.json["headers"]?["content-type"]?.plainText ?? ""
    return type.contains("event-stream") ? .eventStream : .lines
  }

  private func add(_ entry: TraceReader.Entry, to conversation: inout ImportedConversation) {
    let line = entry.line
    switch line.knownKind {
    case .event?:
      guard let json = line.value?.json, json["comment"] == nil else { return }
      conversation.messages.append(
        ImportedMessage(
          time: entry.time, event: json["event"]?.plainText, id: json["id"]?.plainText,
          data: json["data"].map(decoded) ?? ""))
    case .line?, .message?:
      conversation.messages.append(
        ImportedMessage(
          time: entry.time, isFromClient: line.from == .client,
          data: line.value.map { decoded($0.json) } ?? ""))
    case .goodbye?: conversation.end = closed(line)
    case .drop?, .reset?: conversation.end = .dropped
    case .left?: conversation.end = .left
    case nil, .emitted?, .finished?, .subscribed?, .unsubscribed?, .request?, .response?, .stream?,
      .upgrade?, .pong?, .bytes?, .unreachable?, .exit?, .now?, .step?, .branch?, .phase?,
      .assertion?, .read?, .idle?, .network?, .fault?, .log?, .ignored?, .problem?, .failure?,
      .listening?, .pending?, .verdict?:
      break
    }
  }

  private func closed(_ line: TraceLine) -> ImportedConversation.End {
    let json = line.value?.json
    guard case .int(let code)? = json?["code"] else { return .closed(code: nil, reason: "") }
    return .closed(code: code, reason: json?["reason"]?.plainText ?? "")
  }

  private func body(of line: TraceLine) -> ImportedBody? {
    let json = line.value?.json ?? .null
    guard let value = (line.text?.json ?? json["body"]).map(decoded) else { return nil }
    let type = json["headers"]?["content-type"]?.plainText
    switch value {
    case .bytes(let bytes): return .bytes(bytes)
    case .string(let text): return ImportedBody(text: text, type: type)
    case .null, .bool, .int, .uint, .double, .list, .map, .timestamp, .duration, .type, .optional:
      return .json(value)
    }
  }

  private func decoded(_ json: Value) -> Value {
    (try? TraceValue(json: json).decoded(resolver).get()) ?? json
  }

  /// A name that came several times has the list of its values.
  private func fields(_ json: Value?) -> [ImportedField] {
    guard case .map(let map)? = json else { return [] }
    return map.flatMap { key, value in
      let values = if case .list(let values) = value { values } else { [value] }
      return values.map { ImportedField(key.plainText, $0.plainText) }
    }
  }
}
