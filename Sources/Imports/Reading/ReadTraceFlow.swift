import TextSearch
import Traces
import Values

/// Reads what clients and endpoints said to each other in a run of a trace.
///
/// - Parameter body: Returns the file of a large body, by its hash.
package func readFlow(
  of run: TraceRun, named name: String, body: @escaping (String) -> TraceBodyFile? = { _ in nil }
) -> ImportedFlow {
  let reader = TraceFlowReader(name: name, run: run, resolver: TraceResolver(body: body))
  var flow = ImportedFlow(title: run.header.scenario?.title ?? name, origin: name)
  flow.exchanges = run.exchanges.map(reader.exchange)
  let names = RecordedNames(run.header)
  flow.changeTexts { PlaceholderText.marked($0, names.contains) }
  return flow
}

private struct TraceFlowReader {
  let name: String
  let run: TraceRun
  let resolver: TraceResolver

  func exchange(_ exchange: TraceExchange) -> ImportedExchange {
    let line = exchange.request.line
    return ImportedExchange(
      server: line.source ?? line.others["url"]?.plainText ?? "api", url: nil,
      time: exchange.request.time, request: request(line), answer: answer(of: exchange),
      place: "\(name):\(exchange.request.place.line)")
  }

  private func request(_ line: TraceLine) -> ImportedRequest {
    let message = TraceMessage(line)
    return ImportedRequest(
      method: line.value?.json["method"]?.plainText ?? "GET", path: message.path,
      query: message.query.map { ImportedField($0.name, $0.value) }, headers: headers(of: line),
      body: body(of: line))
  }

  private func answer(of exchange: TraceExchange) -> ImportedAnswer {
    switch exchange.answer {
    case .none: return .none
    case .response:
      guard let line = exchange.response?.line else { return .none }
      return .response(
        ImportedResponse(
          status: exchange.status ?? 200, headers: headers(of: line), body: body(of: line)))
    case .stream, .webSocket: return .conversation(conversation(of: exchange))
    }
  }

  private func conversation(of exchange: TraceExchange) -> ImportedConversation {
    let first = exchange.response ?? exchange.request
    let last = exchange.end?.number ?? .max
    let said = exchange.lines.map { run.entries[$0] }.filter {
      $0.number > first.number && $0.number <= last
    }
    var conversation = ImportedConversation(
      kind: kind(of: exchange), endTime: (said.last ?? first).time)
    conversation.agree(
      on: (exchange.response?.line).map(headers)?.subprotocols.first,
      of: headers(of: exchange.request.line).subprotocols)
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
      .upgrade?, .ping?, .pong?, .bytes?, .unreachable?, .stdin?, .signal?, .ready?, .exit?, .now?,
      .step?,
      .branch?, .phase?,
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
    guard let value = TraceMessage(line).decodedBody(resolver) else { return nil }
    let type = line.value?.json["headers"]?["content-type"]?.plainText
    switch value {
    case .bytes(let bytes): return .bytes(bytes)
    case .string(let text): return ImportedBody(text: text, type: type)
    case .null, .bool, .int, .uint, .double, .digits, .list, .map, .timestamp, .duration, .type,
      .optional:
      return .json(value)
    }
  }

  private func decoded(_ json: Value) -> Value {
    (try? TraceValue(json: json).decoded(resolver).get()) ?? json
  }

  private func headers(of line: TraceLine) -> [ImportedField] {
    TraceMessage(line).headers.map { ImportedField($0.name, $0.value) }
  }
}
