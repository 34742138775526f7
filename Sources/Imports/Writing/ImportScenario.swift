import Diagnostics
import TextSearch
import Values
import YAMLSyntax

/// Returns a recorded flow as a scenario: mocks that answer as the servers did, and steps that ask
/// as the client did and expect those answers. It passes against its own mocks.
///
/// - Parameter noise: What another recording of the same flow had otherwise.
package func importScenario(
  _ flow: ImportedFlow, noise: ImportNoise = ImportNoise()
) -> Result<String, ImportProblem> {
  var flow = flow
  flow.omitUnknownMethods()
  guard !flow.exchanges.isEmpty else {
    return .failure(
      ImportProblem(
        Diagnostic(
          "nothing-to-import", "there is no request in \(flow.origin) to import",
          notes: flow.countOfKinds.map { [.init("left out", $0)] } ?? [])))
  }
  let omitted = flow.omitUnsendableHeaders()
  flow.findRefusals()
  flow.hideTokens()
  let cuts = flow.shorten()
  let stage = ImportStage(flow, noise)
  var text = "# Imported from \(visibleText(flow.origin.oneLine)). It is yours to change.\n"
  if cuts > 0 { text += "# Long lists, texts and bodies were cut: \(cuts).\n" }
  let kinds = flow.countOfKinds.map { "Left out, since a page loads it to be shown: \($0)." }
  for note in [omitted.note, flow.noteOfOmissions, kinds].compactMap(\.self) {
    text += "# \(visibleText(note))\n"
  }
  return .success(text + stage.document.written())
}

/// An imported scenario, part by part.
struct ImportStage {
  let flow: ImportedFlow
  let noise: ImportNoise
  let captures: ImportCaptures
  /// By server: the endpoint.
  let endpoints: [String: String]
  /// By exchange: the connection of a stream or a WebSocket.
  let connections: [Int: String]
  /// By text that a client sends and no server issued: the variable of this credential.
  let credentials: [String: String]
  /// By capture that a connection reads: the node that keeps it. Captures are of the script alone.
  let nodes: [String: String]

  init(_ flow: ImportedFlow, _ noise: ImportNoise) {
    self.flow = flow
    self.noise = noise
    var names = ImportNames()
    endpoints = nameEndpoints(of: flow, &names)
    connections = nameConnections(of: flow, &names)
    let captures = ImportCaptures(flow, &names)
    self.captures = captures
    var credentials: [String: String] = [:]
    for (number, exchange) in flow.exchanges.enumerated() {
      for text in exchange.credentials where credentials[text] == nil {
        guard captures.name(forText: text, before: number) == nil else { continue }
        credentials[text] = names.name(String(text.prefix { !$0.isNumber }), or: "credential")
      }
    }
    self.credentials = credentials
    var nodes: [String: String] = [:]
    for number in connections.keys.sorted() {
      for name in captures.used[number] ?? [] where nodes[name] == nil {
        nodes[name] = names.name("known " + name, or: "known")
      }
    }
    self.nodes = nodes
  }

  var document: YAMLText {
    var entries = [YAMLText.Entry("scenario", .text("Recorded: " + flow.title.oneLine.escaped))]
    if let timeout { entries.append(YAMLText.Entry("timeout", .bare(timeout))) }
    if !credentials.isEmpty { entries.append(YAMLText.Entry("vars", variables)) }
    if !nodes.isEmpty {
      let names = nodes.values.sorted()
      entries.append(
        YAMLText.Entry("graph", .map(names.map { YAMLText.Entry($0, .scalar(.null)) })))
    }
    entries.append(YAMLText.Entry("endpoints", endpointsText))
    if !connections.isEmpty { entries.append(YAMLText.Entry("connections", connectionsText)) }
    entries.append(YAMLText.Entry("steps", stepsText))
    return .map(entries)
  }

  /// A credential has a value that only its mock takes; `--var` gives the real one.
  private var variables: YAMLText {
    .map(
      credentials.sorted { $0.value < $1.value }.map { value, name in
        YAMLText.Entry(
          name,
          .map([
            YAMLText.Entry("value", .text(value.escaped)), YAMLText.Entry("secret", .bare("true")),
          ]))
      })
  }

