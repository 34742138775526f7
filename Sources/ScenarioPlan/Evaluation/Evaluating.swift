import CEL
import Diagnostics
import Values

/// An expression that could not be evaluated, and the place of the part that failed.
package struct EvaluationFailure: Error, Sendable {
  package var range: SourceRange
  package var message: String
  /// The place of the capture that never happened, if that is the reason.
  package var capture: SourceRange?
  /// The text to write instead, if it is known.
  package var help: String?
  /// The values that the expression read by a name.
  package var values: [ReadValue] = []

  package init(
    range: SourceRange, message: String, capture: SourceRange? = nil, help: String? = nil
  ) {
    self.range = range
    self.message = message
    self.capture = capture
    self.help = help
  }

  /// An expression reads a value that no event gave.
  package static func neverCaptured(
    _ name: String, at capture: SourceRange, readAt range: SourceRange
  ) -> EvaluationFailure {
    EvaluationFailure(range: range, message: "`\(name)` was never captured", capture: capture)
  }
}

/// A value that an expression read.
package struct ReadValue: Sendable {
  package var slot: SlotID
  package var value: Value
  /// The address by which the expression names it; nil if it names it otherwise.
  package var address: String?

  package init(slot: SlotID, value: Value, address: String?) {
    self.slot = slot
    self.value = value
    self.address = address
  }
}

/// Evaluates expressions: with the values of a run, or with those that its log has kept.
package protocol Evaluating {
  func evaluate(_ expression: ExpressionPlan) -> Result<Value, EvaluationFailure>
}

extension Evaluating {
  /// Returns the value of data, its expressions evaluated in the order they were written.
  package func evaluate(_ data: DataPlan) -> Result<Value, EvaluationFailure> {
    switch data.content {
    case .constant(let value): .success(value)
    case .expression(let expression):
      data.isText ? evaluate(expression).map(\.scalarAsText) : evaluate(expression)
    case .example(let sent, _): evaluate(sent)
    case .text, .list, .map, .keyedMap: made(data)
    }
  }

  /// Makes a value of data. Its size includes the values in its lists and maps, so that the limit
  /// holds for the complete value.
  private func made(_ data: DataPlan) -> Result<Value, EvaluationFailure> {
    do {
      let value = try part(data)
      guard let limitViolation = value.limitViolation else { return .success(value) }
      return .failure(EvaluationFailure(range: data.range, message: limitViolation))
    } catch {
      return .failure(error)
    }
  }

  private func part(_ data: DataPlan) throws(EvaluationFailure) -> Value {
    switch data.content {
    case .constant(let value): return value
    case .expression: return try evaluate(data).get()
    case .text(let parts): return .string(try text(of: parts, refusingNull: data.isText))
    case .list(let elements):
      var values: [Value] = []
      for element in elements { values.append(try part(element)) }
      return .list(values)
    case .map(let entries):
      var map = ValueMap(minimumCapacity: entries.count)
      for entry in entries { map[entry.key] = try part(entry.value) }
      return .map(map)
    case .keyedMap(let entries): return .map(try map(of: entries))
    case .example(let sent, _): return try part(sent)
    }
  }

  /// Makes a map whose keys have expressions in them. Each key is there once.
  private func map(
    of entries: [(key: DataPlan, value: DataPlan)]
  ) throws(EvaluationFailure) -> ValueMap {
    var map = ValueMap(minimumCapacity: entries.count)
    for entry in entries {
      let key = try part(entry.key)
      guard key.isKey else {
        let message = "a key is text, a whole number or a boolean, not \(key.kindName)"
        throw EvaluationFailure(range: entry.key.range, message: message)
      }
      guard map.updateValue(try part(entry.value), forKey: key) == nil else {
        let text = key.display(maxLength: 60)
        throw EvaluationFailure(range: entry.key.range, message: "the key \(text) is there twice")
      }
    }
    return map
  }

  private func text(
    of parts: [TextPartPlan], refusingNull: Bool
  ) throws(EvaluationFailure) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .expression(let expression):
        let value = try evaluate(expression).get().scalarAsText
        if refusingNull, value == .null { throw .nullInText(at: expression.origin.range) }
        guard let piece = value.plainText(atMost: CELLimits.textSize - text.utf8.count) else {
          throw .textTooLarge(at: expression.origin.range)
        }
        text += piece
      }
    }
    return text
  }
}

