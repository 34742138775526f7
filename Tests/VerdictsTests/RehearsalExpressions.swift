import CEL
import Diagnostics
import ScenarioPlan
import ScenarioSpec
import Values

extension Rehearsal {
  /// Compiles an expression over the sources, the captures and `value`.
  func expression(_ text: String) -> ExpressionPlan {
    let range = write(text)
    let sides = text.split(separator: " ").map(String.init)
    let name = sides[0]
    let slot: SlotID
    if name == "value" {
      slot = self.slot(.matched)
    } else if plan.sources.contains(where: { $0.name == name }) {
      slot = self.slot(.node(id(name)))
    } else {
      slot = self.slot(.capture(capture(name)))
    }
    let wanted = sides.count > 2 ? Int(sides[2]).map(Value.int) : nil
    let op = sides.count > 1 ? sides[1] : ""
    let program = CELProgram { slots in
      let value = slots.value(of: slot)
      switch op {
      case "==": return .success(.bool(value == wanted))
      case ">":
        guard case .int(let a) = value, case .int(let b)? = wanted else {
          return .failure(CELFailure(offset: 0, length: text.utf8.count, message: "no overload"))
        }
        return .success(.bool(a > b))
      default: return .success(value)
      }
    }
    return ExpressionPlan(origin: ExpressionText(text, range), program: program)
  }

  func operators(_ map: ValueMap) -> [OperatorPlan] {
    text += "{ "
    defer { text += " }" }
    return map.enumerated().map { index, entry in
      text += index > 0 ? ", " : ""
      let start = text.utf8.count
      let name = entry.key.plainText
      text += name + ": "
      let kind = kind(name, entry.value)
      return OperatorPlan(kind: kind, name: name, range: range(from: start))
    }
  }

  private func kind(_ name: String, _ value: Value) -> OperatorPlan.Kind {
    let comparisons: [String: OperatorPlan.Comparison] = [
      "$gt": .greaterThan, "$gte": .atLeast, "$lt": .lessThan, "$lte": .atMost,
    ]
    if let comparison = comparisons[name] { return .compare(comparison, data(value)) }
    switch name {
    case "$exactly": return .exactly(data(value))
    case "$regex": return .regex(pattern(value.plainText))
    case "$text": return .text(matcher(value))
    case "$in": return .oneOf(list(value))
    case "$not": return .not(matcher(value))
    case "$size": return .size(matcher(value))
    case "$contains": return .contains(matcher(value))
    case "$match": return .match(matcher(value))
    case "$where": return .where(expression(value.plainText))
    case "$as":
      _ = write(value.plainText)
      return .capture(capture(value.plainText))
    default:
      _ = write("true")
      return .any
    }
  }

  private func list(_ value: Value) -> [MatcherPlan] {
    guard case .list(let values) = value else { return [] }
    return elements(values)
  }

  private func data(_ value: Value) -> DataPlan {
    DataPlan(.constant(value), write(value.display))
  }

  private func pattern(_ text: String) -> CELPattern {
    _ = write(text)
    return CELPattern(text: text) { $0.utf8.contains(text.utf8) }
  }
}
