import Protocols
import TextSearch
import Values
import YAMLSyntax

// What the mocks do.
extension ImportStage {
  var endpointsText: YAMLText {
    var servers: [String] = []
    for exchange in flow.exchanges where !servers.contains(exchange.server) {
      servers.append(exchange.server)
    }
    return .map(servers.map { YAMLText.Entry(endpoints[$0] ?? $0, endpoint($0)) })
  }

  private func endpoint(_ server: String) -> YAMLText {
    let exchanges = flow.exchanges.filter { $0.server == server }
    var entries: [YAMLText.Entry] = []
    if let url = exchanges.lazy.compactMap(\.url).first {
      entries.append(YAMLText.Entry("url", .text(url)))
    }
    let routes = routes(exchanges)
    if !routes.isEmpty { entries.append(YAMLText.Entry("http", .list(routes))) }
    for kind in [ImportedConversation.Kind.eventStream, .lines, .webSocket] {
      let conversations = exchanges.compactMap { conversation($0, of: kind) }
      if !conversations.isEmpty { entries.append(YAMLText.Entry(kind.key, .list(conversations))) }
    }
    return .map(entries)
  }

  /// A route for each method and path, with its answers in their order.
  private func routes(_ exchanges: [ImportedExchange]) -> [YAMLText] {
    var order: [[String]] = []
    var answers: [[String]: [YAMLText]] = [:]
    for exchange in exchanges {
      guard let answer = answer(exchange) else { continue }
      let key = [exchange.request.method, exchange.request.path]
      if answers[key] == nil { order.append(key) }
      answers[key, default: []].append(answer)
    }
    return order.map { key in
      let all = answers[key] ?? []
      let same = all.allSatisfy { $0 == all[0] }
      let method = key[0].lowercased()
      let isNamed = routeMethods.contains(method)
      let route = RoutePath(key[1])
      var entries = [YAMLText.Entry(isNamed ? method : "any", .text(route.text.escaped))]
      let conditions = (isNamed ? [] : ["request.method == '\(key[0])'"]) + route.conditions
      if !conditions.isEmpty {
        entries.append(YAMLText.Entry("when", .text(conditions.joined(separator: " && "))))
      }
      entries.append(YAMLText.Entry("respond", same ? all[0] : .list(all)))
      return .map(entries)
    }
  }

  private func answer(_ exchange: ImportedExchange) -> YAMLText? {
    switch exchange.answer {
    case .conversation: return nil
    case .none: return .bare("drop")
    case .response(let response): return answer(response)
    }
  }

  private func answer(_ response: ImportedResponse) -> YAMLText {
    var entries: [YAMLText.Entry] = []
    if response.status != 200 {
      entries.append(YAMLText.Entry("status", .scalar(.int(response.status))))
    }
    let headers = response.headers.keptOfAnswer(of: response.body)
    if !headers.isEmpty {
      entries.append(
        YAMLText.Entry(
          "headers", .map(valuesByName: headers.map { ($0.name, .text($0.value.escaped)) })))
    }
    switch response.body {
    case .json(let json): entries.append(YAMLText.Entry("json", asSent(json, said)))
    case .text(let text): entries.append(YAMLText.Entry("text", .text(said(text))))
    case .bytes(let bytes): entries.append(YAMLText.Entry("text", written(.bytes(bytes))))
    case .form(let fields):
      let text = fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      entries.append(YAMLText.Entry("text", .text(text.escaped)))
    case nil: break
    }
    return entries.isEmpty ? .map([YAMLText.Entry("status", .scalar(200))]) : .map(entries)
  }

  private func conversation(
    _ exchange: ImportedExchange, of kind: ImportedConversation.Kind
  ) -> YAMLText? {
    guard case .conversation(let conversation) = exchange.answer, conversation.kind == kind else {
      return nil
    }
    if case .refused(let response) = conversation.end {
      return .map([YAMLText.Entry("refuse", response.map(answer) ?? .bare("drop"))])
    }
    let path = URLText.decode(exchange.request.path, as: .path)
    var accept = [YAMLText.Entry("path", .text(path.escaped))]
    if exchange.request.method != "GET" {
      accept.append(YAMLText.Entry("method", .text(exchange.request.method)))
    }
    if let chosen = conversation.subprotocol {
      accept.append(YAMLText.Entry("protocol", .text(chosen)))
    }
    return .map([
      YAMLText.Entry("accept", .map(accept)),
      YAMLText.Entry("script", .list(script(conversation, from: exchange.time))),
    ])
  }

  private func script(_ conversation: ImportedConversation, from start: Microseconds) -> [YAMLText]
  {
    var steps: [YAMLText] = []
    var time = start
    for message in conversation.messages {
      if message.isFromClient {
        steps.append(step("receive", exactly(message.data, said)))
      } else {
        if let pause = pause(from: time, to: message.time) { steps.append(pause) }
        steps.append(message.step(of: conversation.kind, said))
      }
      time = message.time
    }
    switch conversation.end {
    case .open, .left, .refused: steps.append(step("wait", .bare("forever")))
    case .dropped:
      if let pause = pause(from: time, to: conversation.endTime) { steps.append(pause) }
      steps.append(.bare("drop"))
    case .closed(let code, let reason):
      if let pause = pause(from: time, to: conversation.endTime) { steps.append(pause) }
      if let code, code != 1_000 || !reason.isEmpty {
        steps.append(
          step(
            "close",
            .map([
              YAMLText.Entry("code", .scalar(.int(code))),
              YAMLText.Entry("reason", .text(reason.escaped)),
            ])))
      }
    }
    return steps
  }

