import Events
import ScenarioPlan
import Values

/// A `count`, and the events that lie in the time up to now.
struct EventCounts {
  struct Counted {
    var event: EventID
    var time: Microseconds
  }

  /// The events with one key.
  struct OfKey {
    /// Those that lie in the time up to the last, in their order, if any number is too many. What
    /// lies before `first` is over.
    var recent: [Counted] = []
    var first = 0
    var total = 0
    var last: Microseconds = 0
  }

  /// An event after which others must come.
  struct Awaiting {
    var event: EventID
    var time: Microseconds
    var key: [Value]
    /// The number of events with this key that must have come by then.
    var needed: Int
  }

  let invariant: InvariantID
  let plan: EventCountPlan
  var slack: Microseconds = 0
  var byKey = KeyedState<OfKey>()
  /// In the order in which their times end. What lies before `firstAwaiting` is done.
  private(set) var awaiting: [Awaiting] = []
  private var firstAwaiting = 0
  /// True once an event was counted.
  var hasCounted = false
  var foundLate: Microseconds?

  init(invariant: InvariantID, plan: EventCountPlan) {
    self.invariant = invariant
    self.plan = plan
  }

  /// The event after which too few have come so far.
  var first: Awaiting? { firstAwaiting < awaiting.count ? awaiting[firstAwaiting] : nil }

  var limit: TimeLimit? {
    guard let first, let per = plan.per else { return nil }
    return TimeLimit(base: first.time, span: per, slack: slack)
  }

  var lastMoment: Microseconds { limit?.end ?? .max }

  /// The number of events whose time goes on.
  var awaitingCount: Int { awaiting.count - firstAwaiting }

  /// Adds an event after which others must come.
  mutating func add(_ entry: Awaiting) {
    awaiting.append(entry)
    while let first, byKey[first.key]?.total ?? 0 >= first.needed { firstAwaiting += 1 }
    guard firstAwaiting > 1_024, firstAwaiting * 2 > awaiting.count else { return }
    awaiting.removeFirst(firstAwaiting)
    firstAwaiting = 0
  }
}

extension AssertionState {
  mutating func count(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let (invariant, plan) = (invariants.counts[entry].invariant, invariants.counts[entry].plan)
    guard let captured = captures(emission, plan.when, invariant) else { return }
    invariants.counts[entry].hasCounted = true
    let key = captured.values(of: plan.key)
    if isLate(entry, key) { return leaveTooFew(entry, answeredBy: emission.sequence) }
    let isKept = invariants.counts[entry].byKey.update(
      key, from: EventCounts.OfKey(), removing: { $0.isOver(plan, at: emission.time) },
      { $0.add(emission, plan) })
    guard isKept, let state = invariants.counts[entry].byKey[key] else {
      return reachInvariantLimit(.keys, at: emission.sequence)
    }
    if let tooMany = state.tooMany(plan, slack: invariants.slack) {
      return breakInvariant(invariant, tooMany, at: emission.sequence)
    }
    awaitMore(entry, key, state.total, emission)
  }

  private mutating func awaitMore(
    _ entry: Int, _ key: [Value], _ total: Int, _ emission: EmissionBuffer.Emission
  ) {
    guard let atLeast = invariants.counts[entry].plan.atLeast else { return }
    guard invariants.counts[entry].awaitingCount < InvariantLimit.counted.value else {
      return reachInvariantLimit(.counted, at: emission.sequence)
    }
    invariants.counts[entry].add(
      EventCounts.Awaiting(
        event: emission.sequence, time: emission.time, key: key, needed: total + atLeast))
    invariants.updateLimit()
  }

  /// Returns whether too few events with this key had come when their time was over.
  private func isLate(_ entry: Int, _ key: [Value]) -> Bool {
    invariants.counts[entry].foundLate != nil && invariants.counts[entry].first?.key == key
  }

  /// Ends the judging if the time of a `count` is over, and too few events came.
  mutating func expireCounts(before event: Event) -> Bool {
    let places = invariants.counts.indices
    let first = places.min {
      invariants.counts[$0].lastMoment < invariants.counts[$1].lastMoment
    }
    guard let first, invariants.counts[first].lastMoment < event.time else { return false }
    let found = invariants.counts[first].foundLate
    if found == nil { invariants.counts[first].foundLate = event.time }
    guard event.isIdle || found ?? .max < event.time else { return false }
    leaveTooFew(first)
    return true
  }

  mutating func leaveTooFew(_ entry: Int, answeredBy answer: EventID? = nil) {
    let counts = invariants.counts[entry]
    guard let first = counts.first, let limit = counts.limit, let atLeast = counts.plan.atLeast
    else { return }
    let came = (counts.byKey[first.key]?.total ?? 0) - (first.needed - atLeast)
    breakInvariant(
      .brokenInvariant(
        BrokenInvariant(
          invariant: counts.invariant,
          finding: .tooFew(came, atLeast: atLeast, limit, answer: answer), event: first.event)),
      origin: first.event, at: counts.foundLate ?? now)
  }
}

extension EventCounts.OfKey {
  /// Returns whether the events with this key matter no more.
  fileprivate func isOver(_ plan: EventCountPlan, at time: Microseconds) -> Bool {
    guard plan.atLeast == nil, let per = plan.per else { return false }
    return later(last, by: per) <= time
  }

  fileprivate mutating func add(_ emission: EmissionBuffer.Emission, _ plan: EventCountPlan) {
    total += 1
    last = emission.time
    guard plan.atMost != nil else { return }
    let counted = EventCounts.Counted(event: emission.sequence, time: emission.time)
    guard let per = plan.per else {
      if recent.isEmpty { recent.append(counted) }
      return
    }
    recent.append(counted)
    while later(recent[first].time, by: per) <= last { first += 1 }
    guard first > 32, first * 2 > recent.count else { return }
    recent.removeFirst(first)
    first = 0
  }

  /// Returns what is wrong if more events came than may.
  fileprivate func tooMany(
    _ plan: EventCountPlan, slack: Microseconds
  ) -> BrokenInvariant.Finding? {
    guard let atMost = plan.atMost, first < recent.count else { return nil }
    let count = plan.per == nil ? total : recent.count - first
    guard count > atMost else { return nil }
    if let per = plan.per, last - recent[recent.count - 1 - atMost].time >= per - slack {
      return nil
    }
    return .tooMany(first: recent[first].event, count: count, atMost: atMost, per: plan.per)
  }
}
