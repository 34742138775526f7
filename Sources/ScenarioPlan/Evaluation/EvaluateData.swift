import CEL
import Diagnostics
import Values

/// An expression that could not be evaluated, and the place of the part that failed.
package struct EvaluationFailure: Error, Sendable {
  package var range: SourceRange
  package var message: String

  package init(range: SourceRange, message: String) {
    self.range = range
    self.message = message
  }
}

/// The value of a compiled expression, its slots read as given.
package func evaluate(
  _ expression: ExpressionPlan, in slots: some CELSlots
) -> Result<Value, EvaluationFailure> {
  switch expression.program.evaluate(slots) {
  case .success(let value):
    if let limitViolation = value.limitViolation {
      return .failure(EvaluationFailure(range: expression.origin.range, message: limitViolation))
    }
    return .success(value)
  case .failure(let failure):
    let range = expression.origin.range(offset: failure.offset, length: failure.length)
    return .failure(EvaluationFailure(range: range, message: failure.message))
  }
}

/// What a condition gives, which must be true or false.
package func evaluateCondition(
  _ condition: ExpressionPlan, in slots: some CELSlots
) -> Result<Bool, EvaluationFailure> {
  evaluate(condition, in: slots).flatMap { value in
    if case .bool(let holds) = value { return .success(holds) }
    let message = "a condition is true or false, not \(value.display)"
    return .failure(EvaluationFailure(range: condition.origin.range, message: message))
  }
}

/// The value of data, its expressions evaluated in the order they were written.
package func evaluate(
  _ data: DataPlan, in slots: some CELSlots
) -> Result<Value, EvaluationFailure> {
  do {
    let value = try value(of: data, in: slots)
    if data.isMade, let limitViolation = value.limitViolation {
      return .failure(EvaluationFailure(range: data.range, message: limitViolation))
    }
    return .success(value)
  } catch {
    return .failure(error)
  }
}

extension DataPlan {
  /// Whether it puts values into lists and maps, which makes them larger.
  fileprivate var isMade: Bool {
    switch content {
    case .list, .map: true
    case .constant, .expression, .text: false
    }
  }
}

private func value(
  of data: DataPlan, in slots: some CELSlots
) throws(EvaluationFailure) -> Value {
  switch data.content {
  case .constant(let value): return value
  case .expression(let expression): return try evaluate(expression, in: slots).get()
  case .text(let parts): return .string(try text(of: parts, in: slots))
  case .list(let elements):
    var values: [Value] = []
    for element in elements { values.append(try value(of: element, in: slots)) }
    return .list(values)
  case .map(let entries):
    var map = ValueMap(minimumCapacity: entries.count)
    for entry in entries { map[entry.key] = try value(of: entry.value, in: slots) }
    return .map(map)
  }
}

private func text(
  of parts: [TextPartPlan], in slots: some CELSlots
) throws(EvaluationFailure) -> String {
  var text = ""
  for part in parts {
    switch part {
    case .literal(let literal): text += literal
    case .expression(let expression):
      text += try evaluate(expression, in: slots).get().plainText
    }
  }
  return text
}

extension Value {
  /// The kind of a value that is one of several kinds: a word, or a map of one entry.
  package var kind: String {
    switch self {
    case .string(let word): return word
    case .map(let map):
      if map.count == 1, case .string(let word)? = map.first?.key { return word }
      return "map"
    case .null, .bool, .int, .uint, .double, .bytes, .list, .timestamp, .duration, .type,
      .optional:
      return kindName
    }
  }
}
