import Protocols
import TextSearch
import Values
import YAMLSyntax

/// Something that the client does.
struct TimedAction {
  /// The exchange that it is about.
  enum Kind {
    case request(Int)
    case connect(Int)
    case send(Int, message: Int)
    case disconnect(Int)
  }

  var time: Microseconds
  var kind: Kind

  /// Returns whether a message came before: earlier in time, or before it on the same connection.
  func follows(_ message: ImportedMessage, _ index: Int, of exchange: Int) -> Bool {
    switch kind {
    case .send(exchange, let sent): index < sent
    case .disconnect(exchange): true
    case .request, .connect, .send, .disconnect: message.time < time
    }
  }
}

// What the client does, in the order of time.
extension ImportStage {

  var connectionsText: YAMLText {
    var entries: [YAMLText.Entry] = []
    for (number, exchange) in flow.exchanges.enumerated() {
      guard case .conversation(let conversation) = exchange.answer,
        let name = connections[number], !entries.contains(where: { $0.key == name })
      else { continue }
      entries.append(
        YAMLText.Entry(
          name,
          .map([YAMLText.Entry(conversation.kind.key, opening(exchange, number, conversation))])))
    }
    return .map(entries)
  }

  private func opening(
    _ exchange: ImportedExchange, _ number: Int, _ conversation: ImportedConversation
  ) -> YAMLText {
    let request = exchange.request
    var entries = [
      YAMLText.Entry("endpoint", .text(endpoints[exchange.server] ?? exchange.server))
    ]
    let site = ImportSite(exchange: number, isOpening: true)
    let isPlain = conversation.kind == .webSocket || request.method == "GET"
    entries.append(
      YAMLText.Entry(
        isPlain ? "path" : request.method.lowercased(),
        .text(sent(path: request.path, in: site) + repeatedQuery(of: request))))
    entries += parts(of: request, site, repeatsNames: false)
    if conversation.redirect == .notFollowed {
      entries.append(YAMLText.Entry("redirects", .scalar(0)))
    }
    if conversation.kind == .webSocket, !conversation.offered.isEmpty {
      entries.append(
        YAMLText.Entry("protocols", .list(conversation.offered.map { .text($0) })))
    }
    return .map(entries)
  }

  /// The whole query of a connection whose names are repeated, which its `query` cannot say.
  private func repeatedQuery(of request: ImportedRequest) -> String {
    guard request.repeatsNames else { return "" }
    let items = request.query.map { QueryItem($0.name, $0.value.withPlainPlaceholders) }
    return String(HTTPTarget(path: "", items: items).text).escaped
  }

  var stepsText: YAMLText {
    var steps: [YAMLText] = []
    /// By exchange: the number of messages that are expected already.
    var seen: [Int: Int] = [:]
    for action in actions {
      if let expectation = expectation(before: action, &seen) { steps.append(expectation) }
      if case .connect(let number) = action.kind {
        seen[number] = 0
        var opened = number
        while case .followed(by: let next)? = flow.conversation(opened)?.redirect {
          seen[next] = 0
          opened = next
        }
        if let wait = waitForEnd(before: number) { steps.append(wait) }
        if let set = nodesToSet(before: number) { steps.append(set) }
      }
      steps.append(step(for: action.kind))
      if case .request(let number) = action.kind, let parts = partsOfLocation(number) {
        steps.append(parts)
      }
    }
    if let expectation = expectation(before: nil, &seen) { steps.append(expectation) }
    let open = connectionsLeftOpen
    if !open.isEmpty { steps.append(Imports.step("disconnect", .list(open.map { .text($0) }))) }
    return .list(steps)
  }

  /// Returns a wait until the server has ended what the connection had opened before; nil if there
  /// is nothing to wait for.
  private func waitForEnd(before number: Int) -> YAMLText? {
    let earlier = flow.exchanges.indices.prefix(number).last {
      connections[$0] == connections[number]
    }
    guard let earlier, case .conversation(let conversation) = flow.exchanges[earlier].answer,
      conversation.isEndedByServer
    else { return nil }
    let last = conversation.messages.last?.time ?? flow.exchanges[earlier].time
    let pause = pauseLength(from: last, to: conversation.endTime)
    return pause == 0 ? nil : Imports.step("wait", .bare(durationText(pause)))
  }

  /// Returns the step that keeps what the connection reads; nil if it reads no captures.
  private func nodesToSet(before number: Int) -> YAMLText? {
    let names = (captures.used[number] ?? []).filter { nodes[$0] != nil }
    var entries: [YAMLText.Entry] = []
    for name in names where !entries.contains(where: { $0.key == nodes[name] }) {
      entries.append(YAMLText.Entry(nodes[name] ?? name, .text("${\(name)}")))
    }
    return entries.isEmpty ? nil : Imports.step("set", .map(entries))
  }

