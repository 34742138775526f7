import Diagnostics
import Protocols
import TextSearch
import Values

/// Reads an HTTP Archive, with the messages of WebSockets and the events of streams that browsers
/// add to it. What a page loads to be shown, such as pictures and scripts, is left out.
package func readArchive(
  _ json: Value, named name: String
) -> Result<ImportedFlow, ImportProblem> {
  guard case .list(let entries)? = json["log"]?["entries"] else {
    return .failure(.noEntries(name))
  }
  var flow = ImportedFlow(title: name, origin: name)
  let start = entries.compactMap { $0["startedDateTime"]?.timestamp }.min {
    ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds)
  }
  for (number, entry) in entries.enumerated() {
    if let kind = kindLeftOut(entry) {
      flow.kindsLeftOut[kind, default: 0] += 1
      continue
    }
    let place = "\(name) /log/entries/\(number)"
    if let exchange = exchange(entry, since: start, at: place) {
      flow.exchanges.append(exchange)
    } else {
      flow.leftOut.append(place)
    }
  }
  flow.exchanges.sort { $0.time < $1.time }
  return .success(flow)
}

extension ImportProblem {
  static func noEntries(_ name: String) -> ImportProblem {
    ImportProblem(
      Diagnostic(
        "unreadable-archive", "`\(name)` has no list at `/log/entries`",
        help: "an archive is `{\"log\":{\"entries\":[…]}}`"))
  }
}

/// The types of what pages load to be shown.
private let shownTypes: Set<String> = [
  "image", "font", "stylesheet", "script", "media", "manifest", "texttrack", "preflight", "ping",
]

/// By the beginning of a media type: what it is of a page.
private let shownMedia = [
  ("image/", "image"), ("font/", "font"), ("text/css", "stylesheet"), ("video/", "video"),
  ("audio/", "sound"),
]

/// Returns what an entry is, if a scenario does not have it; nil for a request that it has.
private func kindLeftOut(_ entry: Value) -> String? {
  if entry["request"]?["method"] == "OPTIONS" { return "preflight" }
  if case .string(let type)? = entry["_resourceType"] {
    let type = type.lowercased()
    return shownTypes.contains(type) ? type : nil
  }
  let type = entry["response"]?["content"]?["mimeType"]?.plainText.lowercased() ?? ""
  if type.contains("javascript") { return "script" }
  return shownMedia.first { type.hasPrefix($0.0) }?.1
}

private func exchange(
  _ entry: Value, since start: Timestamp?, at place: String
) -> ImportedExchange? {
  guard let request = entry["request"], case .string(let text)? = request["url"],
    let url = SplitURL(text)
  else { return nil }
  let time = entry["startedDateTime"]?.timestamp.flatMap { begin in
    start.map { microseconds(from: $0, to: begin) }
  }
  return ImportedExchange(
    server: url.origin, url: url.isWebSocket ? nil : url.origin, time: time ?? 0,
    request: ImportedRequest(
      method: request["method"]?.plainText ?? "GET", path: url.path, query: url.query,
      headers: fields(request["headers"]), body: body(of: request)),
    answer: answer(entry, url, at: time ?? 0), place: place)
}

