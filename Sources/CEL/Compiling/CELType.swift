import Values

/// The static type of an expression; `dyn` if nothing is known.
package indirect enum CELType: Sendable, Hashable {
  case dyn
  case null, bool, int, uint, double, string, bytes
  case timestamp, duration
  /// The type of types: the result of `type(x)`.
  case type
  case list(CELType)
  case map(CELType, CELType)
  case optional(CELType)
  /// A type that is known by its name only, such as `net.IP`.
  case opaque(String, [CELType])
  /// A placeholder for the type of a call's arguments.
  case parameter(Int)
  /// A type that is not known yet and may become any: the elements of `[]`.
  case free
}

extension CELType {
  /// Makes the type of a value, as far as its top level shows it.
  package init(of value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .bool
    case .int: self = .int
    case .uint: self = .uint
    case .double: self = .double
    case .string: self = .string
    case .bytes: self = .bytes
    case .list: self = .list(.dyn)
    case .map: self = NetworkValue(value)?.type ?? .map(.dyn, .dyn)
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .type: self = .type
    case .digits: self = .dyn
    case .optional: self = .optional(.dyn)
    }
  }

  /// True if the checker has no rule for values of this type.
  var isUnknown: Bool { self == .dyn || self == .free }

  var isNumber: Bool { self == .int || self == .uint || self == .double }

  /// This type as users see it; free parts become `dyn`.
  var settled: CELType {
    switch self {
    case .free, .parameter: .dyn
    case .list(let element): .list(element.settled)
    case .map(let key, let value): .map(key.settled, value.settled)
    case .optional(let wrapped): .optional(wrapped.settled)
    case .opaque(let name, let parameters): .opaque(name, parameters.map(\.settled))
    case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type:
      self
    }
  }

  /// Returns the narrowest type that includes both.
  func joined(with other: CELType) -> CELType {
    if self == other { return self }
    switch (self, other) {
    case (.free, let known), (let known, .free): return known
    case (.list(let a), .list(let b)): return .list(a.joined(with: b))
    case (.map(let a, let x), .map(let b, let y)):
      return .map(a.joined(with: b), x.joined(with: y))
    case (.optional(let a), .optional(let b)): return .optional(a.joined(with: b))
    case (.opaque(let a, let x), .opaque(let b, let y)) where a == b && x.count == y.count:
      return .opaque(a, zip(x, y).map { $0.joined(with: $1) })
    case (.null, let some) where some.mayBeNull, (let some, .null) where some.mayBeNull:
      return some
    default: return .dyn
    }
  }

  private var mayBeNull: Bool {
    switch self {
    case .optional, .opaque, .timestamp, .duration, .null: true
    case .dyn, .bool, .int, .uint, .double, .string, .bytes, .type, .list, .map, .parameter, .free:
      false
    }
  }

  /// Returns whether a value of this type can ever equal one of the other. Any type may be compared
  /// with null.
  func canEqual(_ other: CELType) -> Bool {
    switch (self, other) {
    case (.dyn, _), (_, .dyn), (.free, _), (_, .free), (.null, _), (_, .null): return true
    case (.list(let a), .list(let b)): return a.canEqual(b)
    case (.map(let a, let x), .map(let b, let y)): return a.canEqual(b) && x.canEqual(y)
    case (.optional(let a), .optional(let b)): return a.canEqual(b)
    case (.opaque(let a, _), .opaque(let b, _)): return a == b
    default: return self == other || (isNumber && other.isNumber)
    }
  }

  /// Returns whether a value of the actual type is accepted for this type; binds the parameters on
  /// the way.
  func accepts(_ actual: CELType, _ bound: inout [CELType]) -> Bool {
    switch (self, actual) {
    case (.dyn, _), (_, .free): return true
    case (.parameter(let number), _):
      while bound.count <= number { bound.append(.free) }
      bound[number] = bound[number].joined(with: actual)
      return true
    case (_, .dyn): return bindAll(to: .dyn, &bound)
    case (.list(let a), .list(let b)): return a.accepts(b, &bound)
    case (.map(let a, let x), .map(let b, let y)):
      return a.accepts(b, &bound) && x.accepts(y, &bound)
    case (.optional(let a), .optional(let b)): return a.accepts(b, &bound)
    case (_, .null): return mayBeNull
    case (.opaque(let a, _), .opaque(let b, _)): return a == b
    default: return self == actual
    }
  }

  private func bindAll(to type: CELType, _ bound: inout [CELType]) -> Bool {
    switch self {
    case .parameter: return accepts(type, &bound)
    case .list(let inner), .optional(let inner): return inner.bindAll(to: type, &bound)
    case .map(let key, let value):
      return key.bindAll(to: type, &bound) && value.bindAll(to: type, &bound)
    case .opaque(_, let parameters): return parameters.allSatisfy { $0.bindAll(to: type, &bound) }
    case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
      .free:
      return true
    }
  }

  /// Returns this type with its parameters replaced by their bindings.
  func filled(with bound: [CELType]) -> CELType {
    switch self {
    case .parameter(let number): bound.indices.contains(number) ? bound[number] : .free
    case .list(let inner): .list(inner.filled(with: bound))
    case .optional(let inner): .optional(inner.filled(with: bound))
    case .map(let key, let value): .map(key.filled(with: bound), value.filled(with: bound))
    case .opaque(let name, let inner): .opaque(name, inner.map { $0.filled(with: bound) })
    case .dyn, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
      .free:
      self
    }
  }
}

extension CELType: CustomStringConvertible {
  package var description: String {
    switch self {
    case .dyn, .free, .parameter: "dyn"
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .type: "type"
    case .list(let element): element.settled.isUnknown ? "list" : "list(\(element))"
    case .map(let key, let value):
      key.settled.isUnknown && value.settled.isUnknown ? "map" : "map(\(key), \(value))"
    case .optional(let wrapped): wrapped.settled.isUnknown ? "optional" : "optional(\(wrapped))"
    case .opaque(let name, _): name
    }
  }
}
