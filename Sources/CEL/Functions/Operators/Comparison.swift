import Values

/// Equality and order of expressions. Numbers compare across kinds, NaN equals nothing, texts
/// compare character by character.
enum Comparison {
  static func equal(_ left: Value, _ right: Value, _ meter: inout Meter) throws(CELFault) -> Bool {
    switch (left, right) {
    case (.int(let a), .int(let b)): return a == b
    case (.string(let a), .string(let b)): return a == b
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
    case (.digits(let text), _) where right.mayEqualNumber,
      (_, .digits(let text)) where left.mayEqualNumber:
      throw .beyondRange(text)
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
  static func order(_ left: Value, _ right: Value) -> ValueOrder? {
    switch (left, right) {
    case (.int(let a), .int(let b)): ValueOrder(of: a, b)
    case (.int, .double), (.uint, .double), (.double, .int), (.double, .uint):
      numberOrder(left, right)
    default: ValueOrder(left, right)
    }
  }

  /// Returns the order of two numbers of any kinds; nil if one is not a number.
  ///
  /// The language's definition rounds an integer that meets a double, where the order of values
  /// compares exactly.
  static func numberOrder(_ left: Value, _ right: Value) -> ValueOrder? {
    switch (left, right) {
    case (.int(let a), .double(let b)): ValueOrder(of: Double(a), b)
    case (.uint(let a), .double(let b)): ValueOrder(of: Double(a), b)
    case (.double(let a), .int(let b)): ValueOrder(of: a, Double(b))
    case (.double(let a), .uint(let b)): ValueOrder(of: a, Double(b))
    default: ValueOrder(numbers: left, right)
    }
  }
}

extension Value {
  fileprivate var mayEqualNumber: Bool {
    switch self {
    case .int, .uint, .double, .digits: true
    case .null, .bool, .string, .bytes, .list, .map, .timestamp, .duration, .type, .optional: false
    }
  }
}

extension CELFault {
  /// A whole number that nothing can be computed from without rounding it.
  static func beyondRange(_ text: String) -> CELFault {
    CELFault("\(text) is beyond 64 bits: it cannot be compared or computed with")
  }
}
