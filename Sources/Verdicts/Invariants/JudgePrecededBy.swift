import Events
import ScenarioPlan
import Values

/// A `precededBy`, and the last events that may come before others.
struct Precedence {
  struct Earlier {
    var event: EventID
    var time: Microseconds
  }

  let invariant: InvariantID
  let when: [SourceMatcherPlan]
  let once: [KeyedMatcherPlan]
  let within: Microseconds?
  /// By matcher of `once`: the last event with each key.
  var earlier: [KeyedState<Earlier>]
  /// True once an event needed one before it.
  var hasAsked = false

  init(
    invariant: InvariantID, when: [SourceMatcherPlan], once: [KeyedMatcherPlan],
    within: Microseconds?
  ) {
    self.invariant = invariant
    self.when = when
    self.once = once
    self.within = within
    earlier = once.map { _ in KeyedState() }
  }
}

extension AssertionState {
  /// An event needs one before it, and may be the one that others need.
  mutating func precede(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let invariant = invariants.precedences[entry].invariant
    if let captured = captures(emission, invariants.precedences[entry].when, invariant) {
      invariants.precedences[entry].hasAsked = true
      look(back: entry, captured, emission)
    }
    for place in invariants.precedences[entry].once.indices where areInvariantsJudged {
      remember(entry, place, emission)
    }
  }

  private mutating func look(
    back entry: Int, _ captured: PerID<CapturePlan, Value?>, _ emission: EmissionBuffer.Emission
  ) {
    let precedence = invariants.precedences[entry]
    var last: Precedence.Earlier?
    for (matcher, earlier) in zip(precedence.once, precedence.earlier) {
      guard let found = earlier[captured.values(of: matcher.key)] else { continue }
      if found.event > last?.event ?? .first || last == nil { last = found }
    }
    let limit = last.flatMap { last in
      precedence.within.map {
        TimeLimit(base: last.time, span: $0, slack: invariants.slack)
      }
    }
    if last != nil, emission.time <= limit?.end ?? .max { return }
    load(precedence.invariant, captures: captured)
    let awaited = precedence.once.map {
      (
        source: $0.matcher.source,
        expected: slots.shown($0.matcher.matcher.withValues(of: captured))
      )
    }
    breakInvariant(
      precedence.invariant, .notPreceded(awaited, last: last?.event, limit),
      at: emission.sequence)
  }

  private mutating func remember(
    _ entry: Int, _ place: Int, _ emission: EmissionBuffer.Emission
  ) {
    // A copy of the whole would be one of all keys, as soon as one is set.
    let once = invariants.precedences[entry].once[place]
    let invariant = invariants.precedences[entry].invariant
    guard let captured = captures(emission, [once.matcher], invariant) else { return }
    let state = Precedence.Earlier(event: emission.sequence, time: emission.time)
    let within = invariants.precedences[entry].within
    let first = within.map { emission.time - $0 - invariants.slack } ?? .min
    let isKept = invariants.precedences[entry].earlier[place].set(
      state, for: captured.values(of: once.key), removing: { $0.time < first })
    if !isKept { reachInvariantLimit(.keys, at: emission.sequence) }
  }
}

extension PerID<CapturePlan, Value?> {
  /// The values of these captures; what was not captured is null.
  func values(of captures: [CaptureID]) -> [Values.Value] {
    captures.map { $0 < endIndex ? self[$0] ?? .null : .null }
  }
}

extension MatcherPlan {
  /// Returns the matcher with the values that it is compared with in place of `$as`.
  fileprivate func withValues(of captured: PerID<CapturePlan, Value?>) -> MatcherPlan {
    switch content {
    case .value: return self
    case .list(let elements):
      return MatcherPlan(.list(elements.map { $0.withValues(of: captured) }), range)
    case .map(let entries):
      return MatcherPlan(
        .map(entries.map { ($0.key, $0.matcher.withValues(of: captured)) }), range)
    case .operators(let operators):
      guard operators.count == 1, case .capture(let id) = operators[0].kind else { return self }
      let value = captured.values(of: [id])[0]
      return MatcherPlan(.value(DataPlan(.constant(value), range)), range)
    }
  }
}
