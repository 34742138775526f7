import Secrets
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
  let secrets = NamedSecrets(secrets, names: names)
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  return lines.enumerated().flatMap { index, line in
    audit(withBodies(Array(line), body), for: secrets).map {
      TraceFinding(line: index + 1, name: $0.name, pointer: $0.pointer)
    }
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
