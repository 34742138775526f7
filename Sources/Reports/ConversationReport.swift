import Diagnostics
import Events
import Secrets
import Values

/// The live report of the conversation between clients and endpoints, event by event.
package struct ConversationReport: Sendable {
  /// The names of the endpoints, by source.
  private let names: [Event.Source: String]
  package var mask: SecretMask

  package init(names: [Event.Source: String], mask: SecretMask) {
    self.names = names
    self.mask = mask
  }

  /// Returns the entry for an event; nil if it is not part of a conversation.
  package func entry(for event: Event) -> ConversationEntry? {
    switch event.kind {
    case .source(.emitted(let source, let value)):
      guard let name = names[source] else { return nil }
      return clientEntry(masked(value), entry(event, name, value["connection"]))
    case .network(.served(let source, let connection, let activity)):
      guard let name = names[source] else { return nil }
      return serverEntry(activity, entry(event, name, .int(connection)))
    case .source, .network, .run, .script, .assertion: return nil
    }
  }

  /// Masks what a client did. The number of its connection is no content.
  private func masked(_ value: Value) -> Value {
    guard case .map(var map) = mask.masked(value) else { return mask.masked(value) }
    if let number = value["connection"] { map["connection"] = number }
    if case .map(var farewell)? = map["cancelled"] {
      farewell["connection"] = value["cancelled"]?["connection"]
      map["cancelled"] = .map(farewell)
    }
    return .map(map)
  }

  private func entry(_ event: Event, _ name: String, _ connection: Value?) -> ConversationEntry {
    var number: Int?
    if case .int(let given)? = connection { number = given }
    return ConversationEntry(time: event.time, endpoint: name, connection: number)
  }

  /// Returns the entry for an activity of a client.
  private func clientEntry(_ value: Value, _ entry: ConversationEntry) -> ConversationEntry {
    var entry = entry
    if let farewell = value["cancelled"] {
      if case .int(let number)? = farewell["connection"] { entry.connection = number }
      entry.text = "client left" + codeText(farewell)
      return entry
    }
    if let message = value["message"] {
      entry.text = "→ message \(shortText(message))"
      return entry
    }
    entry.text = "→ " + requestText(value)
    return entry
  }

  private func codeText(_ farewell: Value) -> String {
    guard let code = farewell["code"] else { return "" }
    let reason = farewell["reason"].map(\.plainText) ?? ""
    return " with \(code.plainText)" + (reason.isEmpty ? "" : " \(visibleText(reason))")
  }

  private func requestText(_ value: Value) -> String {
    var text = "\(value["method"]?.plainText ?? "") \(value["path"]?.plainText ?? "")"
    if case .map(let query)? = value["query"], !query.isEmpty {
      text += "?" + query.map { "\($0.key.plainText)=\($0.value.plainText)" }.joined(separator: "&")
    }
    text = cut(text)
    let body = value["json"] ?? value["text"]
    return text + (body.map { " " + shortText($0) } ?? "")
  }

  /// Returns the entry for an activity of an endpoint.
  private func serverEntry(_ activity: ServerActivity, _ entry: ConversationEntry)
    -> ConversationEntry
  {
    var entry = entry
    switch activity {
    case .answered(let status, let type, let bytes, _):
      let size = bytes > 0 ? " \(bytes) B" : ""
      let type = type.map { mask.masked($0) }
      entry.text = "← \(status)\(typeText(type))\(size)"
    case .streamed(let status, let type):
      let type = type.map { mask.masked($0) }
      entry.text = "← \(status)\(typeText(type)), a stream"
    case .upgraded(let name):
      let name = name.map { mask.masked($0) }
      let suffix = name.map { ", \(visibleText($0))" } ?? ""
      entry.text = "← 101 WebSocket\(suffix)"
    case .sentEvent(let event): describe(event, &entry)
    case .sentMessage(let message):
      let message = mask.masked(message)
      entry.text = "← message \(shortText(message))"
    case .sentBytes(let count):
      entry.text = "← \(count) raw bytes"
    case .saidGoodbye(let code, let reason): describeClose(code, reason, &entry)
    case .brokeOff: entry.text = "← the connection was broken off"
    case .ignored(let method, let path):
      let text = cut(mask.masked("\(method) \(path)"))
      entry.text = "→ \(text), which no entry answers"
    case .preflight(let method, let path):
      let text = cut(mask.masked("\(method) \(path)"))
      entry.text = "→ \(text), a preflight request"
    case .misunderstood(let problem):
      entry.text = "→ not understood: \(visibleText(mask.masked(problem)))"
    }
    return entry
  }

  private func describe(_ event: SentEvent, _ entry: inout ConversationEntry) {
    var text = "← event"
    if let name = event.name { text += " \(visibleText(mask.masked(name)))" }
    let data = event.data.map { mask.masked($0) }
    if let data { text += " \(shortText(data))" }
    if event.name == nil, data == nil, let comment = event.comment {
      text = "← comment \(cut(mask.masked(comment)))"
    }
    entry.text = text
  }

  private func describeClose(_ code: Int?, _ reason: String, _ entry: inout ConversationEntry) {
    let reason = mask.masked(reason)
    let words = code.map { "closed with \($0)" } ?? "the stream ended"
    let why = reason.isEmpty ? "" : " \(visibleText(reason))"
    entry.text = "← \(words)\(why)"
  }

  private func typeText(_ type: String?) -> String {
    guard let type else { return "" }
    return " " + visibleText(String(type.prefix { $0 != ";" }))
  }

  private func shortText(_ value: Value) -> String {
    if case .bytes(let bytes) = value { return "\(bytes.count) bytes" }
    return cut(value.json())
  }

  private func cut(_ text: String) -> String {
    let start = text.prefix(longestText)
    return visibleText(String(start)) + (start.endIndex < text.endIndex ? "…" : "")
  }
}

/// The characters of a message that a line shows.
private let longestText = 160

/// An entry of a conversation.
package struct ConversationEntry: Sendable {
  private let time: Microseconds
  private let endpoint: String
  fileprivate var connection: Int?
  fileprivate var text = ""

  fileprivate init(time: Microseconds, endpoint: String, connection: Int?) {
    self.time = time
    self.endpoint = endpoint
    self.connection = connection
  }

  /// The line for people: `12ms api → GET /tasks?page=2 (connection 1)`.
  package var line: String {
    let number = connection.map { " (connection \($0))" } ?? ""
    return "\(durationText(time / 1_000 * 1_000)) \(endpoint) \(text)\(number)"
  }
}
