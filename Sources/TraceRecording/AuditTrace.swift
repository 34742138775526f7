import Values

/// A line of a trace that contains a secret or a token.
package struct TraceFinding: Sendable, Equatable {
  package var line: Int
  /// The placeholder that should stand there.
  package var name: String
}

/// Searches a trace for given secrets, plain and encoded, and for tokens by their key and shape.
package func auditTrace(
  _ bytes: [UInt8], secrets: [String], names: [String: String]
) -> [TraceFinding] {
  let mask = NamedSecrets(secrets, names: names)
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  return lines.enumerated().compactMap { index, line in
    let line = Array(line)
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