  /// Longer than the longest silence that the mocks keep; nil if the usual one is enough.
  private var timeout: String? {
    let longest = flow.exchanges.compactMap { exchange -> Microseconds? in
      guard case .conversation(let conversation) = exchange.answer else { return nil }
      var times = [exchange.time] + conversation.messages.map(\.time)
      // A client that leaves does so at once.
      if conversation.isEndedByServer { times.append(conversation.endTime) }
      return zip(times, times.dropFirst()).map { $1 - $0 }.max()
    }.max()
    guard let longest, longest > 4_000_000 else { return nil }
    return "\(longest / 1_000_000 + 2)s"
  }

  // MARK: - values that the client sends

  /// Returns text with captures and variables in place of what was issued.
  func sent(_ text: String, in site: ImportSite) -> YAMLText {
    .text(expression(for: text, in: site) ?? pieces(of: text, in: site))
  }

  /// Returns what a server said: with variables in place of secrets that the client sent.
  func said(_ text: String) -> String {
    PlaceholderText(text).parts.map { part in
      switch part {
      case .placeholder(let name): credentials[name].map { "${\($0)}" } ?? name.escaped
      case .text(let text): text.escaped
      }
    }.joined()
  }

  /// Returns text with variables in place of the names of secrets inside it.
  private func pieces(of text: String, in site: ImportSite) -> String {
    PlaceholderText(text).parts.map { part in
      switch part {
      case .placeholder(let name): return expression(for: name, in: site) ?? name.escaped
      // With the variable behind it, the sign would be one that is meant as it is.
      case .text(let text) where text.hasSuffix("$"): return text.dropLast().escaped + "${'$'}"
      case .text(let text): return text.escaped
      }
    }.joined()
  }

  func sent(_ value: Value, in site: ImportSite) -> YAMLText {
    if let name = captures.name(for: value, before: site.exchange) {
      return .text(expression(of: name, in: site))
    }
    switch value {
    case .string(let text):
      return .text(credentials[text].map { "${\($0)}" } ?? pieces(of: text, in: site))
    case .list(let elements): return .list(elements.map { sent($0, in: site) })
    case .map(let map):
      return .map(
        map.map { YAMLText.Entry($0.key.plainText.escaped, sent($0.value, in: site)) })
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      return written(value)
    }
  }

  /// The scheme of a credential stays, and what follows it may have been issued.
  func sent(header field: ImportedField, in site: ImportSite) -> YAMLText {
    let value = field.value
    if let whole = expression(for: value, in: site) { return .text(whole) }
    guard let space = value.firstIndex(of: " ") else { return .text(value.escaped) }
    let rest = String(value[value.index(after: space)...])
    if let basic = basicCredentials(value[..<space], rest, in: site) { return .text(basic) }
    return .text(value[...space] + (expression(for: rest, in: site) ?? pieces(of: rest, in: site)))
  }

  /// Returns credentials that a trace shows decoded, `Basic ann:‹password›`, as they are sent; nil
  /// for any others.
  private func basicCredentials(
    _ scheme: Substring, _ text: String, in site: ImportSite
  ) -> String? {
    let parts = PlaceholderText(text).parts
    guard scheme.lowercased() == "basic", parts.count > 1 || text.isPlaceholder else { return nil }
    let terms = parts.map { part in
      switch part {
      case .placeholder(let name):
        captures.name(forText: name, before: site.exchange).map { nodes[$0] ?? $0 }
          ?? credentials[name] ?? celText(name.withPlainPlaceholders)
      case .text(let text): celText(text)
      }
    }
    return "\(scheme) ${base64.encode(\(terms.joined(separator: " + ")))}"
  }

  /// Returns a path with captures in place of issued segments.
  func sent(path: String, in site: ImportSite) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let text = String(segment)
      return expression(for: text, in: site) ?? pieces(of: text, in: site)
    }.joined(separator: "/")
  }

  private func expression(for text: String, in site: ImportSite) -> String? {
    if let name = captures.name(forText: text, before: site.exchange) {
      return expression(of: name, in: site)
    }
    return credentials[text].map { "${\($0)}" }
  }

  private func expression(of name: String, in site: ImportSite) -> String {
    "${\(site.isOpening ? nodes[name] ?? name : name)}"
  }
}

