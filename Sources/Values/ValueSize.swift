import TextSearch

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
  package var limitViolation: String? {
    switch self {
    case .list, .map:
      var size = ValueSize()
      return size.violation(adding: self, depth: 0)
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
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
    case .list(let elements):
      elements.withUnsafeBytes { violation(adding: $0, of: MemoryLayout<Value>.stride, depth) }
    case .map(let map):
      map.withEntries { entries in
        let entries = UnsafeRawBufferPointer(entries)
        let values = UnsafeRawBufferPointer(rebasing: entries.dropFirst(MemoryLayout<Value>.stride))
        return violation(adding: values, of: MemoryLayout<ValueMap.Entry>.stride, depth)
      }
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      nil
    }
  }

  /// Adds the parts of a list or a map. They are read where they are: a copy of a text takes longer
  /// than its measurement.
  private mutating func violation(
    adding memory: UnsafeRawBufferPointer, of stride: Int, _ depth: Int
  ) -> String? {
    let count = (memory.count + stride - 1) / stride
    parts += count
    if parts > ValueLimit.parts { return "a value has at most \(ValueLimit.parts) parts" }
    if depth == ValueLimit.depth {
      return "lists and maps are nested at most \(ValueLimit.depth) levels deep"
    }
    for place in 0..<count {
      let value = memory.baseAddress.unsafelyUnwrapped + place * stride
      if let violation = violation(at: value.assumingMemoryBound(to: Value.self), depth) {
        return violation
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func violation(at value: UnsafePointer<Value>, _ depth: Int) -> String? {
    switch value.pointee {
    case .string(let content): text += content.utf8.count
    case .bytes(let bytes): text += bytes.count
    case .list, .map: return violation(adding: value.pointee, depth: depth + 1)
    case .null, .bool, .int, .uint, .double, .digits, .timestamp, .duration, .type, .optional:
      return nil
    }
    return text > ValueLimit.text
      ? "the texts in a value have at most \(ValueLimit.text) bytes" : nil
  }
}
