import Values

/// The limits on values that expressions build from other values.
///
/// Comparing and writing values recurses: a loop that wraps a value again and again would exhaust
/// the stack, or, if it holds the value twice each time, the memory. A text that is in a value many
/// times takes its size each time the value is written.
package enum ValueLimit {
  package static let depth = 1_000
  package static let parts = 2_000_000
  /// The bytes of all texts in a list or a map.
  package static let text = 50_000_000
}

extension Value {
  /// The limit that the value exceeds; nil for nearly all values.
  var limitViolation: String? {
    switch self {
    case .list, .map:
      var size = ValueSize()
      return size.violation(adding: self, depth: 0)
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return nil
    }
  }
}

/// The size of the parts of a value that have been counted.
private struct ValueSize {
  private var parts = 0
  private var text = 0

  mutating func violation(adding value: Value, depth: Int) -> String? {
    switch value {
    case .string(let content): return violation(addingText: content.utf8.count)
    case .bytes(let bytes): return violation(addingText: bytes.count)
    case .list(let elements): return violation(adding: elements, count: elements.count, depth)
    case .map(let map): return violation(adding: map.lazy.map(\.value), count: map.count, depth)
    case .null, .bool, .int, .uint, .double, .timestamp, .duration, .type, .optional:
      return nil
    }
  }

  private mutating func violation(addingText bytes: Int) -> String? {
    text += bytes
    return text > ValueLimit.text
      ? "the texts in a value have at most \(ValueLimit.text) bytes" : nil
  }

  private mutating func violation(
    adding elements: some Sequence<Value>, count: Int, _ depth: Int
  ) -> String? {
    parts += count
    if parts > ValueLimit.parts { return "a value has at most \(ValueLimit.parts) parts" }
    if depth == ValueLimit.depth {
      return "lists and maps are nested at most \(ValueLimit.depth) levels deep"
    }
    for element in elements {
      if let violation = violation(adding: element, depth: depth + 1) { return violation }
    }
    return nil
  }
}
