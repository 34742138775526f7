import TextSearch
import Values

extension Value {
  /// Returns a value of the same form without anything of this one; nil for a text, whose
  /// placeholder is known.
  ///
  /// - Parameter known: The names of secrets by their texts. Another one's text has its name.
  package func secretShape(of name: String, known: [String: String]) -> Value? {
    let shape = emptied(secretPlaceholder(name), known)
    return shape == .string(secretPlaceholder(name)) ? nil : shape
  }

  private func emptied(_ placeholder: String, _ known: [String: String]) -> Value {
    switch self {
    case .string(let text): .string(known[text].map(secretPlaceholder) ?? placeholder)
    case .list(let elements): .list(elements.map { $0.emptied(placeholder, known) })
    case .map(let map): .map(ValueMap(map.map { ($0.key, $0.value.emptied(placeholder, known)) }))
    case .int, .uint: 0
    case .double, .digits: 0.0
    case .bytes: .bytes([])
    case .timestamp: .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
    case .bool: false
    case .duration: .duration(TimeSpan(seconds: 0))
    case .optional(let inner): inner?.emptied(placeholder, known) ?? .null
    case .null, .type: .null
    }
  }

  /// Returns the value with the numbers that another one has in the same places.
  package func withNumbers(of other: Value) -> Value {
    switch (self, other) {
    case (.list(let elements), .list(let others)):
      .list(
        elements.enumerated().map { index, element in
          index < others.count ? element.withNumbers(of: others[index]) : element
        })
    case (.map(let map), .map(let others)):
      .map(
        ValueMap(map.map { key, value in (key, others[key].map(value.withNumbers) ?? value) }))
    case (.int, .int), (.double, .double): other
    default: self
    }
  }

  /// Returns the value with this text in place of each text in it.
  package func withTexts(_ placeholder: String) -> Value {
    switch self {
    case .string: .string(placeholder)
    case .list(let elements): .list(elements.map { $0.withTexts(placeholder) })
    case .map(let map): .map(ValueMap(map.map { ($0.key, $0.value.withTexts(placeholder)) }))
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      self
    }
  }
}

extension Value {
  /// Returns the value with the texts of secrets in place of their names.
  package func restoring(_ secrets: [NamedSecret]) -> Value {
    switch self {
    case .string(let text):
      guard text.contains("‹") else { return self }
      return .string(
        secrets.reduce(text) { $0.replacing(secretPlaceholder($1.name), with: $1.text) })
    case .list(let elements): return .list(elements.map { $0.restoring(secrets) })
    case .map(let map): return .map(ValueMap(map.map { ($0.key, $0.value.restoring(secrets)) }))
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      return self
    }
  }
}
