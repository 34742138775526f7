import Values

/// The limits on values that expressions build from other values.
///
/// Comparing and writing values recurses: a loop that wraps a value again and again would exhaust
/// the stack, or, if it holds the value twice each time, the memory.
package enum ValueLimit {
  package static let depth = 1_000
  package static let parts = 2_000_000
}

extension Value {
  /// The limit that the value exceeds; nil for nearly all values.
  var limitViolation: String? {
    var parts = 0
    return limitViolation(depth: 0, &parts)
  }

  private func limitViolation(depth: Int, _ parts: inout Int) -> String? {
    switch self {
    case .list(let elements):
      return limitViolation(of: elements, depth, &parts)
    case .map(let map):
      return limitViolation(of: map.values, depth, &parts)
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      return nil
    }
  }

  private func limitViolation(
    of elements: some Collection<Value>, _ depth: Int, _ parts: inout Int
  ) -> String? {
    parts += elements.count
    if parts > ValueLimit.parts { return "a value has at most \(ValueLimit.parts) parts" }
    if depth == ValueLimit.depth {
      return "lists and maps are nested at most \(ValueLimit.depth) levels deep"
    }
    for element in elements {
      if let limitViolation = element.limitViolation(depth: depth + 1, &parts) {
        return limitViolation
      }
    }
    return nil
  }
}
