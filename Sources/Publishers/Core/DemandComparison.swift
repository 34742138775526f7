/// Comparisons of a demand with a number, as Combine has them. Unlimited is more than any number.
extension Demand {
  /// Returns whether a demand is exactly this number.
  @inlinable public static func == (left: Demand, right: Int) -> Bool { left.max == right }
  /// Returns whether a demand is not this number.
  @inlinable public static func != (left: Demand, right: Int) -> Bool { left.max != right }
  /// Returns whether a demand is less than a number.
  @inlinable public static func < (left: Demand, right: Int) -> Bool { compare(left, right) < 0 }
  /// Returns whether a demand is at most a number.
  @inlinable public static func <= (left: Demand, right: Int) -> Bool { compare(left, right) <= 0 }
  /// Returns whether a demand is more than a number.
  @inlinable public static func > (left: Demand, right: Int) -> Bool { compare(left, right) > 0 }
  /// Returns whether a demand is at least a number.
  @inlinable public static func >= (left: Demand, right: Int) -> Bool { compare(left, right) >= 0 }
  /// Returns whether a number is exactly this demand.
  @inlinable public static func == (left: Int, right: Demand) -> Bool { right == left }
  /// Returns whether a number is not this demand.
  @inlinable public static func != (left: Int, right: Demand) -> Bool { right != left }
  /// Returns whether a number is less than a demand.
  @inlinable public static func < (left: Int, right: Demand) -> Bool { right > left }
  /// Returns whether a number is at most a demand.
  @inlinable public static func <= (left: Int, right: Demand) -> Bool { right >= left }
  /// Returns whether a number is more than a demand.
  @inlinable public static func > (left: Int, right: Demand) -> Bool { right < left }
  /// Returns whether a number is at least a demand.
  @inlinable public static func >= (left: Int, right: Demand) -> Bool { right <= left }

  /// Multiplies by a number; unlimited stays unlimited.
  @inlinable public static func *= (left: inout Demand, right: Int) { left = left * right }

  @usableFromInline
  static func compare(_ left: Demand, _ right: Int) -> Int {
    guard let count = left.max else { return 1 }
    return count < right ? -1 : count == right ? 0 : 1
  }
}
