import Glibc
import Values

extension Builtins {
  static let numbers: [Builtin] = [
    global(
      "math.greatest", Signature([.dyn], .dyn, repeats: true),
      body: .any(NumberFunctions.greatest)
    ).note("The greatest of numbers, or of a list of them.", "math.greatest(1, 2.5, 2)", "2.5"),
    global(
      "math.least", Signature([.dyn], .dyn, repeats: true), body: .any(NumberFunctions.least)
    ).note("The least of numbers, or of a list of them.", "math.least([3, 1, 2])", "1"),
    real("math.ceil", .double, NumberFunctions.ceiling).note(
      "The next whole number that is not less.", "math.ceil(1.2)", "2.0"),
    real("math.floor", .double, NumberFunctions.floor).note(
      "The next whole number that is not greater.", "math.floor(-1.2)", "-2.0"),
    real("math.round", .double, NumberFunctions.round).note(
      "The nearest whole number. Halves go away from zero.", "math.round(-2.5)", "-3.0"),
    real("math.trunc", .double, NumberFunctions.truncate).note(
      "The number without its fraction.", "math.trunc(-1.7)", "-1.0"),
    real("math.isNaN", .bool, NumberFunctions.isNaN).note(
      "Whether a number is NaN, which is not a number.", "math.isNaN(0.0 / 0.0)", "true"),
    real("math.isInf", .bool, NumberFunctions.isInfinite).note(
      "Whether a number is infinite.", "math.isInf(1.0 / 0.0)", "true"),
    real("math.isFinite", .bool, NumberFunctions.isFinite).note(
      "Whether a number is neither infinite nor NaN.", "math.isFinite(1.5)", "true"),
    global(
      "math.abs", Signature([.int], .int), Signature([.uint], .uint), Signature([.double], .double),
      body: .one(NumberFunctions.abs)
    ).note("The number without its sign.", "math.abs(-3)", "3"),
    global(
      "math.sign", Signature([.int], .int), Signature([.uint], .uint),
      Signature([.double], .double), body: .one(NumberFunctions.sign)
    ).note("The sign of a number: -1, 0 or 1.", "math.sign(-2.5)", "-1.0"),
    global(
      "math.sqrt", Signature([.int], .double), Signature([.uint], .double),
      Signature([.double], .double), body: .one(NumberFunctions.sqrt)
    ).note("The square root.", "math.sqrt(9)", "3.0"),
    bits("math.bitAnd", NumberFunctions.bitAnd).note(
      "The bits that both numbers have.", "math.bitAnd(6, 3)", "2"),
    bits("math.bitOr", NumberFunctions.bitOr).note(
      "The bits that one of two numbers has.", "math.bitOr(6, 3)", "7"),
    bits("math.bitXor", NumberFunctions.bitXor).note(
      "The bits that only one of two numbers has.", "math.bitXor(6, 3)", "5"),
    global(
      "math.bitNot", Signature([.int], .int), Signature([.uint], .uint),
      body: .one(NumberFunctions.bitNot)
    ).note("The number with all its bits inverted.", "math.bitNot(0)", "-1"),
    shift("math.bitShiftLeft", NumberFunctions.shiftLeft).note(
      "The bits some places to the left.", "math.bitShiftLeft(1, 4)", "16"),
    shift("math.bitShiftRight", NumberFunctions.shiftRight).note(
      "The bits some places to the right, with zeros in front.", "math.bitShiftRight(16, 4)", "1"),
  ]

  private static func real(
    _ name: String, _ result: CELType, _ function: @escaping UnaryCallNode.Function
  ) -> Builtin {
    global(name, Signature([.double], result), body: .one(function))
  }

  private static func bits(
    _ name: String, _ function: @escaping BinaryCallNode.Function
  ) -> Builtin {
    global(
      name, Signature([.int, .int], .int), Signature([.uint, .uint], .uint), body: .two(function))
  }

  private static func shift(
    _ name: String, _ function: @escaping BinaryCallNode.Function
  ) -> Builtin {
    global(
      name, Signature([.int, .int], .int), Signature([.uint, .int], .uint), body: .two(function))
  }
}

