import Glibc
import TextSearch

/// The relation of two values, in the order that expressions, matchers, streams and schemas
/// share.
///
/// Numbers compare across kinds and exactly, text by its code points, and false comes before true.
public enum ValueOrder: Sendable, Equatable {
  case before, same, after
  /// One of them is NaN, which has no place among the numbers.
  case unordered

  public var isAtMost: Bool { self == .before || self == .same }
  public var isAtLeast: Bool { self == .after || self == .same }

  /// Compares two values; nil where values of these kinds have no order between them.
  public init?(_ left: Value, _ right: Value) {
    switch (left, right) {
    case (.string(let a), .string(let b)): self.init(texts: a, b)
    case (.bool(let a), .bool(let b)): self.init(of: a ? 1 : 0, b ? 1 : 0)
    case (.bytes(let a), .bytes(let b)):
      self = a.lexicographicallyPrecedes(b) ? .before : a == b ? .same : .after
    case (.timestamp(let a), .timestamp(let b)):
      self.init(of: (a.seconds, a.nanoseconds), (b.seconds, b.nanoseconds))
    case (.duration(let a), .duration(let b)):
      self.init(of: (a.seconds, a.nanoseconds), (b.seconds, b.nanoseconds))
    default: self.init(numbers: left, right)
    }
  }

  /// Compares two numbers of any kinds without rounding either; nil where one is no number.
  public init?(numbers left: Value, _ right: Value) {
    switch (left, right) {
    case (.int(let a), .int(let b)): self.init(of: a, b)
    case (.uint(let a), .uint(let b)): self.init(of: a, b)
    case (.double(let a), .double(let b)): self.init(of: a, b)
    case (.int(let a), .uint(let b)): self = a < 0 ? .before : ValueOrder(of: UInt(a), b)
    case (.uint(let a), .int(let b)): self = b < 0 ? .after : ValueOrder(of: a, UInt(b))
    case (.double(let a), .int(let b)): self.init(a, whole: b)
    case (.double(let a), .uint(let b)): self.init(a, whole: b)
    case (.int(let a), .double(let b)): self = ValueOrder(b, whole: a).reversed
    case (.uint(let a), .double(let b)): self = ValueOrder(b, whole: a).reversed
    default: return nil
    }
  }

  /// Compares two of one kind; what is neither smaller nor equal nor greater is unordered.
  @inlinable public init<Element: Comparable>(of left: Element, _ right: Element) {
    self = left < right ? .before : left == right ? .same : left > right ? .after : .unordered
  }

  private init(of left: (Int, Int32), _ right: (Int, Int32)) {
    self = left < right ? .before : left == right ? .same : .after
  }

  /// A double holds any integer below it, or lies outside of the integer's range.
  private init<Whole: FixedWidthInteger>(_ left: Double, whole right: Whole) {
    let floor = left.rounded(.down)
    if let whole = Whole(exactly: floor) {
      self = whole == right && floor < left ? .after : ValueOrder(of: whole, right)
    } else {
      self.init(of: left, 0)
    }
  }

  private init(texts left: String, _ right: String) {
    self.init(of: compareTexts(left, right), 0)
  }

  private var reversed: ValueOrder {
    switch self {
    case .before: .after
    case .after: .before
    case .same, .unordered: self
    }
  }
}
