import Events
import ScenarioPlan
import Values

/// Subscriptions to streams, compared with diagrams.
extension AssertionState {
  mutating func subscribed(_ source: SourceID, _ number: Int, _ event: Event) {
    subscriptions.append(SubscriptionSeen(source: source, number: number, began: event.time))
  }

  mutating func unsubscribed(_ source: SourceID, _ number: Int, _ event: Event) {
    let place = subscriptions.lastIndex {
      $0.source == source && $0.number == number && $0.ended == nil
    }
    if let place { subscriptions[place].ended = event.time }
  }

  /// Returns the first difference between diagrams and the subscriptions since the beginning of
  /// the span; nil if they agree.
  func difference(
    _ open: OpenAssertion, _ chain: Int, _ sequence: SequencePlan,
    _ diagrams: [SubscriptionMarblePlan], until end: Microseconds
  ) -> SubscriptionDifference? {
    let zero = open.chains[chain].zero
    let seen = subscriptions.filter {
      $0.source == sequence.source && $0.began >= zero && $0.began <= end
    }
    let wanted = diagrams.filter { $0.subscribed != nil }
    let place = (0..<max(seen.count, wanted.count)).first { place in
      guard let plan = wanted[ifPresent: place], let one = seen[ifPresent: place] else {
        return true
      }
      return !isSame(one, plan, zero, end)
    }
    return place.map { place in
      SubscriptionDifference(
        source: sequence.source, range: sequence.range, zero: zero, end: end, wanted: wanted,
        seen: seen, place: place)
    }
  }

  private func isSame(
    _ seen: SubscriptionSeen, _ plan: SubscriptionMarblePlan, _ zero: Microseconds,
    _ end: Microseconds
  ) -> Bool {
    let ended = seen.ended.flatMap { $0 <= end ? $0 : nil }
    return isAt(plan.subscribed, seen.began, zero) && isAt(plan.unsubscribed, ended, zero)
  }

  private func isAt(
    _ tick: Microseconds?, _ time: Microseconds?, _ zero: Microseconds
  ) -> Bool {
    guard let tick, let time else { return tick == nil && time == nil }
    return isDue(time, by: TimeLimit(base: zero, span: tick))
  }
}

extension SubscriptionMarblePlan {
  /// The time of the diagram's last tick.
  var end: Microseconds {
    let named = max(subscribed ?? 0, unsubscribed ?? 0)
    return max(named, DiagramCells(diagram.value, tick: tick, hasZero: false).end)
  }
}
