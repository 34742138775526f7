import Values

/// The syntax tree of an expression, before names are resolved.
final class Syntax: Sendable {
  enum Kind: Sendable {
    case literal(Value)
    /// `name`, or `.name`, which is looked up outside all inner scopes.
    case name(String, absolute: Bool)
    case select(Syntax, field: String, optional: Bool)
    case index(Syntax, Syntax, optional: Bool)
    /// `function(…)` or `target.function(…)`.
    case call(Syntax?, function: String, [Syntax])
    case negate(Syntax)
    case not(Syntax)
    case binary(BinaryOperator, Syntax, Syntax)
    case all([Syntax])
    case any([Syntax])
    case conditional(Syntax, Syntax, Syntax)
    case list([ListEntry])
    case map([MapEntry])
  }

  struct ListEntry: Sendable {
    let value: Syntax
    let optional: Bool
  }

  struct MapEntry: Sendable {
    let key: Syntax
    let value: Syntax
    let optional: Bool
  }

  let kind: Kind
  let span: Span
  /// The place of the name that matters: the field of a selection, the function of a call.
  let nameSpan: Span

  init(_ kind: Kind, _ span: Span, name: Span? = nil) {
    self.kind = kind
    self.span = span
    nameSpan = name ?? span
  }
}

enum BinaryOperator: UInt8, Sendable {
  case add, subtract, multiply, divide, remainder
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case isIn

  var symbol: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .isIn: "in"
    }
  }
}
