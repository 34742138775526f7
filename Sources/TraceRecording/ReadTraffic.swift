import Events
import Protocols
import Secrets
import Traces
import Values

/// The reader of what passed between clients and endpoints: the way back from `TrafficLines`.
package struct TrafficReader {
  private let resolver: TraceResolver

  package init(_ resolver: TraceResolver) { self.resolver = resolver }

  /// Returns what a line stands for; nil if it is none that passed on a connection.
  package func kind(of line: TraceLine) -> Traffic.Kind? {
    let value = decoded(line.value) ?? .null
    guard let kind = line.knownKind else { return nil }
    switch kind {
    case .request: return .request(request(line))
    case .response: return .response(response(line, value))
    case .stream: return .stream(response(line, value))
    case .upgrade: return .upgrade(response(line, value))
    case .event: return event(line, value)
    case .line: return .line(String(decoding: bytes(line, value), as: UTF8.self))
    case .message: return .message(message(line, value))
    case .ping: return .ping(bytes(line, value))
    case .pong: return .pong(bytes(line, value))
    case .bytes: return .bytes(bytes(line, value))
    case .goodbye: return .goodbye(code: code(value), reason: reason(value))
    case .left: return .left(code: code(value), reason: reason(value))
    case .drop: return .drop
    case .reset: return .reset
    case .unreachable:
      return .unreachable(
        reason: value["reason"]?.plainText ?? "refused", problem: value["problem"]?.plainText)
    case .emitted, .finished, .subscribed, .unsubscribed, .stdin, .signal, .ready, .exit,
      .now, .step, .branch,
      .phase,
      .assertion, .read, .idle, .network, .fault, .log, .ignored, .problem, .failure, .listening,
      .pending, .verdict:
      return nil
    }
  }

  /// Returns a value of a line; nil if there is none or it cannot be read.
  package func decoded(_ value: TraceValue?) -> Value? {
    if case .success(let decoded)? = value?.decoded(resolver) { decoded } else { nil }
  }

  /// Returns the request of a line, as it was sent.
  package func request(_ line: TraceLine) -> Exchange.Request {
    let value = decoded(line.value) ?? .null
    let path = value["path"]?.plainText ?? "/"
    return Exchange.Request(
      method: value["method"]?.plainText ?? "GET",
      target: value["target"]?.plainText ?? path + query(value["query"]),
      headers: fields(value["headers"]), body: body(line, value))
  }

  private func response(_ line: TraceLine, _ value: Value) -> Exchange.Response {
    let status = if case .int(let number)? = value["status"] { number } else { 200 }
    return Exchange.Response(
      status: status, reason: standardReason(of: status), headers: fields(value["headers"]),
      body: body(line, value))
  }

  private func event(_ line: TraceLine, _ value: Value) -> Traffic.Kind {
    if let comment = value["comment"], value["data"] == nil { return .comment(comment.plainText) }
    if let cut = value["cut"], value["data"] == nil { return .cutEvent(cut.plainText) }
    let retry: Int? = if case .int(let number)? = value["retry"] { number } else { nil }
    if value["data"] == nil, value["event"] == nil, line.text == nil {
      if let retry { return .retry(retry) }
      if let id = value["id"] { return .id(id.plainText) }
    }
    let data = bytes(line, value["data"] ?? .null)
    return .event(
      Traffic.StreamEvent(
        name: value["event"]?.plainText, id: value["id"]?.plainText,
        data: String(decoding: data, as: UTF8.self), retry: retry))
  }

  private func message(_ line: TraceLine, _ value: Value) -> Value {
    if case .bytes = value { return value }
    return .string(String(decoding: bytes(line, value), as: UTF8.self))
  }

  private func body(_ line: TraceLine, _ value: Value) -> [UInt8] {
    value["body"].map { bytes(line, $0) } ?? []
  }

  /// The bytes that were sent: the exact text, else a text as it is, else JSON.
  private func bytes(_ line: TraceLine, _ value: Value) -> [UInt8] {
    // The text of a JSON body has no number in place of a secret one, and somebody may have changed
    // the value alone.
    if case .string(let text)? = decoded(line.text), line.value?.hasSecretNumber != true,
      isText(text, ofOneOf: [value])
    {
      return Array(text.utf8)
    }
    switch value {
    case .string(let text): return Array(text.utf8)
    case .bytes(let bytes): return bytes
    default: return Array(value.json(sortedKeys: true).utf8)
    }
  }

  private func fields(_ headers: Value?) -> [Exchange.Field] {
    guard case .map(let map)? = headers else { return [] }
    return map.flatMap { name, value in
      all(value).map { Exchange.Field(name.plainText, BasicCredentials(shown: $0)?.encoded ?? $0) }
    }
  }

  private func query(_ items: Value?) -> String {
    guard case .map(let items)? = items, !items.isEmpty else { return "" }
    let pairs = items.flatMap { name, value in all(value).map { "\(name.plainText)=\($0)" } }
    return "?" + pairs.joined(separator: "&")
  }

  private func all(_ value: Value) -> [String] {
    if case .list(let values) = value { values.map(\.plainText) } else { [value.plainText] }
  }

  private func code(_ value: Value) -> Int? {
    if case .int(let number)? = value["code"] { number } else { nil }
  }

  private func reason(_ value: Value) -> String { value["reason"]?.plainText ?? "" }
}
