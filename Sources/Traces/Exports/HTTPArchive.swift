import Values

/// Returns the exchanges of a run as an HTTP Archive, version 1.2.
///
/// - Parameter body: Returns the file of a large body, by its hash.
package func httpArchive(
  of run: TraceRun, body: @escaping (String) -> TraceBodyFile? = { _ in nil }
) -> LongJSON {
  let writer = run.header.writer
  let creator: Value = ["name": .string(writer.name), "version": .string(writer.version)]
  let archive = HTTPArchive(run, TraceResolver(body: body))
  let entries = run.exchanges.lazy.map(archive.entry)
  return .map([
    (
      "log",
      .map([
        ("version", .value("1.2")), ("creator", .value(creator)), ("entries", .list(entries)),
      ])
    )
  ])
}

extension TraceRun {
  /// True if an archive of the run begins in 1970, since nothing in the trace says when it was.
  package var isArchivedWithoutDate: Bool {
    recordedBeginning == nil && exchanges.contains { $0.request.line.timestamp == nil }
  }
}

private struct HTTPArchive {
  private let run: TraceRun
  private let resolver: TraceResolver
  private let start: Timestamp

  init(_ run: TraceRun, _ resolver: TraceResolver) {
    self.run = run
    self.resolver = resolver
    start = run.beginning
  }

  func entry(_ exchange: TraceExchange) -> LongJSON {
    let wait = (exchange.response ?? exchange.end).map { $0.time - exchange.request.time } ?? 0
    let receive = (exchange.duration ?? wait) - wait
    let timings: Value = [
      "send": 0, "wait": milliseconds(wait), "receive": milliseconds(receive),
    ]
    var members: [(name: String, value: LongJSON)] = [
      ("startedDateTime", .value(.string(date(of: exchange.request)))),
      ("time", .value(milliseconds(wait + receive))),
      ("request", .value(request(exchange.request.line, exchange))),
      ("response", response(exchange)),
      ("cache", .value(.map(ValueMap()))),
      ("timings", .value(timings)),
    ]
    let messages = messages(of: exchange)
    if exchange.answer == .webSocket, messages.first != nil {
      members.append(("_webSocketMessages", .list(messages)))
    }
    if let connection = exchange.request.line.connection {
      members.append(("connection", .value(.string(String(connection)))))
    }
    if let source = exchange.source { members.append(("comment", .value(.string(source)))) }
    return .map(members)
  }

  private func date(of entry: TraceReader.Entry) -> String {
    let time = TimeSpan(totalNanoseconds: Int128(entry.time) * 1_000)
    return (entry.line.timestamp ?? time.flatMap { start.adding($0) } ?? start).text
  }

  private func milliseconds(_ time: Microseconds) -> Value {
    time % 1_000 == 0 ? .int(Int(time / 1_000)) : .double(Double(time) / 1_000)
  }

  private func request(_ line: TraceLine, _ exchange: TraceExchange) -> Value {
    let json = line.value?.json ?? .null
    let message = TraceMessage(line)
    let members: [(Value, Value)] = [
      ("method", .string(json["method"]?.plainText ?? "")), ("url", .string(url(of: line, json))),
      ("httpVersion", "HTTP/1.1"), ("cookies", cookies(message.headers, "cookie")),
      ("headers", list(message.headers)), ("queryString", list(message.query)),
      ("headersSize", -1), ("bodySize", .int(line.bodyBytes)),
    ]
    var map = ValueMap(members)
    if let body = message.body(resolver) {
      var data = ValueMap()
      data["mimeType"] = .string(type(of: message.headers))
      data["text"] = .string(body.text)
      // The format has an encoding for answers only; names of other members begin so.
      if body.isBase64 { data["_encoding"] = "base64" }
      map["postData"] = .map(data)
    }
    return .map(map)
  }

  private func response(_ exchange: TraceExchange) -> LongJSON {
    let headers = exchange.response.map { TraceMessage($0.line).headers } ?? []
    let redirect = first("location", of: headers) ?? ""
    var members: [(name: String, value: LongJSON)] = [
      ("status", .value(.int(exchange.status ?? 0))), ("statusText", .value("")),
      ("httpVersion", .value("HTTP/1.1")), ("cookies", .value(cookies(headers, "set-cookie"))),
      ("headers", .value(list(headers))), ("content", .map(content(of: exchange, headers))),
      ("redirectURL", .value(.string(redirect))), ("headersSize", .value(-1)),
      ("bodySize", .value(.int(exchange.receivedBytes))),
    ]
    if exchange.answer == .none, let end = exchange.end {
      members.append(("_error", .value(.string(end.line.kind.name))))
    }
    return .map(members)
  }

  private func content(
    of exchange: TraceExchange, _ headers: [(name: String, value: String)]
  ) -> [(name: String, value: LongJSON)] {
    let stream = exchange.answer == .stream ? streamParts(of: exchange) : nil
    let size = stream.map { $0.reduce(0) { $0 + $1.utf8.count } } ?? exchange.receivedBytes
    var members: [(name: String, value: LongJSON)] = [
      ("size", .value(.int(size))), ("mimeType", .value(.string(type(of: headers)))),
    ]
    if let stream {
      members.append(("text", .text(stream)))
    } else if let line = exchange.response?.line, let body = TraceMessage(line).body(resolver) {
      members.append(("text", .value(.string(body.text))))
      if body.isBase64 { members.append(("encoding", .value("base64"))) }
    }
    return members
  }
}

