import Events
import Protocols
import TextSearch
import Values
import Verdicts

/// Applies the rules of protocols to an HTTP Archive.
package func watchArchive(
  _ json: Value, named name: String
) -> Result<TrafficWatch, ImportProblem> {
  guard case .list(let entries)? = json["log"]?["entries"] else {
    return .failure(.noEntries(name))
  }
  let start = entries.compactMap { $0["startedDateTime"]?.timestamp }.min {
    ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds)
  }
  var lines: [ExchangeLine] = []
  for (index, entry) in entries.enumerated() {
    guard let reader = ArchiveEntryReader(entry, number: index + 1, since: start) else { continue }
    lines += reader.lines
  }
  // Lines of one time stay in their order.
  let order = lines.indices.sorted { (lines[$0].time, $0) < (lines[$1].time, $1) }
  var watch = TrafficWatch(RecordingEnd(isWhole: true, tolerance: 20_000))
  for index in order { watch.observe(lines[index]) }
  watch.finish()
  return .success(watch)
}

/// The reader of one entry: a request, and what followed from it.
private struct ArchiveEntryReader {
  private let entry: Value
  private let number: Int
  private let url: SplitURL
  private let target: String
  private let begin: Microseconds
  private let end: Microseconds

  init?(_ entry: Value, number: Int, since start: Timestamp?) {
    guard let text = entry["request"]?["url"]?.plainText, let url = SplitURL(text) else {
      return nil
    }
    self.entry = entry
    self.number = number
    self.url = url
    let scheme = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    target = String(text[scheme...].drop { $0 != "/" && $0 != "?" })
    let time = entry["startedDateTime"]?.timestamp
    begin = time.flatMap { time in start.map { microseconds(from: $0, to: time) } } ?? 0
    end = begin + duration(of: entry)
  }

  var lines: [ExchangeLine] { [line(.request(request), .client, begin)] + answer }

  private func line(
    _ kind: Traffic.Kind, _ from: Traffic.Side, _ time: Microseconds, part: Int? = nil
  ) -> ExchangeLine {
    ExchangeLine(
      kind, server: url.origin, exchange: number, from: from, time: time,
      place: .entry(number, part: part))
  }

  private var request: Exchange.Request {
    let request = entry["request"] ?? .null
    var body: [UInt8] = []
    if case .string(let text)? = request["postData"]?["text"] {
      let isCoded = request["postData"]?["_encoding"] == "base64"
      body = isCoded ? Base64.decode(text) ?? [] : Array(text.utf8)
    }
    return Exchange.Request(
      method: request["method"]?.plainText ?? "GET", target: target,
      headers: headers(of: request), body: body)
  }

  /// An archive has bodies as they are behind their coding.
  private func headers(of message: Value) -> [Exchange.Field] {
    fields(message["headers"]).filter { $0.name.lowercased() != "content-encoding" }
      .map { Exchange.Field($0.name, $0.value) }
  }
}

// The answer.
extension ArchiveEntryReader {
  private var response: Value { entry["response"] ?? .null }

  /// The reason why the browser ended the exchange, if it did.
  private var problem: String? {
    guard let text = response["_error"]?.plainText, !text.isEmpty, text != "null" else {
      return nil
    }
    return text
  }

  private var answer: [ExchangeLine] {
    let status = response["status"]?.number ?? 0
    if status == 101 || url.isWebSocket && entry["_webSocketMessages"] != nil {
      return [line(.upgrade(head(101)), .server, begin)] + messages
    }
    guard (100...599).contains(status) else {
      return problem.map { [line(.unreachable(reason: $0, problem: nil), .server, end)] } ?? []
    }
    var head = head(status)
    let type = (head["content-type"] ?? "").lowercased()
    if (200..<300).contains(status), type.hasPrefix("text/event-stream") {
      return stream(head, events)
    }
    if (200..<300).contains(status), type.contains("ndjson") || type.contains("jsonl") {
      return stream(head, jsonLines)
    }
    head.body = body
    return [line(.response(head), .server, end)]
  }

  private func head(_ status: Int) -> Exchange.Response {
    Exchange.Response(status: status, reason: "", headers: headers(of: response), body: [])
  }

  /// The body; empty if the archive has only a part of it.
  private var body: [UInt8] {
    let content = response["content"] ?? .null
    let bytes = text(of: content)
    let isPart = content["encoding"] == nil && (content["size"]?.number ?? 0) > bytes.count
    return problem != nil || isPart ? [] : bytes
  }

  private func stream(_ head: Exchange.Response, _ parts: [Traffic.Kind]) -> [ExchangeLine] {
    let said = parts.enumerated().map { line($1, .server, begin, part: $0 + 1) }
    let isEnded = problem == nil && !text(of: response["content"] ?? .null).isEmpty
    let last: Traffic.Kind =
      isEnded ? .goodbye(code: nil, reason: "") : .left(code: nil, reason: "")
    return [line(.stream(head), .server, begin)] + said
      + [line(last, isEnded ? .server : .client, end)]
  }

  private var events: [Traffic.Kind] {
    let bytes = text(of: response["content"] ?? .null)
    var reader = SSEPartReader()
    return (reader.receive(bytes) + reader.finish()).compactMap { part in
      switch part {
      case .event(let event):
        .event(
          Traffic.StreamEvent(
            name: event.event, id: event.id, data: event.data, retry: event.retry))
      case .retry(let milliseconds): .retry(milliseconds)
      case .id(let id): .id(id)
      case .cut(let text): .cutEvent(text)
      case .comment: nil
      }
    }
  }

  private var jsonLines: [Traffic.Kind] {
    body.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.contains { !$0.isWhitespace } }.map { .line($0) }
  }

  private var messages: [ExchangeLine] {
    guard case .list(let items)? = entry["_webSocketMessages"] else { return [] }
    return zip(items, messageTimes(of: items)).enumerated().compactMap { index, part in
      guard let kind = message(part.0) else { return nil }
      let side: Traffic.Side = part.0["type"] == "send" ? .client : .server
      return line(kind, side, begin + part.1, part: index + 1)
    }
  }

  private func message(_ item: Value) -> Traffic.Kind? {
    let text = item["data"]?.plainText ?? ""
    let bytes = Base64.decode(text) ?? Array(text.utf8)
    switch item["opcode"]?.number ?? 1 {
    case 1: return .message(.string(text))
    case 2: return .message(.bytes(bytes))
    // The bytes of the frame, with its code as it was sent.
    case 8 where bytes.count < 126: return .bytes([0x88, UInt8(bytes.count)] + bytes)
    default: return nil
    }
  }
}