/// The functions of `math`.
enum NumberFunctions {
  static func greatest(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    try extreme("math.greatest", values, .after, &meter)
  }

  static func least(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    try extreme("math.least", values, .before, &meter)
  }

  private static func extreme(
    _ name: String, _ values: [Value], _ wanted: ValueOrder, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    var numbers = values
    if values.count == 1, case .list(let list) = values[0] { numbers = list }
    try meter.spend(numbers.count)
    guard var best = numbers.first, Comparison.numberOrder(best, best) != nil else {
      throw .noOverload(name, values)
    }
    for number in numbers.dropFirst() {
      guard let order = Comparison.numberOrder(number, best) else {
        throw .noOverload(name, values)
      }
      if order == wanted { best = number }
    }
    return best
  }

  private static func real(_ name: String, _ value: Value) throws(CELFault) -> Double {
    guard case .double(let number) = value else { throw .noOverload(name, value) }
    return number
  }

  static func ceiling(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .double(try real("math.ceil", value).rounded(.up))
  }

  static func floor(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .double(try real("math.floor", value).rounded(.down))
  }

  static func round(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .double(try real("math.round", value).rounded(.toNearestOrAwayFromZero))
  }

  static func truncate(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .double(try real("math.trunc", value).rounded(.towardZero))
  }

  static func isNaN(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .bool(try real("math.isNaN", value).isNaN)
  }

  static func isInfinite(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .bool(try real("math.isInf", value).isInfinite)
  }

  static func isFinite(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    .bool(try real("math.isFinite", value).isFinite)
  }

  static func abs(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .int(let number):
      if number == .min { throw .overflow("int") }
      return .int(number < 0 ? -number : number)
    case .uint: return value
    case .double(let number): return .double(number.magnitude)
    default: throw .noOverload("math.abs", value)
    }
  }

  static func sign(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .int(let number): return .int(number.signum())
    case .uint(let number): return .uint(number == 0 ? 0 : 1)
    case .double(let number):
      return .double(number.isNaN ? number : number > 0 ? 1 : number < 0 ? -1 : 0)
    default: throw .noOverload("math.sign", value)
    }
  }

  static func sqrt(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .int(let number): return .double(Double(number).squareRoot())
    case .uint(let number): return .double(Double(number).squareRoot())
    case .double(let number): return .double(number.squareRoot())
    default: throw .noOverload("math.sqrt", value)
    }
  }

  static func bitAnd(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(x & y)
    case (.uint(let x), .uint(let y)): return .uint(x & y)
    default: throw .noOverload("math.bitAnd", a, b)
    }
  }

  static func bitOr(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(x | y)
    case (.uint(let x), .uint(let y)): return .uint(x | y)
    default: throw .noOverload("math.bitOr", a, b)
    }
  }

  static func bitXor(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch (a, b) {
    case (.int(let x), .int(let y)): return .int(x ^ y)
    case (.uint(let x), .uint(let y)): return .uint(x ^ y)
    default: throw .noOverload("math.bitXor", a, b)
    }
  }

  static func bitNot(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .int(let number): return .int(~number)
    case .uint(let number): return .uint(~number)
    default: throw .noOverload("math.bitNot", value)
    }
  }

  static func shiftLeft(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .int(let count) = b else { throw .noOverload("math.bitShiftLeft", a, b) }
    if count < 0 { throw .negativeShift }
    switch a {
    case .int(let number): return .int(number << count)
    case .uint(let number): return .uint(number << count)
    default: throw .noOverload("math.bitShiftLeft", a, b)
    }
  }

  /// Shifts the bits of an int to the right and fills with zeros, for either sign.
  static func shiftRight(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .int(let count) = b else { throw .noOverload("math.bitShiftRight", a, b) }
    if count < 0 { throw .negativeShift }
    switch a {
    case .int(let number): return .int(Int(bitPattern: UInt(bitPattern: number) >> count))
    case .uint(let number): return .uint(number >> count)
    default: throw .noOverload("math.bitShiftRight", a, b)
    }
  }
}

extension CELFault {
  static let negativeShift = CELFault("negative offset: bits shift by zero or more places")
}
