/// The number of values that a subscriber is ready to take. A request adds to the demand, a value
/// takes from it; sums beyond its range are unlimited.
@frozen
public struct Demand: Hashable, Comparable, Sendable {
  /// The number of values; one more than `Int` holds stands for unlimited.
  @usableFromInline let rawValue: UInt

  @inlinable init(rawValue: UInt) { self.rawValue = rawValue }

  /// A demand for all values.
  @inlinable public static var unlimited: Demand { Demand(rawValue: UInt(Int.max) + 1) }
  /// No value.
  @inlinable public static var none: Demand { Demand(rawValue: 0) }

  /// At most this number of values; a negative number stops the program.
  @inlinable public static func max(_ count: Int) -> Demand {
    precondition(count >= 0, "A demand cannot be negative.")
    return Demand(rawValue: UInt(bitPattern: count))
  }

  /// The number of values; nil when it is unlimited.
  @inlinable public var max: Int? { self == .unlimited ? nil : Int(bitPattern: rawValue) }

  /// Returns whether one demand is less than another; unlimited is more than any number.
  @inlinable
  public static func < (left: Demand, right: Demand) -> Bool { left.rawValue < right.rawValue }

  /// The sum; unlimited plus anything is unlimited.
  @inlinable public static func + (left: Demand, right: Demand) -> Demand {
    let (sum, overflow) = left.rawValue.addingReportingOverflow(right.rawValue)
    return overflow || sum > unlimited.rawValue ? .unlimited : Demand(rawValue: sum)
  }

  /// Returns the demand that is left. Unlimited stays unlimited, and no demand is less than none.
  @inlinable public static func - (left: Demand, right: Demand) -> Demand {
    if left == .unlimited { return left }
    return left.rawValue > right.rawValue
      ? Demand(rawValue: left.rawValue &- right.rawValue) : .none
  }

  /// The product; unlimited times anything is unlimited. A negative number stops the program.
  @inlinable public static func * (left: Demand, right: Int) -> Demand {
    precondition(right >= 0, "A demand cannot be negative.")
    if left == .unlimited { return left }
    let (product, overflow) = left.rawValue.multipliedReportingOverflow(by: UInt(right))
    return Demand(rawValue: overflow ? unlimited.rawValue : Swift.min(product, unlimited.rawValue))
  }

  /// Adds a demand.
  @inlinable public static func += (left: inout Demand, right: Demand) { left = left + right }
  /// Subtracts a demand; unlimited stays unlimited.
  @inlinable public static func -= (left: inout Demand, right: Demand) { left = left - right }
  /// The sum with a number of values, which may be negative. No demand is less than none.
  @inlinable public static func + (left: Demand, right: Int) -> Demand {
    let count = Demand(rawValue: right.magnitude)
    return right < 0 ? left - count : left + count
  }
  /// Returns the demand after a number of values, which may be negative. Unlimited stays unlimited,
  /// and no demand is less than none.
  @inlinable public static func - (left: Demand, right: Int) -> Demand {
    let count = Demand(rawValue: right.magnitude)
    return right < 0 ? left + count : left - count
  }
  /// Adds a number of values.
  @inlinable public static func += (left: inout Demand, right: Int) { left = left + right }
  /// Subtracts a number of values; unlimited stays unlimited.
  @inlinable public static func -= (left: inout Demand, right: Int) { left = left - right }

  /// Stops a program that asks for nothing, as Combine does.
  @inlinable @inline(__always)
  func mustAsk() {
    precondition(rawValue > 0, "A subscriber asks for at least one value.")
  }
}

extension Demand: CustomStringConvertible {
  /// The demand as text, such as `max(2)` or `unlimited`.
  public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
}
