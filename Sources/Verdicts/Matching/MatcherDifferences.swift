import Diagnostics
import JSONSchemas
import ScenarioPlan
import Values

/// The number of listed differences of one value; the others are counted.
let differencesListed = 12

extension AssertionState {
  /// All that differs, for a report.
  func differences(
    _ first: Mismatch, of value: Value, with plan: MatcherPlan, in open: OpenAssertion
  ) -> Differences {
    load(open)
    slots.pendingCaptures.removeAll()
    defer { slots.pendingCaptures.removeAll() }
    return Differences(first: first, of: value, with: plan, by: matcher)
  }
}

extension Differences {
  init(first: Mismatch, of value: Value, with plan: MatcherPlan, by matcher: Matcher) {
    var collector = DifferenceCollector(matcher: matcher)
    collector.collect(value, .matcher(plan), [])
    self.init(
      first: first, listed: collector.found.isEmpty ? [first] : collector.found,
      count: max(1, collector.count))
  }
}

extension Differences {
  /// Of two values of which neither may hold more than the other; they are not the same.
  init(of value: Value, and expected: Value, at range: SourceRange, by matcher: Matcher) {
    var collector = DifferenceCollector(matcher: matcher)
    collector.collect(value, .value(expected, range, isExact: true), [])
    let whole = Mismatch(.unequal(expected: expected), range, actual: value)
    self.init(
      first: collector.found.first ?? whole,
      listed: collector.found.isEmpty ? [whole] : collector.found,
      count: max(1, collector.count))
  }
}

/// A matcher, or what an expression gave for a part of one.
private enum Wanted {
  case matcher(MatcherPlan)
  case value(Value, SourceRange, isExact: Bool)

  var acceptsAbsence: Bool {
    switch self {
    case .matcher(let plan): plan.acceptsAbsence
    case .value: false
    }
  }
}

/// Walks a matcher and a value side by side, past the first difference.
private struct DifferenceCollector {
  let matcher: Matcher
  var found: [Mismatch] = []
  var count = 0

  mutating func collect(_ value: Value, _ wanted: Wanted, _ path: [Mismatch.PathStep]) {
    switch wanted {
    case .matcher(let plan): collect(value, plan, path)
    case .value(let expected, let range, let isExact):
      collect(value, expected, range, isExact, path)
    }
  }

  private mutating func collect(
    _ value: Value, _ plan: MatcherPlan, _ path: [Mismatch.PathStep]
  ) {
    switch (plan.content, value) {
    case (.map(let entries), .map(let actual)):
      if let payload = matcher.payload(of: value, namedIn: entries) {
        return collect(payload, .matcher(entries[0].matcher), path + [.key("payload")])
      }
      collect(actual, entries.map { ($0.key, .matcher($0.matcher)) }, path)
    case (.list(let elements), .list(let actual)):
      collect(actual, elements.map { .matcher($0) }, plan.range, path)
    case (.operators(let operators), _):
      for each in operators { collect(value, each, plan, path) }
    case (.value(let data), _):
      collect(value, data, plan, isExact: false, path)
    case (.map, _), (.list, _):
      if let mismatch = matcher.mismatch(of: value, with: plan) { add(mismatch, path) }
    }
  }

  private mutating func collect(
    _ value: Value, _ data: DataPlan, _ whole: MatcherPlan, isExact: Bool,
    _ path: [Mismatch.PathStep]
  ) {
    if case .success(let expected) = matcher.slots.evaluate(data) {
      collect(value, expected, data.range, isExact, path)
    } else if let mismatch = matcher.mismatch(of: value, with: whole) {
      add(mismatch, path)
    }
  }

  private mutating func collect(
    _ value: Value, _ plan: OperatorPlan, _ whole: MatcherPlan, _ path: [Mismatch.PathStep]
  ) {
    guard let mismatch = matcher.mismatch(of: value, withAll: [plan]) else { return }
    switch plan.kind {
    case .inner(.match, let inner): collect(value, .matcher(inner), path)
    case .inner(.text, let inner): collect(.string(textAsSent(value)), .matcher(inner), path)
    case .data(.exactly, let data): collect(value, data, whole, isExact: true, path)
    case .schema(let schema):
      for each in schema.validate(value) {
        add(Mismatch(each, plan.range, actual: value), path)
      }
    case .inner(.each, let inner):
      guard case .list(let elements) = value else { return add(mismatch, path) }
      for (index, element) in elements.enumerated() {
        collect(element, .matcher(inner), path + [.index(index)])
      }
    case .inner(.json, let inner):
      guard let decoded = matcher.jsonValue(of: value) else { return add(mismatch, path) }
      collect(decoded, .matcher(inner), path)
    case .any, .absent, .type, .data, .inner, .list, .regex, .where, .capture:
      add(mismatch, path)
    }
  }