  private var actions: [TimedAction] {
    var actions: [TimedAction] = []
    for (number, exchange) in flow.exchanges.enumerated() {
      switch exchange.answer {
      case .none, .response:
        actions.append(TimedAction(time: exchange.time, kind: .request(number)))
      case .conversation(let conversation):
        if conversation.follows == nil {
          actions.append(TimedAction(time: exchange.time, kind: .connect(number)))
        }
        for (index, message) in conversation.messages.enumerated() where message.isFromClient {
          actions.append(TimedAction(time: message.time, kind: .send(number, message: index)))
        }
        if case .left = conversation.end {
          actions.append(TimedAction(time: conversation.endTime, kind: .disconnect(number)))
        }
      }
    }
    let order = actions.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    return order.map(\.element)
  }

  private var connectionsLeftOpen: [String] {
    flow.exchanges.enumerated().compactMap { number, exchange in
      guard case .conversation(let conversation) = exchange.answer, case .open = conversation.end
      else { return nil }
      return connections[number]
    }
  }

  private func step(for action: TimedAction.Kind) -> YAMLText {
    switch action {
    case .request(let number): return request(number)
    case .connect(let number): return Imports.step("connect", .text(connections[number] ?? ""))
    case .disconnect(let number):
      return Imports.step("disconnect", .text(connections[number] ?? ""))
    case .send(let number, let index):
      guard case .conversation(let conversation) = flow.exchanges[number].answer else {
        return .bare("")
      }
      // What came over the connection itself is known as well.
      let site = ImportSite(exchange: number + 1)
      let message = sent(conversation.messages[index].data, in: site)
      return Imports.step(
        "send", .map([YAMLText.Entry(connections[number] ?? "", message)]))
    }
  }

  /// Returns the step that takes ids out of a `Location` that was captured; nil if there are none.
  private func partsOfLocation(_ number: Int) -> YAMLText? {
    guard let location = captures.locations[number] else { return nil }
    return Imports.step(
      "let",
      .map(
        location.segments.sorted { $0.key < $1.key }.map { segment, name in
          let path = location.hasQuery ? "\(location.name).split('?')[0]" : location.name
          return YAMLText.Entry(name, .text("\(path).split('/')[\(segment)]"))
        }))
  }

  private func request(_ number: Int) -> YAMLText {
    let exchange = flow.exchanges[number]
    let request = exchange.request
    var entries = [
      YAMLText.Entry("endpoint", .text(endpoints[exchange.server] ?? exchange.server))
    ]
    let site = ImportSite(exchange: number)
    let path = YAMLText.text(sent(path: request.path, in: site))
    let method = request.method.lowercased()
    if requestMethods.contains(method) {
      entries.append(YAMLText.Entry(method, path))
    } else {
      entries.append(YAMLText.Entry("method", .text(request.method)))
      entries.append(YAMLText.Entry("path", path))
    }
    entries += parts(of: request, site)
    guard case .response(let response) = exchange.answer else {
      return Imports.step("fails", Imports.step("request", .map(entries)))
    }
    entries.append(YAMLText.Entry("expect", expectation(response, number)))
    return Imports.step("request", .map(entries))
  }

  /// The query, the headers and the body of a request.
  private func parts(
    of request: ImportedRequest, _ site: ImportSite, repeatsNames: Bool = true
  ) -> [YAMLText.Entry] {
    var entries: [YAMLText.Entry] = []
    if !request.query.isEmpty, repeatsNames || !request.repeatsNames {
      entries.append(YAMLText.Entry("query", fields(request.query, site)))
    }
    let headers = request.headers.kept.filter { !isImplied($0, by: request.body) }
    if !headers.isEmpty {
      entries.append(
        YAMLText.Entry(
          "headers",
          .map(valuesByName: headers.map { ($0.name, sent(header: $0, in: site)) })))
    }
    switch request.body {
    case .json(let json): entries.append(YAMLText.Entry("json", sent(json, in: site)))
    case .form(let form): entries.append(YAMLText.Entry("form", fields(form, site)))
    case .text(let text): entries.append(YAMLText.Entry("text", sent(text, in: site)))
    case .bytes(let bytes): entries.append(YAMLText.Entry("text", written(.bytes(bytes))))
    case nil: break
    }
    return entries
  }

  private func fields(_ fields: [ImportedField], _ site: ImportSite) -> YAMLText {
    .map(valuesByName: fields.map { ($0.name.escaped, sent($0.value, in: site)) })
  }

  private func isImplied(_ field: ImportedField, by body: ImportedBody?) -> Bool {
    guard field.name.lowercased() == "content-type" else { return false }
    return switch body {
    case .json: mediaTypeName(field.value) == "application/json"
    case .form: true
    case .text: field.value.lowercased().hasPrefix("text/plain")
    case .bytes: false
    case nil: true
    }
  }
}

private let requestMethods: Set<String> = [
  "get", "post", "put", "patch", "delete", "head", "options",
]

extension [ImportedField] {
  /// The headers of a request that its client chose, apart from those that every request has.
  var kept: [ImportedField] {
    let names: Set<String> = [
      "authorization", "proxy-authorization", "content-type", "idempotency-key", "if-match",
      "if-none-match", "if-modified-since", "prefer", "range", "api-key", "apikey",
    ]
    return filter { field in
      let name = field.name.lowercased()
      if name == "accept" { return !field.value.contains(",") && field.value != "*/*" }
      return names.contains(name) || name.hasPrefix("x-") && name != "x-requested-with"
    }
  }
}
