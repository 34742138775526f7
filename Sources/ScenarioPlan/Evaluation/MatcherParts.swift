import TextSearch

/// The parts of matchers that stand for values of a run.
extension MatcherPlan {
  /// The expressions of `$where`, however deep.
  var conditions: [ExpressionPlan] {
    switch content {
    case .value: []
    case .list(let elements): elements.flatMap(\.conditions)
    case .map(let entries): entries.flatMap(\.matcher.conditions)
    case .operators(let operators): operators.flatMap(\.conditions)
    }
  }

  /// Returns the matcher with other data in place of its data.
  package func mapData<Failure>(
    _ change: (DataPlan) throws(Failure) -> DataPlan
  ) throws(Failure) -> MatcherPlan {
    switch content {
    case .value(let data): return MatcherPlan(.value(try change(data)), range)
    case .list(let elements):
      return MatcherPlan(.list(try all(elements, change)), range)
    case .map(let entries):
      var changed: [Entry] = []
      for entry in entries { changed.append((entry.key, try entry.matcher.mapData(change))) }
      return MatcherPlan(.map(changed), range)
    case .operators(let operators):
      var changed: [OperatorPlan] = []
      for part in operators { changed.append(try part.mapData(change)) }
      return MatcherPlan(.operators(changed), range)
    }
  }
}

extension OperatorPlan {
  fileprivate var conditions: [ExpressionPlan] {
    if case .where(let condition) = kind { [condition] } else { matchers.flatMap(\.conditions) }
  }

  fileprivate func mapData<Failure>(
    _ change: (DataPlan) throws(Failure) -> DataPlan
  ) throws(Failure) -> OperatorPlan {
    var changed = self
    changed.kind = try mapKind(change)
    return changed
  }

  private func mapKind<Failure>(
    _ change: (DataPlan) throws(Failure) -> DataPlan
  ) throws(Failure) -> Kind {
    switch kind {
    case .any, .absent, .type, .regex, .where, .capture, .schema: kind
    case .data(let test, let data): .data(test, try change(data))
    case .inner(let test, let matcher): .inner(test, try matcher.mapData(change))
    case .list(let test, let matchers): .list(test, try all(matchers, change))
    }
  }
}

private func all<Failure>(
  _ matchers: [MatcherPlan], _ change: (DataPlan) throws(Failure) -> DataPlan
) throws(Failure) -> [MatcherPlan] {
  var changed: [MatcherPlan] = []
  for matcher in matchers { changed.append(try matcher.mapData(change)) }
  return changed
}