  private mutating func collect(
    _ value: Value, _ expected: Value, _ range: SourceRange, _ isExact: Bool,
    _ path: [Mismatch.PathStep]
  ) {
    switch (expected, value) {
    case (.map(let entries), .map(let actual)):
      collect(actual, entries.map { ($0.key, .value($0.value, range, isExact: isExact)) }, path)
      guard isExact else { return }
      for (key, extra) in actual where entries[key] == nil {
        add(Mismatch(.unexpectedEntry, range, actual: extra), path + [.key(key)])
      }
    case (.list(let elements), .list(let actual)):
      let wanted = elements.map { Wanted.value($0, range, isExact: isExact) }
      collect(actual, wanted, range, path)
    default:
      let wanted = Wanted.value(expected, range, isExact: isExact)
      if let mismatch = mismatch(of: value, with: wanted) { add(mismatch, path) }
    }
  }

  private mutating func collect(
    _ actual: ValueMap, _ entries: [(key: Value, wanted: Wanted)], _ path: [Mismatch.PathStep]
  ) {
    for (key, wanted) in entries {
      if let part = actual[key] {
        collect(part, wanted, path + [.key(key)])
      } else if !wanted.acceptsAbsence {
        let reason = Mismatch.Reason.missingEntry(key, expected: shown(wanted))
        add(Mismatch(reason, range(of: wanted), actual: .map(actual)), path)
      }
    }
  }

  private mutating func collect(
    _ actual: [Value], _ wanted: [Wanted], _ range: SourceRange, _ path: [Mismatch.PathStep]
  ) {
    let matching = self
    let pieces = AlignedLists.pieces(expected: wanted.count, actual: actual.count) {
      matching.fits(actual[$1], wanted[$0])
    }
    let lengths = Mismatch.Lengths(expected: wanted.count, actual: actual.count)
    for piece in pieces {
      switch piece {
      case .pair(let one, let other):
        collect(actual[other], wanted[one], path + [.index(other)])
      case .missing(let places, let place):
        let first = wanted[places.lowerBound]
        let reason = Mismatch.Reason.missingElements(
          places.count, expected: shown(first), lengths)
        add(Mismatch(reason, self.range(of: first), actual: .list(actual)), path + [.index(place)])
      case .unexpected(let places):
        let reason = Mismatch.Reason.unexpectedElements(places.count, lengths)
        let first = places.lowerBound
        add(Mismatch(reason, range, actual: actual[first]), path + [.index(first)])
      }
    }
  }

  private func fits(_ value: Value, _ wanted: Wanted) -> Bool {
    let captured = matcher.slots.pendingCaptures.count
    if mismatch(of: value, with: wanted) == nil { return true }
    matcher.slots.dropCaptures(after: captured)
    return false
  }

  private func mismatch(of value: Value, with wanted: Wanted) -> Mismatch? {
    switch wanted {
    case .matcher(let plan): return matcher.mismatch(of: value, with: plan)
    case .value(let expected, let range, isExact: true):
      if expected == value { return nil }
      return Mismatch(.unequal(expected: expected), range, actual: value)
    case .value(let expected, let range, isExact: false):
      return matcher.mismatch(of: value, withValue: expected, at: range)
    }
  }

  private func shown(_ wanted: Wanted) -> Value {
    switch wanted {
    case .matcher(let plan): matcher.slots.shown(plan)
    case .value(let value, _, _): value
    }
  }

  private func range(of wanted: Wanted) -> SourceRange {
    switch wanted {
    case .matcher(let plan): plan.range
    case .value(_, let range, _): range
    }
  }

  private mutating func add(_ mismatch: Mismatch, _ path: [Mismatch.PathStep]) {
    count += 1
    guard found.count < differencesListed else { return }
    var mismatch = mismatch
    mismatch.path = path + mismatch.path
    found.append(mismatch)
  }
}
