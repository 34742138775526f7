import ScenarioPlan
import Values

extension JudgeSlots {
  /// Drops the pending captures after the first ones.
  func dropCaptures(after count: Int) {
    if pendingCaptures.count > count { pendingCaptures.removeLast(pendingCaptures.count - count) }
  }

  /// Returns a matcher as a value that can be shown, with its expressions evaluated if they can be.
  func shown(_ matcher: MatcherPlan) -> Value {
    switch matcher.content {
    case .value(let data): return shown(data)
    case .list(let elements): return .list(elements.map { shown($0) })
    case .map(let entries): return .map(ValueMap(entries.map { ($0.key, shown($0.matcher)) }))
    case .operators(let operators):
      if case .data(.status, let data)? = operators.first?.kind { return shown(data) }
      return .map(ValueMap(operators.map { (.string($0.name), shown($0)) }))
    }
  }

  func shown(_ data: DataPlan) -> Value {
    if case .success(let value) = evaluate(data) { return value }
    guard case .expression(let expression) = data.content else { return .string("…") }
    return .string("${" + expression.origin.text + "}")
  }

  private func shown(_ plan: OperatorPlan) -> Value {
    switch plan.kind {
    case .any, .absent: true
    case .type(let type): .string(type.rawValue)
    case .capture: .string("…")
    case .regex(let pattern, _): .string(pattern.text)
    case .data(_, let data): shown(data)
    case .inner(_, let matcher): shown(matcher)
    case .list(_, let matchers): .list(matchers.map { shown($0) })
    case .where(let expression): .string(expression.origin.text)
    case .schema: .string("…")
    }
  }
}
