import Values

/// The node of `x.orValue(y)` and `x.or(y)`. The second part is evaluated only if the first is
/// missing.
final class OrNode: Node {
  private let operand: Node
  private let other: Node
  /// True if the result is the value itself (`orValue`), not an optional of it (`or`).
  private let unwraps: Bool

  init(_ operand: Node, _ other: Node, unwraps: Bool, _ span: Span) {
    self.operand = operand
    self.other = other
    self.unwraps = unwraps
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try operand.evaluate(&frame)
    guard case .optional(let wrapped) = value else {
      throw failure(.noOverload(unwraps ? "orValue" : "or", value))
    }
    if let wrapped { return unwraps ? wrapped : value }
    let second = try other.evaluate(&frame)
    if unwraps { return second }
    guard case .optional = second else { throw failure(.noOverload("or", value, second)) }
    return second
  }
}

/// The node of `x.optMap(v, expression)` and `x.optFlatMap(v, expression)`.
final class OptionalMapNode: Node {
  private let operand: Node
  private let number: Int
  private let body: Node
  private let flat: Bool

  init(_ operand: Node, _ number: Int, _ body: Node, flat: Bool, _ span: Span) {
    self.operand = operand
    self.number = number
    self.body = body
    self.flat = flat
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try operand.evaluate(&frame)
    guard case .optional(let wrapped) = value else {
      throw failure(.noOverload(flat ? "optFlatMap" : "optMap", value))
    }
    guard let wrapped else { return value }
    frame.locals[number] = wrapped
    let result = try body.evaluate(&frame)
    guard flat else { return .optional(result) }
    guard case .optional = result else { throw body.failure(.notOptional(result)) }
    return result
  }
}
