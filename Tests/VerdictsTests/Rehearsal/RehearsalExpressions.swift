import CEL
import Diagnostics
import ScenarioSpec
import Values

@testable import ScenarioPlan

extension Rehearsal {
  /// Compiles an expression over the sources, `value`, and every other name as a capture.
  func expression(_ text: String) -> ExpressionPlan {
    let range = write(text)
    var scope = CELScope()
    scope.declare("value", slot: slot(.matched))
    for (node, plan) in plan.nodes.withIDs {
      scope.declare(plan.name, slot: slot(.node(node)))
    }
    for (id, capture) in plan.captures.withIDs {
      scope.declare(capture.name, slot: slot(.capture(id)))
    }
    switch compileCEL(text, scope: scope) {
    case .success(let program):
      return ExpressionPlan(origin: ExpressionText(text, range), program: program)
    case .failure(let problems):
      fatalError("\(problems.all.map(\.message))")
    }
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
    let comparisons: [String: DataTest.Comparison] = [
      "$gt": .greaterThan, "$gte": .atLeast, "$lt": .lessThan, "$lte": .atMost,
    ]
    if let comparison = comparisons[name] { return .data(.compare(comparison), data(value)) }
    switch name {
    case "$exactly": return .data(.exactly, data(value))
    case "$regex": return .regex(pattern(value.plainText), groups: [])
    case "$text": return .inner(.text, matcher(value))
    case "$in": return .list(.oneOf, list(value))
    case "$not": return .inner(.not, matcher(value))
    case "$size": return .inner(.size, matcher(value))
    case "$contains": return .inner(.contains, matcher(value))
    case "$each": return .inner(.each, matcher(value))
    case "$anyOrder": return .list(.anyOrder, list(value))
    case "$json": return .inner(.json, matcher(value))
    case "$startsWith": return .data(.affix(.start), data(value))
    case "$endsWith": return .data(.affix(.end), data(value))
    case "$type": return .type(type(value.plainText))
    case "$eachLike": return .data(.eachLike, data(value))
    case "$absent":
      _ = write("true")
      return .absent
    case "$match": return .inner(.match, matcher(value))
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

  private func type(_ name: String) -> TypeName {
    _ = write(name)
    guard let type = TypeName(rawValue: name) else { fatalError("there is no type \(name)") }
    return type
  }

  private func data(_ value: Value) -> DataPlan {
    DataPlan(.constant(value), write(value.display))
  }

  private func pattern(_ text: String) -> CELPattern {
    _ = write(text)
    switch CELPattern.compile(text) {
    case .success(let pattern): return pattern
    case .failure(let fault): fatalError(fault.message)
    }
  }
}