func fields(_ list: Value?) -> [ImportedField] {
  guard case .list(let items)? = list else { return [] }
  return items.flatMap { item -> [ImportedField] in
    guard let name = item["name"]?.plainText, !name.hasPrefix(":") else { return [] }
    // Browsers join the values of a header that came several times by line ends.
    return (item["value"]?.plainText ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .map { ImportedField(name, String($0)) }
  }
}

private func body(of request: Value) -> ImportedBody? {
  guard let data = request["postData"] else { return nil }
  let type = data["mimeType"]?.plainText
  if case .string(let text)? = data["text"], !text.isEmpty {
    if data["_encoding"] == "base64" { return Base64.decode(text).map { .bytes($0) } }
    return ImportedBody(text: text, type: type)
  }
  let params = fields(data["params"])
  return params.isEmpty ? nil : .form(params)
}

private func answer(_ entry: Value, _ url: SplitURL, at time: Microseconds) -> ImportedAnswer {
  let response = entry["response"] ?? .null
  let status = response["status"]?.number ?? 0
  let end = time + duration(of: entry)
  if status == 101 || url.isWebSocket {
    return .conversation(webSocket(entry, at: time, to: end))
  }
  guard (100...599).contains(status) else { return .none }
  let content = response["content"] ?? .null
  let type = content["mimeType"]?.plainText
  let bytes = text(of: content)
  if type?.hasPrefix("text/event-stream") == true, status == 200 {
    return .conversation(eventStream(bytes, at: time, to: end))
  }
  if status == 200, let type, type.contains("ndjson") || type.contains("jsonl") {
    return .conversation(jsonLines(bytes, at: time, to: end))
  }
  // Browsers put the body of their cache there, which no server sends.
  let hasBody = status != 304 && status != 204 && entry["request"]?["method"] != "HEAD"
  return .response(
    ImportedResponse(
      status: status, headers: fields(response["headers"]),
      body: hasBody ? ImportedBody(bytes, type: type) : nil))
}

/// The longest time in an archive that is believed. A number beyond it is as good as none.
private let longestTime = 366.0 * 86_400

/// Returns how long an exchange took; 0 if the archive does not say it.
func duration(of entry: Value) -> Microseconds {
  microseconds((entry["time"]?.decimal ?? 0) / 1_000)
}

/// Returns the times of messages since the first of them. A message is not earlier than the one
/// before it.
///
/// Browsers write seconds of the calendar, and others milliseconds. A number below 0 is no time.
func messageTimes(of items: [Value]) -> [Microseconds] {
  let times = items.map { $0["time"]?.decimal ?? -1 }
  let first = times.first { $0 >= 0 } ?? 0
  let unit = first > firstMilliseconds ? 1_000.0 : 1
  var last: Microseconds = 0
  return times.map { time in
    last = max(last, time < 0 ? 0 : microseconds((time - first) / unit))
    return last
  }
}

/// A number of seconds that no calendar reaches, and that a number of milliseconds passed in 1973.
private let firstMilliseconds = 1e11

private func microseconds(_ seconds: Double) -> Microseconds {
  // Seconds of the calendar have no more digits than these.
  seconds > 0 && seconds < longestTime ? Microseconds((seconds * 100_000).rounded()) * 10 : 0
}

func text(of content: Value) -> [UInt8] {
  guard case .string(let text)? = content["text"] else { return [] }
  if content["encoding"] == "base64" { return Base64.decode(text) ?? [] }
  return Array(text.utf8)
}

private func webSocket(
  _ entry: Value, at start: Microseconds, to end: Microseconds
) -> ImportedConversation {
  guard case .list(let items)? = entry["_webSocketMessages"] else {
    return ImportedConversation(kind: .webSocket, endTime: end)
  }
  var conversation = ImportedConversation(kind: .webSocket, endTime: end)
  conversation.agree(
    on: fields(entry["response"]?["headers"]).subprotocols.first,
    of: fields(entry["request"]?["headers"]).subprotocols)
  for (item, time) in zip(items, messageTimes(of: items)) {
    if item["opcode"]?.number == 8, item["type"] == "receive" {
      let close = Base64.decode(item["data"]?.plainText ?? "") ?? []
      let code = close.count < 2 ? nil : Int(close[0]) << 8 | Int(close[1])
      let reason = String(decoding: close.dropFirst(2), as: UTF8.self)
      (conversation.end, conversation.endTime) = (.closed(code: code, reason: reason), start + time)
    }
  }
  let messages = zip(items, messageTimes(of: items)).filter { ($0.0["opcode"]?.number ?? 1) < 8 }
  conversation.messages = messages.map { item, time in
    let text = item["data"]?.plainText ?? ""
    let isBinary = item["opcode"]?.number == 2
    return ImportedMessage(
      time: start + time,
      isFromClient: item["type"] == "send",
      data: isBinary ? .bytes(Base64.decode(text) ?? Array(text.utf8)) : payload(text))
  }
  return conversation
}

private func jsonLines(
  _ bytes: [UInt8], at start: Microseconds, to end: Microseconds
) -> ImportedConversation {
  var conversation = ImportedConversation(kind: .lines, endTime: end)
  conversation.messages = bytes.split(separator: 0x0A).filter { !$0.allSatisfy { $0 <= 0x20 } }
    .map { ImportedMessage(time: start, data: payload(String(decoding: $0, as: UTF8.self))) }
  return conversation
}

private func eventStream(
  _ bytes: [UInt8], at start: Microseconds, to end: Microseconds
) -> ImportedConversation {
  var decoder = SSEDecoder()
  var conversation = ImportedConversation(kind: .eventStream, endTime: end)
  for case .event(let event) in decoder.receive(bytes) {
    conversation.messages.append(
      ImportedMessage(
        time: start, event: event.event.isEmpty ? nil : event.event, id: event.id,
        data: payload(event.data)))
  }
  return conversation
}

/// A URL in the parts that a scenario writes.
struct SplitURL {
  var origin: String
  var isWebSocket: Bool
  var path: String
  var query: [ImportedField]

  init?(_ text: String) {
    guard let scheme = text.firstRange(of: "://") else { return nil }
    isWebSocket = text.hasPrefix("ws")
    let name = text[..<scheme.lowerBound]
    let rest = text[scheme.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let host = rest[..<end].split(separator: "@").last ?? ""
    guard !host.isEmpty, ["http", "https", "ws", "wss"].contains(name) else { return nil }
    origin = (name == "ws" ? "http" : name == "wss" ? "https" : String(name)) + "://" + host
    let target = HTTPTarget(String(rest[end...].prefix { $0 != "#" }))
    path = target.path.isEmpty ? "/" : target.path
    query = target.items.map { ImportedField($0.name, $0.value) }
  }
}

extension Value {
  var timestamp: Timestamp? {
    if case .string(let text) = self { Timestamp(text: text) } else { nil }
  }

  var number: Int? { if case .int(let number) = self { number } else { nil } }

  var decimal: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}

func microseconds(from start: Timestamp, to end: Timestamp) -> Microseconds {
  Microseconds(end.seconds - start.seconds) * 1_000_000
    + Microseconds(end.nanoseconds - start.nanoseconds) / 1_000
}