// Events, lines and messages, as browsers add them to an archive.
extension HTTPArchive {
  /// The bytes of a stream, made of its events or lines as they are asked for.
  private func streamParts(of exchange: TraceExchange) -> some Sequence<String> {
    exchange.lines.lazy.map { index -> String in
      let line = run.entries[index].line
      switch line.knownKind {
      case .line: return text(of: line) + "\n"
      case .event: return event(line)
      default: return ""
      }
    }
  }

  private func event(_ line: TraceLine) -> String {
    let value = line.value?.json ?? .null
    if let comment = value["comment"] { return ": \(comment.plainText)\n\n" }
    if let cut = value["cut"] { return cut.plainText }
    var fields: [String] = []
    for name in ["event", "id", "retry"] {
      if let field = value[name] { fields.append("\(name): \(field.plainText)\n") }
    }
    if value["data"] != nil {
      let data = line.text?.json.plainText ?? value["data"].map(text) ?? ""
      fields += data.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "data: \($0)\n" }
    }
    return fields.joined() + "\n"
  }

  private func messages(of exchange: TraceExchange) -> some Collection<LongJSON> {
    exchange.lines.lazy.compactMap { index in
      let entry = run.entries[index]
      guard var message = message(entry.line) else { return nil }
      message["type"] = entry.line.from == .client ? "send" : "receive"
      let time = TimeSpan(totalNanoseconds: Int128(entry.time) * 1_000)
      let moment = entry.line.timestamp ?? time.flatMap { start.adding($0) } ?? start
      message["time"] = .double(Double(moment.seconds) + Double(moment.nanoseconds) / 1e9)
      return .value(.map(message))
    }
  }

  private func message(_ line: TraceLine) -> ValueMap? {
    switch line.knownKind {
    case .message:
      if case .map(let map)? = line.value?.json, map.count == 1,
        let bytes = map[TraceEncoding.bytes.rawValue]
      {
        return frame(2, bytes)
      }
      return frame(1, .string(text(of: line)))
    case .goodbye, .left:
      guard case .int(let code)? = line.value?.json["code"] else { return nil }
      let reason = Array((line.value?.json["reason"]?.plainText ?? "").utf8)
      let close = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)] + reason
      return frame(8, .string(Base64.encode(close)))
    default: return nil
    }
  }

  private func frame(_ code: Int, _ data: Value) -> ValueMap {
    var frame = ValueMap()
    frame["opcode"] = .int(code)
    frame["data"] = data
    return frame
  }

  /// The text of a line or a message as it was sent.
  private func text(of line: TraceLine) -> String {
    line.text?.json.plainText ?? line.value.map { text($0.json) } ?? ""
  }

  private func text(_ json: Value) -> String {
    if case .string(let text) = json { text } else { json.json(sortedKeys: true) }
  }
}

extension HTTPArchive {
  /// An absolute URL. What was sent is better than what it was decoded to.
  private func url(of line: TraceLine, _ json: Value) -> String {
    if let url = line.others["url"] ?? json["url"] { return url.plainText }
    let host = json["headers"]?["host"]?.plainText ?? line.source ?? "unknown"
    return "http://\(host)" + urlText(TraceMessage(line).target)
  }

  /// A target as a URL may have it: the name of a secret is in no URL as it is.
  private func urlText(_ target: String) -> String {
    var text: [UInt8] = []
    var isPlaceholder = false
    for byte in target.utf8 {
      if byte >= 0x80 { isPlaceholder = true }
      let hides = byte >= 0x80 || byte <= 0x20 || (isPlaceholder && byte == UInt8(ascii: "#"))
      if hides {
        let digits = Array("0123456789ABCDEF".utf8)
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        text.append(byte)
      }
      if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "/") { isPlaceholder = false }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func type(of headers: [(name: String, value: String)]) -> String {
    first("content-type", of: headers) ?? "application/octet-stream"
  }

  /// A header that came several times has a list in the trace; the format has a text.
  private func first(_ name: String, of headers: [(name: String, value: String)]) -> String? {
    headers.first { $0.name == name }?.value
  }

  private func list(_ fields: [(name: String, value: String)]) -> Value {
    .list(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
  }

  private func cookies(_ fields: [(name: String, value: String)], _ header: String) -> Value {
    let texts = fields.filter { $0.name == header }.map(\.value)
    let parts = texts.flatMap { text in
      let parts = text.split(separator: ";")
      return header == "cookie" ? parts : Array(parts.prefix(1))
    }
    return .list(
      parts.map { part in
        let pair = part.drop { $0 == " " }.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return [
          "name": .string(String(pair.first ?? "")),
          "value": .string(pair.count > 1 ? String(pair[1]) : ""),
        ]
      })
  }
}

/// A body as the text of an archive.
extension TraceMessage.Body {
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .bytes(let bytes): Base64.encode(bytes)
    }
  }

  fileprivate var isBase64: Bool { if case .bytes = self { true } else { false } }
}
