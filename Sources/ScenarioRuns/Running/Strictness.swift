import Verdicts

extension FileResult {
  /// Keeps only those parts of a scenario that no row of its table has exercised. A part that some
  /// rows need is exercised by the scenario.
  mutating func keepCommonParts(from first: Int) {
    guard scenarios.count - first > 1 else { return }
    let held = scenarios[first...].map(\.verdict).filter { $0.failures.isEmpty }
    let common = held.dropFirst().reduce(Set(held.first?.neverExercised.map(\.range) ?? [])) {
      $0.intersection($1.neverExercised.map(\.range))
    }
    for index in scenarios.indices[first...] {
      scenarios[index].verdict.neverExercised.removeAll { !common.contains($0.range) }
    }
  }

  /// Fails the last row of a scenario if parts of it were never exercised; true if it did.
  mutating func applyStrictness(from first: Int) -> Bool {
    guard let last = scenarios.indices[first...].last else { return false }
    let strict = scenarios[last].verdict.strict()
    let fails = strict.outcome != scenarios[last].verdict.outcome
    scenarios[last].verdict = strict
    return fails
  }
}
