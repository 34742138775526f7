import Values

/// A part of a compiled expression that gives a value.
///
/// Nodes are classes with a table of methods, built once and never changed. Evaluation itself
/// allocates no memory, and several threads may evaluate one program at once.
class Node {
  final let span: Span

  init(_ span: Span) { self.span = span }

  /// The value, if it is known without evaluation.
  var constant: Value? { nil }

  /// True if the value is that of a slot, or a part of it: nothing is made that could be too large.
  var isRead: Bool { false }

  /// The keys of the value, if it is a map with literal ones.
  var memberNames: [String]? { nil }

  /// Returns the sides of the first comparison for which the value is false, if they are texts.
  func unequalTexts(_ frame: inout Frame) throws(CELFailure) -> (String, String)? { nil }

  /// True if errors do not list the keys of the value.
  var hidesKeys: Bool { false }

  func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value { .null }

  final func failure(_ fault: CELFault) -> CELFailure {
    CELFailure(
      offset: Int(span.start), length: Int(span.end) - Int(span.start), message: fault.message,
      help: fault.help)
  }
}

/// The state of one evaluation.
struct Frame {
  let slots: any CELSlots
  /// The variables of macros, by number.
  var locals: [Value]
  var meter = Meter()
  /// The number of calls so far that have a random result.
  var randomCalls = 0

  init(slots: any CELSlots, localCount: Int) {
    self.slots = slots
    locals = localCount == 0 ? [] : [Value](repeating: .null, count: localCount)
  }
}

/// The budget of one evaluation.
struct Meter: Sendable {
  private var steps = CELLimits.steps

  /// Pays for work that grows with the size of the values.
  @inline(__always)
  mutating func spend(_ count: Int) throws(CELFault) {
    guard count <= steps else {
      steps = 0
      throw .outOfSteps
    }
    steps -= count
  }

  /// Pays for a text or byte string of this size.
  mutating func make(bytes count: Int) throws(CELFault) {
    if count > CELLimits.textSize { throw .textTooLarge }
    try spend(count >> 4)
  }

  /// Pays for a list or a map of this size.
  mutating func make(elements count: Int) throws(CELFault) {
    if count > CELLimits.elements { throw .tooManyElements }
    try spend(count)
  }
}

/// The reason why a function or an operator gave no value. The caller adds the place.
package struct CELFault: Error, Sendable, Equatable {
  package var message: String
  /// The text to write instead.
  package var help: String?

  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

extension CELFault {
  static let outOfSteps = CELFault(
    "this expression takes more than \(CELLimits.steps) steps; it was stopped")
  static let textTooLarge = CELFault(
    "this would make a text of more than \(CELLimits.textSize) bytes; it was stopped")
  static let tooManyElements = CELFault(
    "this would make more than \(CELLimits.elements) elements; it was stopped")

  /// Returns the fault of a function or operator that does not take values of these types.
  static func noOverload(_ name: String, _ values: Value...) -> CELFault {
    noOverload(name, values)
  }

  static func noOverload(_ name: String, _ values: [Value]) -> CELFault {
    for case .digits(let text) in values { return beyondRange(text) }
    let types = values.map { CELType(of: $0).description }.joined(separator: ", ")
    return CELFault("no such overload: `\(name)` does not take (\(types))")
  }
}

final class ConstantNode: Node {
  private let value: Value
  private let hasHiddenKeys: Bool

  init(_ value: Value, hidesKeys: Bool = false, _ span: Span) {
    self.value = value
    hasHiddenKeys = hidesKeys
    super.init(span)
  }

  override var constant: Value? { value }

  override var hidesKeys: Bool { hasHiddenKeys }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value { value }
}

final class SlotNode: Node {
  private let slot: Int

  init(_ slot: Int, _ span: Span) {
    self.slot = slot
    super.init(span)
  }

  override var isRead: Bool { true }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    frame.slots.value(of: slot)
  }
}

/// The node of a random number, which a function with a random result gets.
///
/// A slot that keeps its value, as in an assertion, still gives each call a number of its own.
final class RandomNode: Node {
  private let slot: Int

  init(_ slot: Int, _ span: Span) {
    self.slot = slot
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    guard case .int(let drawn) = frame.slots.value(of: slot) else { return .int(0) }
    frame.randomCalls += 1
    return .int(RandomFunctions.number(drawn, ofCall: frame.randomCalls))
  }
}

final class LocalNode: Node {
  private let number: Int

  init(_ number: Int, _ span: Span) {
    self.number = number
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    frame.locals[number]
  }
}

/// A node in place of a mistake that the checker would have reported.
final class FailNode: Node {
  private let message: String

  init(_ message: String, _ span: Span) {
    self.message = message
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    throw failure(CELFault(message))
  }
}

/// The node of `cel.bind`, which names a value while a body is evaluated.
final class BindNode: Node {
  private let number: Int
  private let value: Node
  private let body: Node

  init(_ number: Int, _ value: Node, _ body: Node, _ span: Span) {
    self.number = number
    self.value = value
    self.body = body
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    frame.locals[number] = try value.evaluate(&frame)
    return try body.evaluate(&frame)
  }
}
