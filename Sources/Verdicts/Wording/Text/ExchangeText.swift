import Diagnostics
import Events
import Values

/// The number of shown lines of a body, unless another is asked for.
package let usualBodyLines = 16
/// The lengths up to which a body is shown unchanged.
private let bodyLineLength = 200
private let plainBodyLength = 300

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
    let redirects = exchange.hops.count - 1
    let command = CurlCommand(first, redirects: redirects, names)
    return notes + (command.hasAddress ? [.init("curl", command.text)] : [])
  }

  /// Returns the text of a request. A real endpoint gets its own name, not the one in the scenario.
  private func text(of request: Exchange.Request, to place: Exchange.Place?) -> String {
    var headers = request.headers
    if let place, let host = headers.firstIndex(where: { $0.name.lowercasedASCII == "host" }) {
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
    let head = [names.masked(line)] + headers.map { "\($0.name): \(names.value(of: $0))" }
    return (head + shown(body, text)).joined(separator: "\n")
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
    let first = lines.prefix(names.bodyLines).map { line in
      line.count > bodyLineLength ? line.prefix(bodyLineLength) + "…" : line
    }
    let rest = lines.count - first.count
    return [""] + first.map(String.init) + (rest > 0 ? ["… \(rest) more lines"] : [])
  }
}
