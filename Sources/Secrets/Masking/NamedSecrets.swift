import Values

/// A filter that replaces each secret by its name, `‹token›`, in all forms in which a text may have
/// it.
package struct NamedSecrets: Sendable {
  private var entries: [(forms: SecretForms, replacement: [UInt8])] = []
  private var known: Set<Value> = []
  /// By a secret that is a list or a map, as JSON: its name.
  private var containers: [String: String] = [:]

  /// - Parameter names: The names, by the secrets' texts.
  package init(_ secrets: [String] = [], names: [String: String] = [:]) {
    add(secrets, names: names)
  }

  /// - Parameter names: The names, by the secrets' texts.
  package mutating func add(_ secrets: [String], names: [String: String]) {
    for secret in secrets { add(secret, name: names[secret] ?? "secret") }
  }

  package var isEmpty: Bool { entries.isEmpty }
  package var count: Int { entries.count }

  /// Returns whether this text is one of the secrets.
  package func contains(_ secret: String) -> Bool { known.contains(.string(secret)) }

  package mutating func add(_ secret: String, name: String) {
    guard !secret.isEmpty, known.insert(.string(secret)).inserted else { return }
    if secret.mayBeContainer { containers[secret] = name }
    entries.append((SecretForms([secret]), Array("‹\(name)›".utf8)))
  }

  package mutating func add(_ secret: NamedSecret) { add(secret.text, name: secret.name) }

  /// Returns the filter of some of the secrets. Both share the forms that they look for.
  package func filtered(_ isWanted: (String) -> Bool) -> NamedSecrets {
    var some = self
    some.entries.removeAll { !$0.forms.secrets.contains(where: isWanted) }
    some.known = known.filter { isWanted($0.plainText) }
    some.containers = containers.filter { isWanted($0.key) }
    return some
  }

  /// Adds secrets that became known during a run; they are numbered.
  package mutating func add(_ secrets: [String]) {
    for secret in secrets where !contains(secret) {
      add(secret, name: "secret#\(entries.count + 1)")
    }
  }

  /// Returns the name of a list or a map that is a secret as a whole.
  package func name(ofContainer value: Value) -> String? {
    if containers.isEmpty { return nil }
    switch value {
    case .list, .map: return containers[value.json(sortedKeys: true)]
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return nil
    }
  }

  package func masked(_ text: String) -> String {
    if entries.isEmpty { return text }
    let bytes = Array(text.utf8)
    let hidden = masked(bytes)
    return hidden == bytes ? text : String(decoding: hidden, as: UTF8.self)
  }

  /// Returns a value whose texts are finished ones, without secrets and parts of secrets.
  package func masked(pages value: Value) -> Value {
    entries.isEmpty ? value : value.mapping({ masked(page: $0) }, bytes: { masked($0) })
  }

  /// Returns a finished text without secrets, and without the parts that an ellipsis has cut.
  package func masked(page text: String) -> String {
    if entries.isEmpty { return text }
    let whole = masked(Array(text.utf8))
    let hidden = entries.reduce(whole) {
      hidingCutForms($1.forms.forms.long, in: $0, behind: $1.replacement)
    }
    return String(decoding: hidden, as: UTF8.self)
  }

  /// Returns where secrets stand.
  func places(in bytes: [UInt8]) -> [Range<Int>] {
    entries.flatMap { $0.forms.forms.places(in: bytes, hidesShort: true) }
  }

  /// Returns the bytes without any whole secret.
  package func masked(_ bytes: [UInt8]) -> [UInt8] {
    var places: [(range: Range<Int>, replacement: [UInt8])] = []
    for entry in entries {
      let found = entry.forms.forms.places(in: bytes, hidesShort: true)
      places += found.map { ($0, entry.replacement) }
    }
    if places.isEmpty { return bytes }
    // Of two that overlap the longer is replaced; what is left of the other goes with it.
    places.sort {
      $0.range.lowerBound == $1.range.lowerBound
        ? $0.range.upperBound > $1.range.upperBound : $0.range.lowerBound < $1.range.lowerBound
    }
    var result: [UInt8] = []
    var position = 0
    for place in places {
      if place.range.lowerBound >= position {
        result += bytes[position..<place.range.lowerBound] + place.replacement
      }
      position = max(position, place.range.upperBound)
    }
    return result + bytes[position...]
  }

  /// Returns what stands for the first secret that a text contains; nil if it contains none.
  package func finding(in bytes: [UInt8]) -> String? {
    let found = entries.first { !$0.forms.forms.places(in: bytes, hidesShort: false).isEmpty }
    return found.map { String(decoding: $0.replacement, as: UTF8.self) }
  }
}

extension Value {
  /// Returns the value with its texts, keys and bytes replaced.
  fileprivate func mapping(
    _ text: (String) -> String, bytes: ([UInt8]) -> [UInt8]
  ) -> Value {
    switch self {
    case .string(let content): .string(text(content))
    case .list(let elements): .list(elements.map { $0.mapping(text, bytes: bytes) })
    case .map(let map):
      .map(
        ValueMap(
          map.map { ($0.key.mapping(text, bytes: bytes), $0.value.mapping(text, bytes: bytes)) }))
    case .bytes(let content): .bytes(bytes(content))
    case .optional(let inner): .optional(inner.map { $0.mapping(text, bytes: bytes) })
    case .null, .bool, .int, .uint, .double, .digits, .timestamp, .duration, .type: self
    }
  }
}
