import Events
import TextSearch
import Values

extension ExchangeLine {
  /// The text that a message carries: a body, the data of an event, a line or a message.
  var payload: [UInt8]? {
    switch kind {
    case .request(let request): request.body
    case .response(let response): response.body
    case .event(let event): Array(event.data.utf8)
    case .line(let text), .message(.string(let text)): Array(text.utf8)
    case .stream, .upgrade, .comment, .retry, .id, .cutEvent, .message, .ping, .pong, .bytes,
      .goodbye,
      .left,
      .drop, .reset,
      .unreachable:
      nil
    }
  }

  /// The JSON objects that a message carries, of a list each, if it has one of these words.
  func objects(with words: [StaticString]) -> [Value] {
    guard let payload, let first = payload.first, first == 0x7B || first == 0x5B else { return [] }
    let text = String(decoding: payload, as: UTF8.self)
    guard words.contains(where: { text.contains($0.description) }),
      case .success(let json) = parseJSON(payload)
    else { return [] }
    if case .list(let elements) = json { return elements }
    return [json]
  }
}

extension Value {
  /// A member, as text that distinguishes numbers from texts; nil if it is missing or null.
  func idText(_ name: String) -> String? {
    guard let value = self[name], value != .null else { return nil }
    return value.json(sortedKeys: true)
  }

  func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }
}
