import Values

/// A finder of tokens that real endpoints issue during a run, and that clients send to them.
///
/// A token is known by the key it stands under, or by its shape. It gets a name, which stands for
/// it in the answer that issues it and in the requests that use it.
package struct CredentialFinder: Sendable {
  /// The fewest bytes of a token.
  static let shortest = 8

  private var known: Set<String> = []
  private var counts: [String: Int] = [:]
  private var found: [NamedSecret] = []
  /// Returns whether a text is no token, since everybody may know it.
  private let isPublic: @Sendable (String) -> Bool

  /// - Parameter isPublic: Returns whether everybody may know a text, as if the scenario itself has
  ///   it.
  package init(isPublic: @escaping @Sendable (String) -> Bool = { _ in false }) {
    self.isPublic = isPublic
  }

  /// Returns the tokens that were found since the last call.
  package mutating func takeFound() -> [NamedSecret] {
    defer { found = [] }
    return found
  }

  /// Forgets the tokens, so that they are found again. Their names are not given twice.
  package mutating func forget() { known = [] }

  /// Takes note of what looks like tokens in a value, and is none.
  package mutating func allow(in json: Value) {
    let before = found
    find(in: json)
    found = before
  }

  /// Finds tokens in a value.
  package mutating func find(in json: Value) {
    switch json {
    case .string(let text): find(in: text)
    case .list(let elements): for element in elements { find(in: element) }
    case .map(let map): find(in: map)
    case .bytes(let bytes): find(in: bytes)
    case .null, .bool, .int, .uint, .double, .timestamp, .duration, .type, .optional: break
    }
  }

  /// Finds the tokens in a field of a message, which the trace itself may leave out.
  package mutating func find(inField name: String, _ text: String) {
    if isCredentialKey(name) { add(text, under: name) }
  }

  private mutating func find(in map: ValueMap) {
    if map.count == 1, case .string(let code)? = map["$bytes"], let bytes = Base64.decode(code) {
      return find(in: bytes)
    }
    // A list of pairs: `{ name: access_token, value: … }`.
    if case .string(let name)? = map["name"] ?? map["key"], isCredentialKey(name) {
      for key in ["value", "text", "content", "body"] {
        if case .string(let text)? = map[key] { add(text, under: name) }
      }
    }
    for (key, value) in map { find(in: value, under: key.plainText) }
  }

  private mutating func find(in value: Value, under key: String) {
    if isCredentialKey(key) {
      switch value {
      case .string(let text): add(text, under: key)
      case .list(let elements):
        for case .string(let text) in elements { add(text, under: key) }
      case .map(let map): if case .string(let text)? = map["value"] { add(text, under: key) }
      case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .type, .optional:
        break
      }
    }
    find(in: value)
  }

  private mutating func find(in bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) { find(in: text) }
  }

  private mutating func find(in text: String) {
    guard text.utf8.count >= CredentialFinder.shortest else { return }
    for token in tokens(in: Array(text.utf8)) { add(token.text, named: token.name) }
  }

  /// Adds the text under a key: behind `Bearer`, or the values of cookies.
  private mutating func add(_ text: String, under key: String) {
    let name = key.lowercased()
    // Everybody can encode what everybody knows.
    if let basic = BasicCredentials(encoded: text), isPublic(basic.password) { return }
    guard name.hasSuffix("cookie") else {
      return add(text.split(separator: " ").last.map(String.init) ?? text, named: name)
    }
    for pair in text.split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, !isAttribute(parts[0].drop { $0 == " " }) else { continue }
      add(parts[1].filter { $0 != "\"" }, named: name)
    }
  }

  private mutating func add(_ text: String, named name: String) {
    guard text.utf8.count >= CredentialFinder.shortest, !text.contains("‹"), !isPublic(text),
      known.insert(text).inserted
    else { return }
    counts[name, default: 0] += 1
    found.append(NamedSecret(name: "\(name)#\(counts[name] ?? 1)", text: text))
  }
}

/// Returns whether a recording gives this name, with a number behind it, to secrets that nobody has
/// declared.
package func isNameOfRecordings(_ stem: String) -> Bool {
  stem == computedStem || stem == "private_key" || isCredentialKey(stem)
}

/// Returns whether a part of `Set-Cookie` says something of the cookie.
private func isAttribute(_ name: Substring) -> Bool {
  ["path", "domain", "expires", "max-age", "samesite"].contains(name.lowercased())
}
