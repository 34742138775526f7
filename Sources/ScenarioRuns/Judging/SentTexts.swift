import Traces
import Values

/// The exact texts of what connections received. What they emit is decoded; the text stands in the
/// line of the conversation before it.
struct SentTexts {
  private struct Message {
    var data: ValueMap
    /// Nil if the text is the value in its shortest form.
    var text: String?
  }

  /// The messages that nothing was emitted for yet, in their order.
  private var messages: [Message] = []

  /// The most messages that are kept: a connection emits what it receives at once.
  private static let mostMessages = 64

  mutating func note(_ line: TraceLine) {
    guard line.from == .server, let kind = line.knownKind,
      kind == .event || kind == .line || kind == .message,
      let json = kind == .event ? line.value?.json["data"] : line.value?.json,
      case .success(.map(let data)) = TraceValue(json: json).decoded()
    else { return }
    if messages.count == SentTexts.mostMessages { messages.removeFirst() }
    messages.append(Message(data: data, text: line.text?.json.plainText))
  }

  /// Returns what a connection emitted, with the exact text of its data.
  mutating func restored(_ value: Value) -> Value {
    if let data = taken(value) { return data }
    guard case .map(var event) = value, let data = event["data"].flatMap({ taken($0) }) else {
      return value
    }
    event["data"] = data
    return .map(event)
  }

  private mutating func taken(_ value: Value) -> Value? {
    guard case .map(let map) = value,
      let place = messages.firstIndex(where: { Value.map($0.data) == value })
    else { return nil }
    return .map(messages.remove(at: place).text.map { map.sent(as: $0) } ?? map)
  }
}
