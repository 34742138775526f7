import Traces
import Values

/// A line of a trace that contains a secret or a token.
package struct TraceFinding: Sendable, Equatable {
  package var line: Int
  /// The placeholder that should stand there.
  package var name: String
}

/// Searches a trace for given secrets, plain and encoded, and for tokens by their key and shape. A
/// large value is searched in its file.
package func auditTrace(
  _ bytes: [UInt8], secrets: [String], names: [String: String],
  body: (String) -> TraceBodyFile? = { _ in nil }
) -> [TraceFinding] {
  let mask = NamedSecrets(secrets, names: names)
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  return lines.enumerated().compactMap { index, line in
    let line = withBodies(Array(line), body)
    guard let name = mask.finding(in: line) ?? issuedToken(in: line) else { return nil }
    return TraceFinding(line: index + 1, name: name)
  }
}

private func issuedToken(in line: [UInt8]) -> String? {
  guard case .success(let json) = parseJSON(line) else { return nil }
  var tokens = IssuedTokens()
  tokens.find(in: json)
  return tokens.firstName
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
