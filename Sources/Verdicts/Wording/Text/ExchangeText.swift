import Diagnostics
import Events
import ScenarioPlan
import Values

/// The number of shown lines of a body, and the lengths up to which a body is shown unchanged.
private let bodyLines = 16
private let bodyLineLength = 200
private let plainBodyLength = 300
/// A longer body is not written into a command.
private let curlBodyLength = 4_000

/// An exchange as reports show it, and the command that repeats its first request.
struct ExchangeText {
  private let exchange: Exchange
  private let names: EventNames

  init(_ exchange: Exchange, _ names: EventNames) {
    self.exchange = exchange
    self.names = names
  }

  var notes: [Diagnostic.Fact] {
    guard let first = exchange.hops.first, let last = exchange.hops.last else { return [] }
    var notes = [Diagnostic.Fact("request", text(of: last.request, to: last.place))]
    if let response = last.response {
      let took = durationText(exchange.ended - exchange.began)
      notes.append(.init("response", text(of: response, after: took)))
    }
    if exchange.hops.count > 1 {
      let path = exchange.hops.map { "\($0.request.method) \($0.request.target)" }
      notes.append(.init("redirects", names.masked(path.joined(separator: "\n→ "))))
    }
    return notes + [.init("curl", curl(first))]
  }

  /// Returns the text of a request. A real endpoint gets its own name, not the one in the scenario.
  private func text(of request: Exchange.Request, to place: Exchange.Place?) -> String {
    var headers = request.headers
    if let place, let host = headers.firstIndex(where: { $0.name.lowercased() == "host" }) {
      headers[host].value = place.writtenHost ?? place.host
    }
    let target = names.masked(request.target)
    return message(
      "\(request.method) \(target) HTTP/1.1", headers, request.body,
      String(validating: request.body, as: UTF8.self))
  }

  private func text(of response: Exchange.Response, after took: String) -> String {
    let line = "HTTP/1.1 \(response.status) \(names.masked(response.reason))   after \(took)"
    return message(line, response.headers, response.body, response.text)
  }

  private func message(
    _ line: String, _ headers: [Exchange.Field], _ body: [UInt8], _ text: String?
  ) -> String {
    let head = [line] + headers.map { "\($0.name): \(value(of: $0))" }
    return (head + shown(body, text)).joined(separator: "\n")
  }

  /// A header with a secret in it; of credentials, whose code mixes letters, nothing is left.
  private func value(of field: Exchange.Field) -> String {
    let masked = names.masked(field.value)
    guard masked != field.value, field.name.lowercased() == "authorization" else { return masked }
    return field.value.prefix { $0 != " " } + " ***"
  }

  /// The body, JSON that is long with a line for each entry, and no more of it than helps.
  private func shown(_ body: [UInt8], _ text: String?) -> [String] {
    guard !body.isEmpty else { return [] }
    guard let text else {
      return ["", "\(body.count) bytes that are not text"]
    }
    var whole = text
    if text.utf8.count > plainBodyLength, case .success(let value) = parseJSON(Array(text.utf8)) {
      whole = value.json(pretty: true)
    }
    let lines = names.masked(whole).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let first = lines.prefix(bodyLines).map { line in
      line.count > bodyLineLength ? line.prefix(bodyLineLength) + "…" : line
    }
    let rest = lines.count - first.count
    return [""] + first.map(String.init) + (rest > 0 ? ["… \(rest) more lines"] : [])
  }

  /// Masked before it is quoted: quoting may change how a secret is written.
  private func curl(_ hop: Exchange.Hop) -> String {
    let request = hop.request
    var words = ["curl"]
    switch request.method {
    case "GET": if !request.body.isEmpty { words += ["-X", "GET"] }
    case "HEAD": words.append("--head")
    default: words += ["-X", quoted(request.method)]
    }
    if exchange.hops.count > 1 {
      words += ["--location", "--max-redirs", "\(exchange.hops.count)"]
    }
    words += (hop.place?.curlOptions ?? []).map(quoted)
    words.append(quoted(base(of: hop) + request.target))
    for field in request.headers where !isImplied(field, hop) {
      let name = field.name
      words += [
        "-H", shellQuoted(field.value.isEmpty ? name + ";" : "\(name): \(value(of: field))"),
      ]
    }
    return (words + body(of: request)).joined(separator: " ")
  }

  private func quoted(_ text: String) -> String { shellQuoted(names.masked(text)) }

  private func body(of request: Exchange.Request) -> [String] {
    guard !request.body.isEmpty else { return [] }
    let hasType = request.headers.contains { $0.name.lowercased() == "content-type" }
    let noType = hasType ? [] : ["-H", "'Content-Type:'"]
    guard request.body.count <= curlBodyLength, !request.body.contains(0),
      let text = String(validating: request.body, as: UTF8.self)
    else { return noType + ["--data-binary", "@BODY"] }
    return noType + ["--data-raw", quoted(text)]
  }

  private func base(of hop: Exchange.Hop) -> String {
    if let place = hop.place { return place.url }
    let endpoint = names.plan.endpoints[ifPresent: hop.endpoint]
    guard let url = endpoint?.url else { return "http://\(endpoint?.name ?? "?")" }
    return url.hasSuffix("/") ? String(url.dropLast()) : url
  }

  /// Returns whether `curl` sends this header by itself.
  private func isImplied(_ field: Exchange.Field, _ hop: Exchange.Hop) -> Bool {
    switch field.name.lowercased() {
    case "host":
      hop.place.map { $0.writtenHost == nil }
        ?? (field.value == names.plan.endpoints[ifPresent: hop.endpoint]?.name)
    case "content-length": true
    default: false
    }
  }
}

/// A word as a POSIX shell reads it back.
func shellQuoted(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_./:=@%+,".utf8.contains(byte)
    }
  }
  if isPlain, !text.isEmpty { return text }
  return "'"
    + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}
