import Values

/// A finder of tokens that real endpoints issue during a run, and that clients send to them.
///
/// A token is known by the key it stands under, or by its shape. It gets a name, which stands for
/// it in the answer that issues it and in the requests that use it.
package struct CredentialFinder: Sendable {
  /// The fewest bytes of a token.
  static let shortest = 8
  /// The fewest digits of a code, such as one for a single login.
  static let shortestCode = 6
  /// How often a text may be Base64 of another text.
  private static let mostEncodings = 2

  var known: Set<String> = []
  private var counts: [String: Int] = [:]
  var found: [NamedSecret] = []
  /// The words at the ends of the messages of streams.
  var split = SplitTokens()
  /// Returns whether a text is no token, since everybody may know it.
  let isPublic: @Sendable (String) -> Bool

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

  /// Takes note of a text that is no token.
  package mutating func allow(_ text: String) { known.insert(text) }

  /// Finds tokens in a value.
  package mutating func find(in json: Value) {
    switch json {
    case .string(let text): find(in: text)
    case .list(let elements): find(in: elements)
    case .map(let map): find(in: map)
    case .bytes(let bytes): find(in: bytes)
    case .null, .bool, .int, .uint, .double, .digits, .timestamp, .duration, .type, .optional: break
    }
  }

  /// Finds the tokens in a field of a message, which the trace itself may leave out.
  package mutating func find(inField name: String, _ text: String) {
    if let kind = CredentialKey(name) { add(.string(text), under: name, kind) }
  }

  /// Finds tokens in a list, which may have keys and values by turns: `["access_token", "…"]`.
  private mutating func find(in elements: [Value]) {
    for (index, element) in elements.enumerated() {
      find(in: element)
      guard index > 0, case .string(let key) = elements[index - 1],
        case .string(let text) = element,
        elements.count == 2 || isToken(text.split(separator: " ").last ?? "")
      else { continue }
      if CredentialKey(key) == .secret { add(text, under: key) }
    }
  }

  private func isToken(_ word: Substring) -> Bool { looksIssued(Array(word.utf8)[...]) }

  private mutating func find(in map: ValueMap) {
    if map.count == 1, case .string(let code)? = map["$bytes"], let bytes = Base64.decode(code) {
      return find(in: bytes)
    }
    // A list of pairs: `{ name: access_token, value: … }`.
    if case .string(let name)? = map["name"] ?? map["key"], let kind = CredentialKey(name) {
      for key in ["value", "text", "content", "body"] {
        if let value = map[key] { add(value, under: name, kind) }
      }
    }
    if map["kty"] != nil { findKeys(of: map) }
    for (key, value) in map {
      let key = key.plainText
      if let kind = CredentialKey(key) { add(value, under: key, kind) }
      find(in: value)
    }
  }

  /// The members of a JSON Web Key that are private (RFC 7518).
  private mutating func findKeys(of key: ValueMap) {
    for member in ["d", "p", "q", "dp", "dq", "qi", "k"] {
      if case .string(let text)? = key[member] { add(text, named: "private_key") }
    }
  }

  /// Adds what stands under a key, if it is what the key promises.
  private mutating func add(_ value: Value, under key: String, _ kind: CredentialKey) {
    switch (kind, value) {
    case (.secret, .string(let text)): add(text, under: key)
    case (.secret, .int), (.secret, .digits):
      let digits = value.plainText
      if digits.utf8.count >= CredentialFinder.shortest { add(digits, under: key) }
    case (.words, .string(let text)): add(text, named: key.lowercased())
    case (.code, .string), (.code, .int):
      let text = value.plainText
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
      add(text, named: key.lowercased(), shortest: CredentialFinder.shortestCode)
    case (.doubtful, .string(let text)): if looksIssued(text) { add(text, named: key.lowercased()) }
    case (_, .list(let elements)):
      for case .string(let text) in elements { add(.string(text), under: key, kind) }
    case (_, .map(let map)):
      if case .string(let text)? = map["value"] { add(.string(text), under: key, kind) }
    default: break
    }
  }

  private mutating func find(in bytes: [UInt8]) {
    guard bytes.count >= CredentialFinder.shortest else { return }
    for token in tokens(in: bytes) { add(token.text, named: token.name) }
  }

  private mutating func find(in text: String, encodings: Int = 0) {
    guard text.utf8.count >= CredentialFinder.shortest else { return }
    for token in tokens(in: Array(text.utf8)) { add(token.text, named: token.name) }
    if let basic = BasicCredentials(encoded: text), !isPublic(basic.password) {
      add(basic.password, named: "password")
    }
    if encodings < CredentialFinder.mostEncodings, let decoded = decodedText(text) {
      if let json = try? parseJSON(Array(decoded.utf8)).get() { find(in: json) }
      find(in: decoded, encodings: encodings + 1)
    }
  }

  /// Adds the text under a key: behind `Bearer`, or the values of cookies.
  private mutating func add(_ text: String, under key: String) {
    let name = key.lowercased()
    // Everybody can encode what everybody knows.
    if let basic = BasicCredentials(encoded: text), isPublic(basic.password) { return }
    guard name.hasSuffix("cookie") else { return add(words: text, named: name) }
    for pair in text.split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, !isAttribute(parts[0].drop { $0 == " " }) else { continue }
      add(parts[1].filter { $0 != "\"" }, named: name)
    }
  }

  /// Adds a secret, which may stand behind the name of its scheme. A sentence is none.
  private mutating func add(words text: String, named name: String) {
    let words = text.split(separator: " ")
    if isProse(words) { return }
    let hasScheme =
      words.count == 2
      && (name.hasSuffix("authorization")
        || ["bearer", "basic", "token"].contains(words[0].lowercased()))
    add(hasScheme ? String(words[1]) : text, named: name)
  }

  private mutating func add(
    _ text: String, named name: String, shortest: Int = CredentialFinder.shortest
  ) {
    guard text.utf8.count >= shortest, !text.contains("‹"), !isPublic(text),
      known.insert(text).inserted
    else { return }
    found.append(NamedSecret(name: newName(name), text: text))
  }

  /// Returns a name with its next number.
  mutating func newName(_ name: String) -> String {
    counts[name, default: 0] += 1
    return "\(name)#\(counts[name] ?? 1)"
  }
}

/// Returns whether a recording gives this name, with a number behind it, to secrets that nobody has
/// declared.
package func isNameOfRecordings(_ stem: String) -> Bool {
  stem == computedStem || stem == linkStem || CredentialKey(stem) != nil
}

/// Returns what a text is in Base64, if that is a text of some length with signs of its own.
private func decodedText(_ text: String) -> String? {
  guard text.utf8.count >= shortestByLook, !text.utf8.contains(0x20),
    let bytes = Base64.decode(text), let decoded = String(validating: bytes, as: UTF8.self),
    decoded.utf8.contains(where: { "\":=".utf8.contains($0) })
  else { return nil }
  return decoded
}

/// Returns whether a part of `Set-Cookie` says something of the cookie.
private func isAttribute(_ name: Substring) -> Bool {
  ["path", "domain", "expires", "max-age", "samesite"].contains(name.lowercased())
}
