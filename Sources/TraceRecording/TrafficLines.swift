import Events
import Protocols
import TextSearch
import Traces
import Values

/// The lines of what passes between clients and endpoints.
struct TrafficLines {
  /// True for real endpoints, of whose headers only a few are written.
  var allowsFewHeaders = false
  /// The headers that are written besides those, since the scenario names them, in lower case.
  var named: Set<String> = []
  /// The messages that lines with equal headers share; nil if no header is shown twice.
  var known: KnownMessages?

  /// The headers of real endpoints that a trace may contain.
  static let allowedHeaders: Set<String> = [
    "accept", "accept-encoding", "allow", "cache-control", "connection", "content-encoding",
    "content-length", "content-type", "etag", "expires", "host", "idempotency-key", "if-match",
    "if-none-match", "last-event-id", "last-modified", "link", "location", "mcp-session-id",
    "origin", "retry-after",
    "sec-websocket-protocol", "transfer-encoding", "upgrade", "user-agent", "vary",
    "www-authenticate",
  ]

  func line(for kind: Traffic.Kind) -> TraceLine {
    switch kind {
    case .request(let request): line(.request, message(request))
    case .response(let response): line(.response, message(response))
    case .stream(let head): TraceLine(.stream, .map(ValueMap(distinct: self.head(head))))
    case .upgrade(let head): TraceLine(.upgrade, .map(ValueMap(distinct: self.head(head))))
    case .event(let event): line(for: event)
    case .comment(let text): TraceLine(.event, ["comment": .string(text)])
    case .retry(let milliseconds): TraceLine(.event, ["retry": .int(milliseconds)])
    case .id(let id): TraceLine(.event, ["id": .string(id)])
    case .cutEvent(let text): TraceLine(.event, ["cut": .string(text)])
    case .line(let text): TrafficLines.line(.line, Payload(line: text))
    case .message(.string(let text)): TrafficLines.line(.message, Payload(text: text))
    case .message(let bytes): TraceLine(.message, bytes)
    case .ping(let bytes): TraceLine(.ping, .bytes(bytes))
    case .pong(let bytes): TraceLine(.pong, .bytes(bytes))
    case .bytes(let bytes): TraceLine(.bytes, .bytes(allowsFewHeaders ? shown(bytes) : bytes))
    case .goodbye(let code, let reason): TraceLine(.goodbye, close(code, reason))
    case .left(let code, let reason): TraceLine(.left, close(code, reason))
    case .drop: TraceLine(.drop)
    case .reset: TraceLine(.reset)
    case .unreachable(let reason, let problem): TraceLine(.unreachable, failure(reason, problem))
    }
  }

  /// A value that is not encoded yet, and the text of its body if the value lacks a part of it.
  typealias Message = (value: Value, text: String?)

  private func line(_ kind: TraceKind, _ message: Message) -> TraceLine {
    var line = TraceLine(kind, message.value)
    line.text = message.text.map { TraceValue(json: .string($0)) }
    return line
  }

  func message(_ request: Exchange.Request) -> Message {
    if let message = known?.requests[request] { return message }
    let message = newMessage(request)
    known?.requests.keep(message, of: request)
    return message
  }

  private func newMessage(_ request: Exchange.Request) -> Message {
    let target = HTTPTarget(request.target)
    // In the order of their keys, which the writer need not sort then.
    var members: [ValueMap.Entry] = []
    members.reserveCapacity(6)
    members.append(("headers", .map(headers(request.headers))))
    members.append(("method", .string(request.method)))
    members.append(("path", .string(target.decodedPath)))
    let items = target.items.map { ($0.name, $0.value) }
    if !items.isEmpty { members.append(("query", .map(fields(items)))) }
    // What decoding changes cannot be made from path and query again.
    if request.target.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
      members.append(("target", .string(request.target)))
    }
    return message(members, request.body, request.headers)
  }

  func message(_ response: Exchange.Response) -> Message {
    if let message = known?.responses[response] { return message }
    let message = message(head(response), response.body, response.headers)
    known?.responses.keep(message, of: response)
    return message
  }

  private func head(_ response: Exchange.Response) -> [ValueMap.Entry] {
    [("headers", .map(headers(response.headers))), ("status", .int(response.status))]
  }

  private func message(
    _ head: [ValueMap.Entry], _ body: [UInt8], _ headers: [Exchange.Field]
  ) -> Message {
    guard !body.isEmpty else { return (.map(ValueMap(distinct: head)), nil) }
    let type = headers.first { $0.name.lowercasedASCII == "content-type" }?.value ?? ""
    let isJSON = namesJSON(type)
    let payload =
      known?.bodies.payload(of: body, isJSON: isJSON) ?? Payload(body: body, isJSON: isJSON)
    return (.map(ValueMap(distinct: [("body", payload.value)] + head)), payload.text)
  }

  private func line(for event: Traffic.StreamEvent) -> TraceLine {
    let payload = Payload(text: event.data)
    var map = ValueMap()
    map["event"] = event.name.map { .string($0) }
    map["id"] = event.id.map { .string($0) }
    map["data"] = payload.value
    map["retry"] = event.retry.map { .int($0) }
    var line = TraceLine(.event, .map(map))
    line.text = payload.text.map { TraceValue(.string($0)) }
    return line
  }

  /// Returns the line of a text that was written to a program.
  static func line(_ kind: TraceKind, _ text: String, source: String) -> TraceLine {
    var line = line(kind, Payload(text: text))
    line.source = source
    return line
  }

  private static func line(_ kind: TraceKind, _ payload: Payload) -> TraceLine {
    var line = TraceLine(kind, payload.value)
    line.text = payload.text.map { TraceValue(.string($0)) }
    return line
  }

  private func headers(_ headers: [Exchange.Field]) -> ValueMap {
    let pairs = headers.map { ($0.name.lowercasedASCII, $0.value) }
    guard allowsFewHeaders else { return fields(pairs) }
    return fields(pairs.filter { isWritten($0.0) })
  }

  private func isWritten(_ header: String) -> Bool {
    TrafficLines.allowedHeaders.contains(header) || named.contains(header)
  }

  /// Returns raw bytes without the headers that a trace may not contain. Of an answer they are the
  /// lines of its head, since the tokens in a part of a body cannot be found.
  private func shown(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: Array("HTTP/".utf8)) else { return bytes }
    var shown: [UInt8] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.isEmpty || line.elementsEqual([0x0D]) { break }
      let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
      let isShown = shown.isEmpty || isWritten(name.lowercasedASCII)
      if isShown { shown += line + [0x0A] }
    }
    return shown
  }

  /// A name that comes several times has the list of its values.
  private func fields(_ pairs: [(String, String)]) -> ValueMap {
    var map = ValueMap(minimumCapacity: pairs.count)
    for (name, value) in pairs {
      switch map[name] {
      case .list(let values)?: map[name] = .list(values + [.string(value)])
      case let first?: map[name] = [first, .string(value)]
      case nil: map[name] = .string(value)
      }
    }
    return map
  }

  private func close(_ code: Int?, _ reason: String) -> Value? {
    guard let code else { return nil }
    return ["code": .int(code), "reason": .string(reason)]
  }

  private func failure(_ reason: String, _ problem: String?) -> Value {
    var map = ValueMap([("reason", .string(reason))])
    map["problem"] = problem.map { .string($0) }
    return .map(map)
  }
}

extension TraceLine {
  /// The line of a request that a client sent to an endpoint.
  package init(_ request: Exchange.Request, to endpoint: String) {
    self = TrafficLines().line(for: .request(request))
    source = endpoint
    from = .client
  }
}
