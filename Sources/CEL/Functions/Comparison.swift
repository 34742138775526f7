import Glibc
import Values

/// Equality and order of expressions. Numbers compare across kinds, NaN equals nothing, texts
/// compare character by character.
enum Comparison {
  enum Order {
    case before, same, after
    /// The result if one of them is not a number.
    case none
  }

  static func equal(_ left: Value, _ right: Value, _ meter: inout Meter) throws(CELFault) -> Bool {
    switch (left, right) {
    case (.int(let a), .int(let b)): return a == b
    case (.string(let a), .string(let b)): return sameText(a, b)
    case (.bool(let a), .bool(let b)): return a == b
    case (.null, .null): return true
    case (.bytes(let a), .bytes(let b)): return a == b
    case (.timestamp(let a), .timestamp(let b)): return a == b
    case (.duration(let a), .duration(let b)): return a == b
    case (.type(let a), .type(let b)): return a == b
    case (.list(let a), .list(let b)): return try lists(a, b, &meter)
    case (.map(let a), .map(let b)): return try maps(a, b, &meter)
    case (.optional(let a), .optional(let b)):
      guard let a, let b else { return a == nil && b == nil }
      return try equal(a, b, &meter)
    default: return numberOrder(left, right) == .same
    }
  }

  private static func lists(
    _ left: [Value], _ right: [Value], _ meter: inout Meter
  ) throws(CELFault) -> Bool {
    guard left.count == right.count else { return false }
    try meter.spend(left.count)
    for index in left.indices {
      guard try equal(left[index], right[index], &meter) else { return false }
    }
    return true
  }

  private static func maps(
    _ left: ValueMap, _ right: ValueMap, _ meter: inout Meter
  ) throws(CELFault) -> Bool {
    guard left.count == right.count else { return false }
    try meter.spend(left.count)
    for (key, value) in left {
      guard let other = right[key], try equal(value, other, &meter) else { return false }
    }
    return true
  }

  /// Returns the order of two values; nil if values of these types have none.
  static func order(_ left: Value, _ right: Value) -> Order? {
    switch (left, right) {
    case (.int(let a), .int(let b)): order(of: a, b)
    case (.string(let a), .string(let b)): order(of: compareTexts(a, b), 0)
    case (.bool(let a), .bool(let b)): order(of: a ? 1 : 0, b ? 1 : 0)
    case (.bytes(let a), .bytes(let b)):
      a.lexicographicallyPrecedes(b) ? .before : a == b ? .same : .after
    case (.timestamp(let a), .timestamp(let b)):
      a.seconds == b.seconds
        ? order(of: a.nanoseconds, b.nanoseconds) : order(of: a.seconds, b.seconds)
    case (.duration(let a), .duration(let b)):
      a.seconds == b.seconds
        ? order(of: a.nanoseconds, b.nanoseconds) : order(of: a.seconds, b.seconds)
    default: numberOrder(left, right)
    }
  }

  /// Returns the order of two numbers of any kinds; nil if one is not a number.
  static func numberOrder(_ left: Value, _ right: Value) -> Order? {
    switch (left, right) {
    case (.int(let a), .int(let b)): order(of: a, b)
    case (.uint(let a), .uint(let b)): order(of: a, b)
    case (.int(let a), .uint(let b)): a < 0 ? .before : order(of: UInt(a), b)
    case (.uint(let a), .int(let b)): b < 0 ? .after : order(of: a, UInt(b))
    case (.double(let a), .double(let b)): order(of: a, b)
    case (.int(let a), .double(let b)): order(of: Double(a), b)
    case (.double(let a), .int(let b)): order(of: a, Double(b))
    case (.uint(let a), .double(let b)): order(of: Double(a), b)
    case (.double(let a), .uint(let b)): order(of: a, Double(b))
    default: nil
    }
  }

  @inline(__always)
  private static func order<Number: Comparable>(of left: Number, _ right: Number) -> Order {
    left < right ? .before : left == right ? .same : left > right ? .after : .none
  }

  /// Returns whether two texts have the same bytes. Swift's `==` would also equate two spellings of
  /// one accented letter.
  static func sameText(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && compareTexts(left, right) == 0
  }

  /// Returns a number below, at or above zero if the first text is before, equal to or after the
  /// second.
  private static func compareTexts(_ left: String, _ right: String) -> Int {
    let order = left.utf8.withContiguousStorageIfAvailable { a in
      right.utf8.withContiguousStorageIfAvailable { b in
        let length = min(a.count, b.count)
        guard let first = a.baseAddress, let second = b.baseAddress, length > 0 else {
          return a.count - b.count
        }
        let difference = Int(memcmp(first, second, length))
        return difference != 0 ? difference : a.count - b.count
      }
    }
    if let order, let order { return order }
    if left.utf8.elementsEqual(right.utf8) { return 0 }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }
}