  /// Shorter pauses say nothing about the server.
  private func pause(from start: Microseconds, to end: Microseconds) -> YAMLText? {
    let length = pauseLength(from: start, to: end)
    return length == 0 ? nil : step("wait", .bare(durationText(length)))
  }
}

/// The path of a route: decoded, with a name for a segment that a route cannot hold, and what has
/// to stand there.
private struct RoutePath {
  let text: String
  private(set) var conditions: [String] = []

  init(_ path: String) {
    var segments: [String] = []
    for (place, segment) in path.split(separator: "/", omittingEmptySubsequences: false)
      .enumerated()
    {
      let text = URLText.decode(String(segment), as: .path)
      guard text.contains(where: { "/{}".contains($0) }) else {
        segments.append(text)
        continue
      }
      segments.append("{part\(place)}")
      conditions.append("request.params.part\(place) == \(celText(text.withPlainPlaceholders))")
    }
    text = segments.joined(separator: "/")
  }
}

/// Returns the time that a mock waits between two times, in hundredths of a second; shorter pauses
/// are left out.
func pauseLength(from start: Microseconds, to end: Microseconds) -> Microseconds {
  let length = (end - start) / 10_000 * 10_000
  return length >= 50_000 ? length : 0
}

/// Returns what a mock sends: of a map that looks like an example, the map itself.
///
/// - Parameter said: Returns a text as the scenario has it.
private func asSent(_ value: Value, _ said: (String) -> String) -> YAMLText {
  switch value {
  case .map(let map) where map.looksLikeExample: .map([YAMLText.Entry("$exactly", written(value))])
  case .map(let map):
    .map(map.map { YAMLText.Entry($0.key.plainText.escaped, asSent($0.value, said)) })
  case .list(let elements): .list(elements.map { asSent($0, said) })
  case .string(let text): .text(said(text))
  case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type, .optional:
    written(value)
  }
}

extension ValueMap {
  /// True if a mock would not send the map as it stands.
  fileprivate var looksLikeExample: Bool {
    if count == 2 { return self["$example"] != nil && self["$match"] != nil }
    guard count == 1 else { return false }
    if case .map(let inner)? = self["$exactly"] { return inner.looksLikeExample }
    return self["$like"] != nil || self["$eachLike"] != nil
  }
}

private let routeMethods: Set<String> = ["get", "post", "put", "patch", "delete", "head"]

func step(_ verb: String, _ value: YAMLText) -> YAMLText {
  .map([YAMLText.Entry(verb, value)])
}

extension YAMLText {
  /// Returns a map in which a name that comes several times has the list of its values.
  static func map(valuesByName pairs: [(name: String, value: YAMLText)]) -> YAMLText {
    var entries: [Entry] = []
    for pair in pairs where !entries.contains(where: { $0.key == pair.name }) {
      let values = pairs.filter { $0.name == pair.name }.map(\.value)
      entries.append(Entry(pair.name, values.count == 1 ? values[0] : .list(values)))
    }
    return .map(entries)
  }
}

extension ImportedConversation.Kind {
  /// The key of such connections, of an endpoint's and of a client's.
  var key: String {
    switch self {
    case .eventStream: "sse"
    case .lines: "ndjson"
    case .webSocket: "websocket"
    }
  }
}

extension ImportedMessage {
  fileprivate func step(
    of kind: ImportedConversation.Kind, _ said: (String) -> String
  ) -> YAMLText {
    switch kind {
    case .webSocket: return Imports.step("send", asSent(data, said))
    case .eventStream, .lines:
      if event == nil, id == nil, case .string(let text) = data, kind == .eventStream {
        return Imports.step("event", .text(said(text)))
      }
      var entries: [YAMLText.Entry] = []
      if let event { entries.append(YAMLText.Entry("event", .text(event.escaped))) }
      if let id { entries.append(YAMLText.Entry("id", .text(id.escaped))) }
      entries.append(YAMLText.Entry("data", asSent(data, said)))
      return Imports.step("event", .map(entries))
    }
  }
}

extension [ImportedField] {
  /// The headers of an answer that mean something to a client.
  fileprivate func keptOfAnswer(of body: ImportedBody?) -> [ImportedField] {
    let kept: Set<String> = [
      "etag", "link", "location", "retry-after", "set-cookie", "www-authenticate",
    ]
    return filter { field in
      let name = field.name.lowercased()
      if name == "content-type" { return body.map { !$0.implies(field.value) } ?? false }
      return kept.contains(name)
    }
  }
}

extension ImportedBody {
  /// True if a mock sends this type by itself.
  private var usualType: String {
    switch self {
    case .json: "application/json"
    case .text, .form, .bytes: "text/plain"
    }
  }

  fileprivate func implies(_ type: String) -> Bool { type.lowercased().hasPrefix(usualType) }
}
