import Glibc
import Values

/// The arithmetic operators. Both operands have the same kind of number; a result out of range is
/// an error.
enum Arithmetic {
  @inline(__always)
  static func integers(
    _ operation: BinaryOperator, _ a: Int, _ b: Int
  ) throws(CELFault) -> Value {
    switch operation {
    case .add: return .int(try checked(a.addingReportingOverflow(b), "int"))
    case .subtract: return .int(try checked(a.subtractingReportingOverflow(b), "int"))
    case .multiply: return .int(try checked(a.multipliedReportingOverflow(by: b), "int"))
    case .divide:
      if b == 0 { throw .divideByZero }
      return .int(try checked(a.dividedReportingOverflow(by: b), "int"))
    case .remainder:
      if b == 0 { throw .remainderByZero }
      return .int(b == -1 ? 0 : a % b)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
      throw .noOverload(operation.symbol, .int(a), .int(b))
    }
  }

  static func apply(
    _ operation: BinaryOperator, _ left: Value, _ right: Value, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): return try integers(operation, a, b)
    case (.uint(let a), .uint(let b)): return try unsigned(operation, a, b)
    case (.double(let a), .double(let b)): return .double(try doubles(operation, a, b))
    default: break
    }
    switch operation {
    case .add: return try add(left, right, &meter)
    case .subtract: return try subtract(left, right)
    case .multiply, .divide, .remainder, .equal, .notEqual, .less, .lessOrEqual, .greater,
      .greaterOrEqual, .isIn:
      throw .operands(operation, left, right)
    }
  }

  @inline(__always)
  private static func checked<Number>(
    _ result: (partialValue: Number, overflow: Bool), _ type: String
  ) throws(CELFault) -> Number {
    if result.overflow { throw .overflow(type) }
    return result.partialValue
  }

  private static func unsigned(
    _ operation: BinaryOperator, _ a: UInt, _ b: UInt
  ) throws(CELFault) -> Value {
    switch operation {
    case .add: return .uint(try checked(a.addingReportingOverflow(b), "uint"))
    case .subtract: return .uint(try checked(a.subtractingReportingOverflow(b), "uint"))
    case .multiply: return .uint(try checked(a.multipliedReportingOverflow(by: b), "uint"))
    case .divide:
      if b == 0 { throw .divideByZero }
      return .uint(a / b)
    case .remainder:
      if b == 0 { throw .remainderByZero }
      return .uint(a % b)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
      throw .noOverload(operation.symbol, .uint(a), .uint(b))
    }
  }

  private static func doubles(
    _ operation: BinaryOperator, _ a: Double, _ b: Double
  ) throws(CELFault) -> Double {
    switch operation {
    case .add: return a + b
    case .subtract: return a - b
    case .multiply: return a * b
    case .divide: return a / b
    case .remainder, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn:
      throw .operands(operation, .double(a), .double(b))
    }
  }

  private static func add(
    _ left: Value, _ right: Value, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    switch (left, right) {
    case (.string(let a), .string(let b)):
      try meter.make(bytes: a.utf8.count + b.utf8.count)
      return .string(a + b)
    case (.bytes(let a), .bytes(let b)):
      try meter.make(bytes: a.count + b.count)
      return .bytes(a + b)
    case (.list(let a), .list(let b)):
      try meter.make(elements: a.count + b.count)
      return .list(a + b)
    case (.duration(let a), .duration(let b)): return .duration(try TimeMath.sum(a, b))
    case (.timestamp(let time), .duration(let span)), (.duration(let span), .timestamp(let time)):
      return .timestamp(try TimeMath.sum(time, span))
    default: throw .operands(.add, left, right)
    }
  }

  private static func subtract(_ left: Value, _ right: Value) throws(CELFault) -> Value {
    switch (left, right) {
    case (.duration(let a), .duration(let b)):
      return .duration(try TimeMath.difference(a, b))
    case (.timestamp(let a), .timestamp(let b)):
      return .duration(try TimeMath.difference(a, b))
    case (.timestamp(let time), .duration(let span)):
      return .timestamp(try TimeMath.difference(time, span))
    default: throw .operands(.subtract, left, right)
    }
  }
}

extension CELFault {
  static let divideByZero = CELFault("divide by zero")
  static let remainderByZero = CELFault("remainder of a division by zero")

  static func overflow(_ type: String) -> CELFault {
    CELFault("overflow: the result does not fit into \(type) (64 bits)")
  }
}
