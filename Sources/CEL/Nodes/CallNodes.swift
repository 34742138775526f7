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

/// The node of a function with a pattern, which is compiled with the expression if it is known.
final class PatternCallNode: Node {
  private let function: PatternFunctions.Function
  private let pattern: CELPattern?
  private let arguments: [Node]

  init(
    _ function: @escaping PatternFunctions.Function, _ pattern: CELPattern?, _ arguments: [Node],
    _ span: Span
  ) {
    self.function = function
    self.pattern = pattern
    self.arguments = arguments
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    var values: [Value] = []
    values.reserveCapacity(arguments.count)
    for argument in arguments { values.append(try argument.evaluate(&frame)) }
    do throws(CELFault) {
      if let pattern { return try function(values, pattern, &frame.meter) }
      return try function(values, try compiled(values[1], &frame.meter), &frame.meter)
    } catch {
      throw failure(error)
    }
  }

  private func compiled(_ value: Value, _ meter: inout Meter) throws(CELFault) -> CELPattern {
    guard case .string(let source) = value else {
      throw CELFault("no such overload: a pattern is a text, not \(value.article)")
    }
    try meter.spend(source.utf8.count)
    return try CELPattern.compile(source, once: true).get()
  }
}