/// The place of a value that the client sends.
struct ImportSite {
  /// The first exchange that is not known yet.
  var exchange: Int
  /// True in the request of a connection, which reads no captures.
  var isOpening = false
}

/// Returns data as it stands in the document; bytes are an expression.
func written(_ value: Value) -> YAMLText {
  switch value {
  case .bytes(let bytes): .text("${base64.decode('\(Base64.encode(bytes))')}")
  case .string(let text): .text(text.escaped)
  case .list(let elements): .list(elements.map { written($0) })
  case .map(let map):
    .map(map.map { YAMLText.Entry($0.key.plainText.escaped, written($0.value)) })
  // YAML has no such number.
  case .digits: .text("${json.decode('\(value.plainText)')}")
  case .null, .bool, .int, .uint, .double, .timestamp, .duration, .type, .optional: .scalar(value)
  }
}

/// Returns a text as an expression has it.
func celText(_ text: String) -> String {
  "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
}

extension StringProtocol {
  /// The text as data: `${` would begin an expression.
  var escaped: String { String(self).withPlainPlaceholders.replacing("${", with: "$${") }
}

extension String {

  var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension ImportedExchange {
  /// The texts of a request that say who asks: secrets, and what stands in headers made for it.
  fileprivate var credentials: [String] {
    let names: Set<String> = [
      "authorization", "proxy-authorization", "x-api-key", "api-key", "apikey", "x-auth-token",
    ]
    let headers = request.headers.kept.filter { names.contains($0.name.lowercased()) }
    let words = headers.map { $0.value.split(separator: " ").last.map(String.init) ?? $0.value }
    var texts = uses.map(\.plainText)
    if case .text(let text)? = request.body { texts.append(text) }
    return words.filter { $0.utf8.count >= 4 && PlaceholderText($0).placeholders.isEmpty }
      + texts.flatMap { PlaceholderText($0).placeholders }
  }
}

private func nameEndpoints(
  of flow: ImportedFlow, _ names: inout ImportNames
) -> [String: String] {
  var endpoints: [String: String] = [:]
  for exchange in flow.exchanges where endpoints[exchange.server] == nil {
    endpoints[exchange.server] = names.name(label(of: exchange.server), or: "api")
  }
  return endpoints
}

/// The word of a host that distinguishes it: `api.shop.example` is `api`.
private func label(of server: String) -> String {
  guard let scheme = server.firstRange(of: "://") else { return server }
  let host = server[scheme.upperBound...].prefix { $0 != ":" }
  let labels = host.split(separator: ".").drop { $0 == "www" }
  guard let first = labels.first, !labels.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
    return "api"
  }
  return first == "localhost" ? "api" : String(first)
}

/// A connection is used again once what it had opened is over.
private func nameConnections(
  of flow: ImportedFlow, _ names: inout ImportNames
) -> [Int: String] {
  var connections: [Int: String] = [:]
  var open: [(target: String, name: String, end: Microseconds)] = []
  for (number, exchange) in flow.exchanges.enumerated() {
    guard let conversation = flow.conversation(number) else { continue }
    let request = exchange.request
    let target =
      "\(conversation.redirect == .notFollowed) "
      + "\(exchange.server) \(conversation.kind) \(request.method) \(request.path) "
      + "\(request.query) \(request.headers.kept) \(String(describing: request.body))"
    let end = conversation.isOpen ? Microseconds.max : conversation.endTime
    if let first = conversation.follows, let name = connections[first] {
      connections[number] = name
      for index in open.indices where open[index].name == name { open[index].end = end }
    } else if let free = open.firstIndex(where: { $0.target == target && $0.end <= exchange.time })
    {
      open[free].end = end
      connections[number] = open[free].name
    } else {
      let segment = request.path.split(separator: "/").last.map(String.init) ?? "connection"
      let name = names.name(segment, or: "connection")
      open.append((target, name, end))
      connections[number] = name
    }
  }
  return connections
}
