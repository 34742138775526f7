import Protocols
import Values

/// The headers of a recording that a scenario cannot have, since HTTP cannot send them.
struct OmittedHeaders {
  /// Each name, and the place of the first exchange with it.
  private var first: [(name: String, place: String)] = []
  fileprivate static let mostNamed = 5

  /// Takes the headers that can be sent, and notes the others.
  fileprivate mutating func sendable(
    _ headers: [ImportedField], at place: String
  ) -> [ImportedField] {
    headers.filter { header in
      if isSendableHeader(header.name, header.value) { return true }
      if !first.contains(where: { $0.name == header.name }) { first.append((header.name, place)) }
      return false
    }
  }

  /// The comment in the scenario, without its mark; nil if nothing was left out.
  var note: String? {
    if first.isEmpty { return nil }
    let names = first.prefix(Self.mostNamed).map { "`\(shown($0.name))` (\($0.place.oneLine))" }
    let more = first.count - names.count
    return "Headers that HTTP does not allow were left out: " + names.joined(separator: ", ")
      + (more > 0 ? ", and \(more) more" : "") + "."
  }

  /// A name may hold anything, and a comment ends with its line.
  private func shown(_ name: String) -> String {
    let text = name.unicodeScalars.prefix(40).map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.isPatternWhitespace
        ? " " : String(scalar)
    }
    return text.joined()
  }
}

extension ImportedFlow {
  /// Leaves out requests with methods that no server knows: their mocks would refuse them.
  mutating func omitUnknownMethods() {
    leftOut += exchanges.filter { !isKnownMethod($0.request.method) }.map(\.place)
    exchanges.removeAll { !isKnownMethod($0.request.method) }
  }

  /// The entries that were left out, by kind: `2 images, 1 ping`; nil if nothing was left out.
  var countOfKinds: String? {
    if kindsLeftOut.isEmpty { return nil }
    return kindsLeftOut.sorted { $0.key < $1.key }
      .map { "\($1) \($0)\($1 == 1 || $0 == "media" ? "" : "s")" }.joined(separator: ", ")
  }

  /// The comment in the scenario about what was left out; nil if nothing was.
  var noteOfOmissions: String? {
    if leftOut.isEmpty { return nil }
    let places = leftOut.prefix(OmittedHeaders.mostNamed).map(\.oneLine).joined(separator: ", ")
    let more = leftOut.count - OmittedHeaders.mostNamed
    return "What is no request by HTTP was left out: " + places
      + (more > 0 ? ", and \(more) more" : "") + "."
  }

  /// Leaves out headers that cannot be sent: a scenario with one of them fails at its first
  /// request.
  mutating func omitUnsendableHeaders() -> OmittedHeaders {
    var omitted = OmittedHeaders()
    for index in exchanges.indices {
      let place = exchanges[index].place
      exchanges[index].request.headers = omitted.sendable(
        exchanges[index].request.headers, at: place)
      guard case .response(var response) = exchanges[index].answer else { continue }
      response.headers = omitted.sendable(response.headers, at: place)
      exchanges[index].answer = .response(response)
    }
    return omitted
  }
}
