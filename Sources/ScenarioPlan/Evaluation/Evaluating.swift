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

/// Evaluates expressions: with the values of a run, or with those that its log has kept.
package protocol Evaluating {
  func evaluate(_ expression: ExpressionPlan) -> Result<Value, EvaluationFailure>
}

extension Evaluating {
  /// Returns the value of data, its expressions evaluated in the order they were written.
  package func evaluate(_ data: DataPlan) -> Result<Value, EvaluationFailure> {
    switch data.content {
    case .constant(let value): .success(value)
    case .expression(let expression): evaluate(expression)
    case .text, .list, .map: made(data)
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
    case .expression(let expression): return try evaluate(expression).get()
    case .text(let parts): return .string(try text(of: parts))
    case .list(let elements):
      var values: [Value] = []
      for element in elements { values.append(try part(element)) }
      return .list(values)
    case .map(let entries):
      var map = ValueMap(minimumCapacity: entries.count)
      for entry in entries { map[entry.key] = try part(entry.value) }
      return .map(map)
    }
  }

  private func text(of parts: [TextPartPlan]) throws(EvaluationFailure) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .expression(let expression): text += try evaluate(expression).get().plainText
      }
    }
    return text
  }
}

/// Evaluates with nothing but slots.
package struct SlotEvaluator: Evaluating {
  private let slots: any CELSlots

  package init(_ slots: any CELSlots) { self.slots = slots }

  package func evaluate(_ expression: ExpressionPlan) -> Result<Value, EvaluationFailure> {
    switch expression.program.evaluate(slots) {
    case .success(let value):
      guard let limitViolation = value.limitViolation else { return .success(value) }
      return .failure(EvaluationFailure(range: expression.origin.range, message: limitViolation))
    case .failure(let failure):
      let range = expression.origin.range(offset: failure.offset, length: failure.length)
      return .failure(EvaluationFailure(range: range, message: failure.message))
    }
  }
}
