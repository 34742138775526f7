import Traces
import Values

/// A secret or a token that a trace contains.
package struct TraceFinding: Sendable, Equatable {
  package var line: Int
  /// The placeholder that should stand there.
  package var name: String
  /// Where in the line it stands, as a JSON pointer such as `/value/body/key`; nil if it is in the
  /// text of the line, and in none of its values.
  package var pointer: String?
}

/// Searches a trace for given secrets, plain and encoded, and for tokens by their key and shape. A
/// large value is searched in its file.
package func auditTrace(
  _ bytes: [UInt8], secrets: [String], names: [String: String],
  body: (String) -> TraceBodyFile? = { _ in nil }
) -> [TraceFinding] {
  let mask = NamedSecrets(secrets, names: names)
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  return lines.enumerated().flatMap { index, line in
    findings(in: withBodies(Array(line), body), index + 1, mask)
  }
}

private func findings(in line: [UInt8], _ number: Int, _ secrets: NamedSecrets) -> [TraceFinding] {
  let json = try? parseJSON(line).get()
  var found: [TraceFinding] = []
  if let name = secrets.finding(in: line) {
    let place = json.flatMap { pointer(to: secrets, in: $0, "") }
    found.append(TraceFinding(line: number, name: name, pointer: place))
  }
  guard let json else { return found }
  var tokens = IssuedTokens()
  tokens.find(in: json)
  return found
    + tokens.takeFound().map { token in
      TraceFinding(
        line: number, name: "‹\(token.name)›",
        pointer: pointer(to: NamedSecrets([token.text]), in: json, ""))
    }
}

/// Returns the place of the first value that contains a secret.
private func pointer(to secrets: NamedSecrets, in json: Value, _ path: String) -> String? {
  switch json {
  case .string(let text): return secrets.finding(in: Array(text.utf8)) == nil ? nil : path
  case .list(let elements):
    for (index, element) in elements.enumerated() {
      if let place = pointer(to: secrets, in: element, "\(path)/\(index)") { return place }
    }
    return nil
  case .map(let map):
    for (key, value) in map {
      if let place = pointer(to: secrets, in: value, path + "/" + key.plainText) { return place }
    }
    return nil
  case .int, .uint, .double:
    return secrets.finding(in: Array(json.plainText.utf8)) == nil ? nil : path
  case .null, .bool, .bytes, .timestamp, .duration, .type, .optional: return nil
  }
}

/// Returns a line with the large values that lie in files of their own.
private func withBodies(_ line: [UInt8], _ body: (String) -> TraceBodyFile?) -> [UInt8] {
  guard case .success(let json) = parseJSON(line) else { return line }
  let value = TraceValue(json: json)
  guard value.hasBody, case .success(let whole) = value.withBodies(body) else { return line }
  var bytes: [UInt8] = []
  whole.json.appendJSON(to: &bytes, sortedKeys: true)
  return bytes
}
