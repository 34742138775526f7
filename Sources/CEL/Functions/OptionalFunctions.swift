import Values

extension Builtins {
  static let optionals: [Builtin] = [
    global(
      "optional.of", Signature([.parameter(0)], .optional(.parameter(0))),
      body: .one(OptionalFunctions.of)
    ).note("An optional with a value.", "optional.of(1).hasValue()", "true"),
    global(
      "optional.ofNonZeroValue", Signature([.parameter(0)], .optional(.parameter(0))),
      body: .one(OptionalFunctions.ofNonZero)
    ).note(
      "An optional with a value, unless it is 0, false, null or empty.",
      "optional.ofNonZeroValue('').hasValue()", "false"),
    global(
      "optional.none", Signature([], .optional(.free)), body: .any(OptionalFunctions.none)
    ).note("An optional without a value.", "optional.none().orValue(1)", "1"),
    global(
      "optional.unwrap", Signature([.list(.optional(.parameter(0)))], .list(.parameter(0))),
      body: .one(OptionalFunctions.unwrap)
    ).note(
      "The values in a list of optionals.", "optional.unwrap([optional.of(1), optional.none()])",
      "[1]"),
    member(
      "unwrapOpt", Signature([.list(.optional(.parameter(0)))], .list(.parameter(0))),
      body: .one(OptionalFunctions.unwrap)
    ).note(
      "The values in a list of optionals.", "[optional.of(1), optional.none()].unwrapOpt()", "[1]"),
    member(
      "hasValue", Signature([.optional(.dyn)], .bool), body: .one(OptionalFunctions.hasValue)
    ).note("Whether an optional has a value.", "{'a': 1}.?b.hasValue()", "false"),
    member(
      "value", Signature([.optional(.parameter(0))], .parameter(0)),
      body: .one(OptionalFunctions.value)
    ).note("The value of an optional, which must have one.", "{'a': 1}.?a.value()", "1"),
  ]
}

/// Functions that make and open optionals.
enum OptionalFunctions {
  static func of(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .optional(value)
  }

  static func none(_ arguments: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    .optional(nil)
  }

  static func ofNonZero(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    isZero(value) ? .optional(nil) : .optional(value)
  }

  private static func isZero(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .bool(let truth): !truth
    case .int(let number): number == 0
    case .uint(let number): number == 0
    case .double(let number): number == 0
    case .string(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .list(let list): list.isEmpty
    case .map(let map): map.isEmpty
    case .duration(let span): span.seconds == 0 && span.nanoseconds == 0
    case .timestamp(let time): time.seconds == 0 && time.nanoseconds == 0
    case .optional(let wrapped): wrapped == nil
    case .digits, .type: false
    }
  }

  static func hasValue(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .optional(let wrapped) = value else { throw .noOverload("hasValue", value) }
    return .bool(wrapped != nil)
  }

  static func value(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .optional(let wrapped) = value else { throw .noOverload("value", value) }
    guard let wrapped else { throw CELFault("this optional has no value") }
    return wrapped
  }

  static func unwrap(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .list(let list) = value else { throw .noOverload("optional.unwrap", value) }
    try meter.make(elements: list.count)
    var result: [Value] = []
    for element in list {
      guard case .optional(let wrapped) = element else {
        throw .noOverload("optional.unwrap", element)
      }
      if let wrapped { result.append(wrapped) }
    }
    return .list(result)
  }
}
