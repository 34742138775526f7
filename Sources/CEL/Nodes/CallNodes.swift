import Values

/// A call of a function with no arguments, or more than two.
final class CallNode: Node {
  private let function: Function
  private let arguments: [Node]

  typealias Function = @Sendable ([Value], inout Meter) throws(CELFault) -> Value

  init(_ function: @escaping Function, _ arguments: [Node], _ span: Span) {
    self.function = function
    self.arguments = arguments
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.evaluate(&frame)) }
    do {
      return try function(values, &frame.meter)
    } catch {
      throw failure(error)
    }
  }
}

final class UnaryCallNode: Node {
  private let function: Function
  private let argument: Node

  typealias Function = @Sendable (Value, inout Meter) throws(CELFault) -> Value

  init(_ function: @escaping Function, _ argument: Node, _ span: Span) {
    self.function = function
    self.argument = argument
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try argument.evaluate(&frame)
    do {
      return try function(value, &frame.meter)
    } catch {
      throw failure(error)
    }
  }
}

final class BinaryCallNode: Node {
  private let function: Function
  private let first: Node
  private let second: Node

  typealias Function = @Sendable (Value, Value, inout Meter) throws(CELFault) -> Value

  init(_ function: @escaping Function, _ first: Node, _ second: Node, _ span: Span) {
    self.function = function
    self.first = first
    self.second = second
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let left = try first.evaluate(&frame)
    let right = try second.evaluate(&frame)
    do {
      return try function(left, right, &frame.meter)
    } catch {
      throw failure(error)
    }
  }
}

/// The node of `text.matches('pattern')` with a pattern that is compiled with the expression.
final class MatchNode: Node {
  private let text: Node
  private let pattern: CELPattern

  init(_ text: Node, _ pattern: CELPattern, _ span: Span) {
    self.text = text
    self.pattern = pattern
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try text.evaluate(&frame)
    do throws(CELFault) {
      guard case .string(let text) = value else {
        throw .noOverload("matches", value, .string(""))
      }
      return .bool(try pattern.matches(text, &frame.meter))
    } catch {
      throw failure(error)
    }
  }
}
