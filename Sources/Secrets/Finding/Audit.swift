import Values

/// A secret that a line of JSON contains.
package struct SecretFinding: Sendable, Equatable {
  /// The placeholder that should stand there.
  package var name: String
  /// The text that is one.
  package var text: String
  /// Where in the line it stands, as a JSON pointer; nil if it is in none of its values.
  package var pointer: String?
}

/// A search for secrets in lines of JSON, with rules that are sharper than those of a recorder: a
/// false alarm costs a look, and a text that is hidden without need costs a replay.
package struct SecretAudit: Sendable {
  private let secrets: NamedSecrets
  /// Returns whether everybody may know a text.
  private let isPublic: @Sendable (String) -> Bool
  /// The texts that the scenario's own mocks have made.
  private var issued: Set<String> = []

  package init(
    for secrets: NamedSecrets, isPublic: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.secrets = secrets
    self.isPublic = isPublic
  }

  /// Takes note of what looks like secrets in a value, and is none.
  package mutating func allow(in json: Value) {
    for finding in undeclared(in: json) { issued.insert(finding.text) }
  }

  /// Returns the given secrets in a line, plain and encoded, and the texts of a value that look
  /// like secrets.
  package func findings(in line: [UInt8], _ json: Value?) -> [SecretFinding] {
    var found: [SecretFinding] = []
    if let name = secrets.finding(in: line) {
      let place = json.flatMap { pointer(to: secrets, in: $0, "") }
      found.append(SecretFinding(name: name, text: "", pointer: place))
    }
    guard let json else { return found }
    return found + undeclared(in: json).filter { secrets.finding(in: Array($0.text.utf8)) == nil }
  }

  private func undeclared(in json: Value) -> [SecretFinding] {
    var credentials = CredentialFinder()
    credentials.find(in: json)
    let found = credentials.takeFound().map { credential in
      SecretFinding(
        name: secretPlaceholder(credential.name), text: credential.text,
        pointer: pointer(to: NamedSecrets([credential.text]), in: json, ""))
    }
    var suspects: [SecretFinding] = []
    addSuspects(in: json, at: "", to: &suspects)
    let isNew = { (suspect: SecretFinding) in
      !found.contains { $0.text.contains(suspect.text) || suspect.text.contains($0.text) }
    }
    return (found + suspects.filter(isNew)).filter {
      !issued.contains($0.text) && !isPublic($0.text)
    }
  }
}

/// The fewest bytes of a word that is known to be random by its letters alone.
private let shortestSuspect = 20
/// The most bytes of one. Longer ones are data.
private let longestSuspect = 256
/// The fewest digits of a hexadecimal number that may be a key; shorter ones are ids.
private let shortestHexadecimal = 32

/// The ends of keys, in lower case and without `_` and `-`, under which random texts are no
/// secrets.
private let publicKeyEnds = [
  "hash", "digest", "sha1", "sha256", "sha512", "md5", "etag", "integrity", "checksum", "commit",
  "revision", "version", "id", "ids", "uuid", "guid", "traceparent", "tracestate", "contenttype",
  "ifmatch", "ifnonematch", "secwebsocketkey", "secwebsocketaccept", "securitypolicy", "reportto",
  "useragent", "cursor", "ray", "$body", "fingerprint", "publickey",
]

/// Adds the words of a value that look random.
private func addSuspects(in json: Value, at path: String, to found: inout [SecretFinding]) {
  switch json {
  case .string(let text):
    for word in text.utf8.split(whereSeparator: { !isOfWord($0) }) {
      let word = Array(word)
      // What stands beside the place of a secret is the rest of a code.
      guard word.allSatisfy({ $0 < 0x80 }), isSuspect(word[...]) else { continue }
      let text = String(decoding: word, as: UTF8.self)
      found.append(
        SecretFinding(name: secretPlaceholder("random text"), text: text, pointer: path))
    }
  case .list(let elements):
    for (index, element) in elements.enumerated() {
      addSuspects(in: element, at: "\(path)/\(index)", to: &found)
    }
  case .map(let map):
    // Of an archive: `{ "name": "ETag", "value": "…" }`.
    if case .string(let name)? = map["name"], isPublicKey(name) { return }
    for (key, value) in map where !isPublicKey(key.plainText) && key != "$bytes" {
      addSuspects(in: value, at: path + "/" + key.plainText, to: &found)
    }
  case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type, .optional:
    break
  }
}

private func isPublicKey(_ key: String) -> Bool {
  let word = key.lowercased().filter { $0 != "_" && $0 != "-" }
  return publicKeyEnds.contains { word.hasSuffix($0) }
}

private func isOfWord(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"),
    UInt8(ascii: "+"), UInt8(ascii: "~"), 0x80...:
    true
  default: false
  }
}

private func isSuspect(_ word: ArraySlice<UInt8>) -> Bool {
  guard (shortestSuspect...longestSuspect).contains(word.count) else { return false }
  let digits = word.filter { $0 != UInt8(ascii: "-") }
  if digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }) {
    // With dashes it is a UUID.
    return digits.count == word.count && word.count >= shortestHexadecimal
  }
  return looksIssued(word)
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
  case .int, .uint, .double, .digits:
    return secrets.finding(in: Array(json.plainText.utf8)) == nil ? nil : path
  case .null, .bool, .bytes, .timestamp, .duration, .type, .optional: return nil
  }
}
