import CEL
import Values

/// The value of a compiled expression, its slots read as given.
package func evaluate(
  _ expression: ExpressionPlan, in slots: any CELSlots
) -> Result<Value, EvaluationFailure> {
  SlotEvaluator(slots).evaluate(expression)
}

/// The value of data, its expressions evaluated in the order they were written.
package func evaluate(
  _ data: DataPlan, in slots: any CELSlots
) -> Result<Value, EvaluationFailure> {
  SlotEvaluator(slots).evaluate(data)
}

/// Evaluates a condition, which must be true or false.
package func evaluateCondition(
  _ condition: ExpressionPlan, in slots: any CELSlots
) -> Result<Bool, EvaluationFailure> {
  evaluate(condition, in: slots).flatMap { value in
    if case .bool(let holds) = value { return .success(holds) }
    let message = "a condition is true or false, not \(value.display(maxLength: 80))"
    return .failure(EvaluationFailure(range: condition.origin.range, message: message))
  }
}

extension Value {
  /// The kind of a value that is one of several kinds: a word, or a map of one entry.
  package var kind: String {
    switch self {
    case .string(let word): return word
    case .map(let map):
      if map.count == 1, case .string(let word)? = map.first?.key { return word }
      return "map"
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .list, .timestamp, .duration, .type,
      .optional:
      return kindName
    }
  }
}
