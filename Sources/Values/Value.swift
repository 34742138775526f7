// Without this import a debug build does not link the rounding that number comparison needs.
import Glibc
@_exported import TextSearch

/// A dynamic value, which YAML, JSON, expressions, events and endpoints exchange.
///
/// Two values are equal if their contents are. Texts are equal if their code points are. Numbers
/// compare across kinds (`1 == 1.0`), and maps compare without order. NaN equals itself, so that
/// "nothing changed" is decidable.
public enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case uint(UInt)
  case double(Double)
  /// A whole number of JSON beyond 64 bits, as it was written. It is passed on, and not compared or
  /// computed with.
  case digits(String)
  case string(String)
  case bytes([UInt8])
  case list([Value])
  case map(ValueMap)
  case timestamp(Timestamp)
  case duration(TimeSpan)
  /// The type of a value, as expressions see it (`type(1) == int`).
  case type(String)
  /// A value that may be missing, as expressions see it (`optional.none()`).
  indirect case optional(Value?)
}

/// A point in time: whole seconds since 1970-01-01T00:00:00Z and nanoseconds 0..<1e9.
public struct Timestamp: Sendable, Hashable {
  public var seconds: Int
  public var nanoseconds: Int32

  public init(seconds: Int, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

/// A duration in seconds and nanoseconds; both have the same sign.
public struct TimeSpan: Sendable, Hashable {
  public var seconds: Int
  public var nanoseconds: Int32

  public init(seconds: Int, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}

/// A duration of scenario time in whole microseconds; also a time on the scenario's clock, counted
/// from its start.
public typealias Microseconds = Int64

extension Value: Equatable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.string(let a), .string(let b)), (.digits(let a), .digits(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.type(let a), .type(let b)): a == b
    case (.optional(let a), .optional(let b)): a == b
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    default: sameNumber(left, right)
    }
  }

  /// Returns whether two numbers of different kinds have the same value.
  private static func sameNumber(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.uint(let a), .uint(let b)): a == b
    case (.int(let a), .uint(let b)), (.uint(let b), .int(let a)): a >= 0 && UInt(a) == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Int(exactly: b) == a
    case (.uint(let a), .double(let b)), (.double(let b), .uint(let a)): UInt(exactly: b) == a
    default: false
    }
  }
}

extension Value: Hashable {
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): Value.hash(value, into: &hasher)
    case .double(let value): Value.hash(value, into: &hasher)
    case .string(let value), .digits(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value.count)
    case .timestamp(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .type(let value): hasher.combine(value)
    case .optional(let value): hasher.combine(value)
    }
  }

  private static func hash(_ value: UInt, into hasher: inout Hasher) {
    if let same = Int(exactly: value) { hasher.combine(same) } else { hasher.combine(value) }
  }

  private static func hash(_ value: Double, into hasher: inout Hasher) {
    if let same = Int(exactly: value) {
      hasher.combine(same)
    } else if let same = UInt(exactly: value) {
      hasher.combine(same)
    } else {
      hasher.combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (Value, Value)...) {
    self = .map(ValueMap(elements))
  }
}

extension Value {
  /// Returns the entry of a map under a text key; nil for anything else.
  public subscript(key: String) -> Value? {
    if case .map(let map) = self { map[.string(key)] } else { nil }
  }

  /// The kind of this value, in words for a scenario's author.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a bool"
    case .int, .uint: "an integer"
    case .double: "a number"
    case .digits: "a whole number beyond 64 bits"
    case .string: "text"
    case .bytes: "bytes"
    case .list: "a list"
    case .map: "a map"
    case .timestamp: "a timestamp"
    case .duration: "a duration"
    case .type: "a type"
    case .optional: "an optional"
    }
  }
}
