import Values

/// A secret that a line of JSON contains.
package struct SecretFinding: Sendable, Equatable {
  /// The placeholder that should stand there.
  package var name: String
  /// Where in the line it stands, as a JSON pointer; nil if it is in none of its values.
  package var pointer: String?
}

/// Searches a line for given secrets, plain and encoded, and, if it is JSON, for credentials by
/// their key and shape.
package func audit(_ line: [UInt8], for secrets: NamedSecrets) -> [SecretFinding] {
  let json = try? parseJSON(line).get()
  var found: [SecretFinding] = []
  if let name = secrets.finding(in: line) {
    found.append(
      SecretFinding(name: name, pointer: json.flatMap { pointer(to: secrets, in: $0, "") }))
  }
  guard let json else { return found }
  var credentials = CredentialFinder()
  credentials.find(in: json)
  return found
    + credentials.takeFound().map { credential in
      SecretFinding(
        name: secretPlaceholder(credential.name),
        pointer: pointer(to: NamedSecrets([credential.text]), in: json, ""))
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