extension Value {
  /// The text of a number or a truth value; any other value as it is.
  fileprivate var scalarAsText: Value {
    switch self {
    case .bool, .int, .uint, .double, .digits: sentText.map { .string($0) } ?? .null
    case .optional(let inner): (inner ?? .null).scalarAsText
    case .null, .string, .bytes, .list, .map, .timestamp, .duration, .type: self
    }
  }

  fileprivate var isKey: Bool {
    switch self {
    case .string, .int, .uint, .bool: true
    case .null, .double, .digits, .bytes, .list, .map, .timestamp, .duration, .type, .optional:
      false
    }
  }
}

extension EvaluationFailure {
  /// Null is no part of a text that is sent, and no path or name.
  package static func nullInText(at range: SourceRange) -> EvaluationFailure {
    EvaluationFailure(
      range: range, message: "null has no text: it cannot be a part of one, nor a path or a name",
      help: "write a default, such as `${x == null ? '' : x}`, or leave the whole entry out")
  }

  /// A text with expressions in it has the limit of a text that an expression makes.
  fileprivate static func textTooLarge(at range: SourceRange) -> EvaluationFailure {
    EvaluationFailure(
      range: range,
      message: "this would make a text of more than \(CELLimits.textSize) bytes; it was stopped")
  }
}

/// Evaluates with nothing but slots.
package struct SlotEvaluator: Evaluating {
  private let slots: any CELSlots

  package init(_ slots: any CELSlots) { self.slots = slots }

  package func evaluate(_ expression: ExpressionPlan) -> Result<Value, EvaluationFailure> {
    if expression.captures.isEmpty, expression.derivation == nil {
      return evaluate(expression, in: slots)
    }
    guard let slots = slots as? any PlanSlots else { return evaluate(expression, in: slots) }
    guard let derivation = expression.derivation else { return evaluate(expression, of: slots) }
    let reads = ReadSlots(slots)
    let result = evaluate(expression, of: reads)
    if case .success(let value) = result {
      let secrets = derivation.secrets(in: value, reads)
      if !secrets.isEmpty { slots.note(computedSecrets: secrets, named: derivation.name) }
    }
    return result
  }

  /// Evaluates an expression that may read captures without a value.
  private func evaluate(
    _ expression: ExpressionPlan, of slots: any PlanSlots
  ) -> Result<Value, EvaluationFailure> {
    if expression.captures.isEmpty { return evaluate(expression, in: slots) }
    let watch = CaptureWatch(slots, expression.captures)
    let result = evaluate(expression, in: watch)
    guard let missing = watch.missing else { return result }
    return .failure(
      .neverCaptured(missing.name, at: missing.range, readAt: expression.origin.range))
  }

  private func evaluate(
    _ expression: ExpressionPlan, in slots: any CELSlots
  ) -> Result<Value, EvaluationFailure> {
    switch expression.program.evaluate(slots) {
    case .success(let value):
      guard !expression.program.isRead, let limitViolation = value.limitViolation else {
        return .success(value)
      }
      return .failure(EvaluationFailure(range: expression.origin.range, message: limitViolation))
    case .failure(let failure):
      let range = expression.origin.range(offset: failure.offset, length: failure.length)
      var found = EvaluationFailure(range: range, message: failure.message, help: failure.help)
      found.values = expression.program.addresses.map { read in
        ReadValue(slot: SlotID(read.slot), value: slots.value(of: read.slot), address: read.name)
      }
      return .failure(found)
    }
  }
}

/// Slots that notice when an expression reads a capture without a value.
private final class CaptureWatch: CELSlots {
  private let slots: any PlanSlots
  private let captures: [CaptureRead]
  private(set) var missing: CaptureRead?

  init(_ slots: any PlanSlots, _ captures: [CaptureRead]) {
    self.slots = slots
    self.captures = captures
  }

  func value(of slot: Int) -> Value {
    let slot = SlotID(slot)
    if missing == nil, let read = captures.first(where: { $0.slot == slot }),
      !slots.isCaptured(slot)
    {
      missing = read
    }
    return slots.value(of: slot)
  }
}
