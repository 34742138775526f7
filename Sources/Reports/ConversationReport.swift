import Diagnostics
import Events
import Values
import Verdicts

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
    return ConversationEntry(
      event: event.sequence, time: event.time, endpoint: name, connection: number)
  }

  /// Returns the entry for an activity of a client.
  private func clientEntry(_ value: Value, _ entry: ConversationEntry) -> ConversationEntry {
    var entry = entry
    if let farewell = value["cancelled"] {
      if case .int(let number)? = farewell["connection"] { entry.connection = number }
      entry.set("left", "client left" + codeText(farewell), from: .client)
      entry.add("code", farewell["code"])
      entry.add("reason", farewell["reason"])
      return entry
    }
    if let message = value["message"] {
      entry.set("message", "→ message \(shortText(message))", from: .client)
      entry.add("message", message)
      return entry
    }
    entry.set("request", "→ " + requestText(value), from: .client)
    for name in ["method", "path", "query", "headers", "json", "text"] {
      entry.add(name, value[name])
    }
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
    case .answered(let status, let type, let bytes):
      let size = bytes > 0 ? " \(bytes) B" : ""
      let type = type.map { mask.masked($0) }
      entry.set("response", "← \(status)\(typeText(type))\(size)", from: .server)
      entry.addHead(status, type)
      entry.add("bytes", .int(bytes))
    case .streamed(let status, let type):
      let type = type.map { mask.masked($0) }
      entry.set("stream", "← \(status)\(typeText(type)), a stream", from: .server)
      entry.addHead(status, type)
    case .upgraded(let name):
      let name = name.map { mask.masked($0) }
      let suffix = name.map { ", \(visibleText($0))" } ?? ""
      entry.set("upgrade", "← 101 WebSocket\(suffix)", from: .server)
      entry.add("protocol", name.map { .string($0) })
    case .sentEvent(let event): describe(event, &entry)
    case .sentMessage(let message):
      let message = mask.masked(message)
      entry.set("message", "← message \(shortText(message))", from: .server)
      entry.add("message", message)
    case .sentBytes(let count):
      entry.set("bytes", "← \(count) raw bytes", from: .server)
      entry.add("bytes", .int(count))
    case .saidGoodbye(let code, let reason): describeClose(code, reason, &entry)
    case .brokeOff: entry.set("drop", "← the connection was broken off", from: .server)
    case .ignored(let method, let path):
      let text = cut(mask.masked("\(method) \(path)"))
      entry.set("ignored", "→ \(text), which no entry answers", from: .client)
      entry.add("method", .string(method))
      entry.add("path", .string(mask.masked(path)))
    case .misunderstood(let problem):
      let problem = mask.masked(problem)
      entry.set("problem", "→ not understood: \(visibleText(problem))", from: .client)
      entry.add("problem", .string(problem))
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
    entry.set("event", text, from: .server)
    entry.add("name", event.name.map { .string(mask.masked($0)) })
    entry.add("id", event.id.map { .string(mask.masked($0)) })
    entry.add("data", data)
    entry.add("comment", event.comment.map { .string(mask.masked($0)) })
  }

  private func describeClose(_ code: Int?, _ reason: String, _ entry: inout ConversationEntry) {
    let reason = mask.masked(reason)
    let words = code.map { "closed with \($0)" } ?? "the stream ended"
    let why = reason.isEmpty ? "" : " \(visibleText(reason))"
    entry.set("goodbye", "← \(words)\(why)", from: .server)
    entry.add("code", code.map { .int($0) })
    entry.add("reason", reason.isEmpty ? nil : .string(reason))
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

/// One entry of a conversation.
package struct ConversationEntry: Sendable {
  enum Side: String { case client, server }

  private let event: EventID
  private let time: Microseconds
  private let endpoint: String
  fileprivate var connection: Int?
  private var kind = ""
  private var text = ""
  private var side = Side.client
  private var details: [(name: String, value: Value)] = []

  fileprivate init(event: EventID, time: Microseconds, endpoint: String, connection: Int?) {
    self.event = event
    self.time = time
    self.endpoint = endpoint
    self.connection = connection
  }

  fileprivate mutating func set(_ kind: String, _ text: String, from side: Side) {
    (self.kind, self.text, self.side) = (kind, text, side)
  }

  fileprivate mutating func add(_ name: String, _ value: Value?) {
    if let value { details.append((name, value)) }
  }

  fileprivate mutating func addHead(_ status: Int, _ type: String?) {
    add("status", .int(status))
    add("type", type.map { .string($0) })
  }

  /// The line for people: `12ms api → GET /tasks?page=2 (connection 1)`.
  package var line: String {
    let number = connection.map { " (connection \($0))" } ?? ""
    return "\(durationText(time / 1_000 * 1_000)) \(endpoint) \(text)\(number)"
  }

  /// The line of JSON for programs.
  package var json: String {
    JSONWriter.object {
      $0.member("kind", kind)
      $0.member("event", event.index)
      $0.member("microseconds", time)
      $0.member("endpoint", endpoint)
      if let connection { $0.member("connection", connection) }
      $0.member("from", side.rawValue)
      for detail in details { $0.member(detail.name) { $0.raw(detail.value.json()) } }
    }
  }
}

/// Returns a failure as a line of such a log.
package func conversationJSON(
  of failure: Diagnostic, at time: Microseconds, in sources: SourceMap
) -> String {
  JSONWriter.object {
    $0.member("kind", "failure")
    $0.member("microseconds", time)
    $0.member("failure") { $0.diagnostic(failure, in: sources) }
  }
}

/// Returns the last line of such a log; its names are those of the JSON report.
package func conversationJSON(
  of verdict: Verdict, _ mask: SecretMask = SecretMask([])
) -> String {
  JSONWriter.object {
    $0.member("kind", "verdict")
    $0.member("outcome", verdict.outcome == .passed ? "passed" : "failed")
    $0.member("microseconds", verdict.duration)
    $0.member("events", verdict.eventCount)
    $0.member("assertions", verdict.assertionsReached)
    $0.member("assertionsMet", verdict.assertionsMet)
    $0.member("failures", verdict.failures.count)
    $0.addPendingAtEnd(of: verdict, mask)
  }
}
