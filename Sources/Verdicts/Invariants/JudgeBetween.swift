import Events
import ScenarioPlan
import Values

/// A `between`, and the times that have begun and not ended.
struct Intervals {
  struct Open {
    var event: EventID
    var captures: PerID<CapturePlan, Value?>
  }

  let invariant: InvariantID
  let plan: BetweenPlan
  /// In the order of the log.
  var open: [Open] = []
  /// True once a time has begun.
  var hasBegun = false
}

extension AssertionState {
  /// An event may end times, must not come in those that go on, and may begin one.
  mutating func pass(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let (invariant, plan) = (
      invariants.intervals[entry].invariant, invariants.intervals[entry].plan
    )
    if !invariants.intervals[entry].open.isEmpty {
      endIntervals(entry, emission)
      forbid(entry, plan.rule.matchers, emission)
    }
    guard areInvariantsJudged, let captured = captures(emission, plan.when, invariant) else {
      return
    }
    invariants.intervals[entry].hasBegun = true
    if invariants.intervals[entry].open.contains(where: { $0.captures == captured }) { return }
    guard invariants.intervals[entry].open.count < InvariantLimit.open.value else {
      return reachInvariantLimit(.open, at: emission.sequence)
    }
    invariants.intervals[entry].open.append(
      Intervals.Open(event: emission.sequence, captures: captured))
  }

  private mutating func endIntervals(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let (invariant, plan) = (
      invariants.intervals[entry].invariant, invariants.intervals[entry].plan
    )
    guard plan.until.contains(where: { $0.source == emission.source }) else { return }
    invariants.intervals[entry].open = invariants.intervals[entry].open.filter { open in
      !plan.until.contains { matches(emission, $0, invariant, captures: open.captures) }
    }
  }

  private mutating func forbid(
    _ entry: Int, _ forbidden: [SourceMatcherPlan], _ emission: EmissionBuffer.Emission
  ) {
    let invariant = invariants.intervals[entry].invariant
    let broken = invariants.intervals[entry].open.first { open in
      forbidden.contains { matches(emission, $0, invariant, captures: open.captures) }
    }
    guard let broken else { return }
    breakInvariant(invariant, .forbidden(since: broken.event), at: emission.sequence)
  }

  /// A change is complete in times that go on.
  mutating func sampleIntervals(of invariant: InvariantID, _ event: Event) {
    guard let intervals = invariants.intervals.first(where: { $0.invariant == invariant }),
      let condition = intervals.plan.rule.condition
    else { return }
    for open in intervals.open {
      load(invariant, captures: open.captures)
      if case .success(.bool(true)) = slots.evaluate(condition) { continue }
      return breakInvariant(
        invariant, .condition(readCondition(condition), since: open.event), at: event.sequence)
    }
  }
}
