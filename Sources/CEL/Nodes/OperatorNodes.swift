import Values

final class ArithmeticNode: Node {
  private let operation: BinaryOperator
  private let left: Node
  private let right: Node

  init(_ operation: BinaryOperator, _ left: Node, _ right: Node, _ span: Span) {
    self.operation = operation
    self.left = left
    self.right = right
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let a = try left.evaluate(&frame)
    let b = try right.evaluate(&frame)
    do {
      if case .int(let x) = a, case .int(let y) = b {
        return try Arithmetic.integers(operation, x, y)
      }
      return try Arithmetic.apply(operation, a, b, &frame.meter)
    } catch {
      throw failure(error)
    }
  }
}

final class EqualityNode: Node {
  private let left: Node
  private let right: Node
  private let negated: Bool

  init(_ left: Node, _ right: Node, negated: Bool, _ span: Span) {
    self.left = left
    self.right = right
    self.negated = negated
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let a = try left.evaluate(&frame)
    let b = try right.evaluate(&frame)
    do {
      return .bool(try Comparison.equal(a, b, &frame.meter) != negated)
    } catch {
      throw failure(error)
    }
  }

  override func unequalTexts(_ frame: inout Frame) throws(CELFailure) -> (String, String)? {
    guard !negated, case .string(let a) = try left.evaluate(&frame),
      case .string(let b) = try right.evaluate(&frame)
    else { return nil }
    return a == b ? nil : (a, b)
  }
}

final class OrderNode: Node {
  private let operation: BinaryOperator
  private let left: Node
  private let right: Node

  init(_ operation: BinaryOperator, _ left: Node, _ right: Node, _ span: Span) {
    self.operation = operation
    self.left = left
    self.right = right
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let a = try left.evaluate(&frame)
    let b = try right.evaluate(&frame)
    guard let order = Comparison.order(a, b) else {
      throw failure(.operands(operation, a, b))
    }
    return .bool(OrderNode.holds(operation, order))
  }

  private static func holds(_ operation: BinaryOperator, _ order: ValueOrder) -> Bool {
    switch operation {
    case .less: order == .before
    case .lessOrEqual: order.isAtMost
    case .greater: order == .after
    case .greaterOrEqual: order.isAtLeast
    case .add, .subtract, .multiply, .divide, .remainder, .equal, .notEqual, .isIn: false
    }
  }
}

final class NegateNode: Node {
  private let operand: Node

  init(_ operand: Node, _ span: Span) {
    self.operand = operand
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try operand.evaluate(&frame)
    switch value {
    case .int(let number):
      if number == .min { throw failure(.overflow("int")) }
      return .int(-number)
    case .double(let number): return .double(-number)
    default: throw failure(.noOverload("-", value))
    }
  }
}

final class NotNode: Node {
  private let operand: Node

  init(_ operand: Node, _ span: Span) {
    self.operand = operand
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try operand.evaluate(&frame)
    guard case .bool(let truth) = value else { throw failure(.noOverload("!", value)) }
    return .bool(!truth)
  }
}

/// The node of `a && b && …` and `a || b || …`. One decisive part is enough, even if earlier ones
/// failed.
final class LogicNode: Node {
  private let parts: [Node]
  /// The value that decides: false for `&&`, true for `||`.
  private let decisive: Bool

  init(_ parts: [Node], decisive: Bool, _ span: Span) {
    self.parts = parts
    self.decisive = decisive
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    var absorbed: CELFailure?
    for part in parts {
      do throws(CELFailure) {
        let value = try part.evaluate(&frame)
        guard case .bool(let truth) = value else {
          throw part.failure(.noOverload(decisive ? "||" : "&&", value))
        }
        if truth == decisive { return .bool(decisive) }
      } catch {
        if absorbed == nil { absorbed = error }
      }
    }
    if let absorbed { throw absorbed }
    return .bool(!decisive)
  }

  override func unequalTexts(_ frame: inout Frame) throws(CELFailure) -> (String, String)? {
    for part in parts {
      if let texts = try part.unequalTexts(&frame) { return texts }
    }
    return nil
  }
}

final class ConditionalNode: Node {
  private let condition: Node
  private let first: Node
  private let second: Node

  init(_ condition: Node, _ first: Node, _ second: Node, _ span: Span) {
    self.condition = condition
    self.first = first
    self.second = second
    super.init(span)
  }

  override var isRead: Bool { first.isRead && second.isRead }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try condition.evaluate(&frame)
    guard case .bool(let truth) = value else {
      throw condition.failure(CELFault("no such overload: `?:` asks a bool, not \(value.article)"))
    }
    return truth ? try first.evaluate(&frame) : try second.evaluate(&frame)
  }
}

extension Value {
  /// The type of this value with its article: `an int`.
  var article: String {
    if case .digits = self { return kindName }
    let name = CELType(of: self).description
    return ["a", "e", "i", "o", "u"].contains(String(name.prefix(1))) && name != "uint"
      ? "an \(name)" : "a \(name)"
  }
}
