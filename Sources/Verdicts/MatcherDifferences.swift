import ScenarioPlan
import Values

/// How many differences of one value are listed.
let differencesListed = 6

extension Judgement {
  /// All that differs, for a report; the first is the mismatch that was found.
  func differences(
    _ first: Mismatch, of value: Value, with plan: MatcherPlan, in open: OpenAssertion
  ) -> Differences {
    load(open)
    slots.fresh.removeAll()
    var collector = DifferenceCollector(matcher: matcher)
    collector.collect(value, plan, [])
    slots.fresh.removeAll()
    return Differences(first: first, others: Array(collector.found.dropFirst()))
  }
}

/// Walks a matcher and a value side by side, past the first difference.
private struct DifferenceCollector {
  let matcher: Matcher
  var found: [Mismatch] = []

  mutating func collect(_ value: Value, _ plan: MatcherPlan, _ path: [Mismatch.PathStep]) {
    guard found.count < differencesListed else { return }
    switch (plan.content, value) {
    case (.map(let entries), .map(let actual)) where !isEventByName(value, entries):
      for (key, inner) in entries {
        if let part = actual[key] {
          collect(part, inner, path + [.key(key)])
        } else {
          add(Mismatch(.missingEntry(key), inner.range, actual: value), path)
        }
      }
    case (.list(let elements), .list(let actual)):
      if elements.count != actual.count {
        let reason = Mismatch.Reason.length(expected: elements.count, actual: actual.count)
        add(Mismatch(reason, plan.range, actual: value), path)
      }
      for (index, inner) in elements.enumerated() where index < actual.count {
        collect(actual[index], inner, path + [.index(index)])
      }
    default:
      if let mismatch = matcher.mismatch(of: value, with: plan) { add(mismatch, path) }
    }
  }

  private func isEventByName(
    _ value: Value, _ entries: [(key: Value, matcher: MatcherPlan)]
  ) -> Bool {
    guard entries.count == 1, let event = NamedEvent(value) else { return false }
    return entries[0].key == .string(event.name)
  }

  private mutating func add(_ mismatch: Mismatch, _ path: [Mismatch.PathStep]) {
    guard found.count < differencesListed else { return }
    var mismatch = mismatch
    mismatch.path = path + mismatch.path
    found.append(mismatch)
  }
}
