import Events
import ScenarioPlan
import Values

/// Deadlines of awaited events.
extension AssertionState {
  /// The time an event must have, by `after`.
  func due(_ entry: EventEntryPlan, _ open: OpenAssertion) -> TimeLimit? {
    guard let after = entry.after else { return nil }
    guard let since = entry.since else { return TimeLimit(base: open.previous, span: after) }
    let marks = branches[open.step.branch].marks
    let marked = marks[ifPresent: since] ?? nil
    return TimeLimit(base: marked ?? open.previous, span: after)
  }

  /// Returns a limit with the tolerance that real time needs.
  func timeLimit(_ span: Microseconds, from base: Microseconds) -> TimeLimit {
    let rest = max(0, endOfWaiting - base)
    return TimeLimit(base: base, span: min(span, rest), slack: slack)
  }

  /// The `within` an event of this time came too late for: that of its entry, or of the whole.
  func exceededLimit(
    _ time: Microseconds, _ open: OpenAssertion, ofEntry within: Microseconds? = nil
  ) -> TimeLimit? {
    if let limit = limit(within, open), time > limit.end { return limit }
    return totalLimit(of: open).flatMap { time > $0.end ? $0 : nil }
  }

  /// Returns the limit of an entry, which counts from the one before.
  private func limit(_ within: Microseconds?, _ open: OpenAssertion) -> TimeLimit? {
    within.map { timeLimit($0, from: open.previous) }
  }

  /// Until when an open assertion waits, at most.
  func deadline(of open: OpenAssertion, in branch: BranchID) -> Microseconds? {
    switch assertions[open.assertion].kind {
    case .expectMap(let sequences): stop(of: open, sequences)
    case .expectList(let entries): listStop(open, entries)
    case .never: end(ofNever: open) ?? open.openedAt
    case .eventually: conditionDeadline(open).end
    case .retry: branches[branch].retries.last?.nextTry
    case .check, .fails, .receive, .answer, .snapshot: nil
    }
  }

  /// Returns the time at which a map must be judged again at the latest: a deadline or a tick of a
  /// diagram.
  private func stop(of open: OpenAssertion, _ sequences: [SequencePlan]) -> Microseconds? {
    let deadline = mapDeadline(open, sequences)?.limit.end
    guard open.hasMarbles, let tick = marbleStop(open, sequences) else { return deadline }
    return min(deadline ?? tick, tick)
  }

  private func listStop(_ open: OpenAssertion, _ entries: [EntryPlan]) -> Microseconds? {
    earlier(listDeadline(open, entries)?.limit.end, endOfPatience(open))
  }

  /// The earliest deadline of a map's sequences, and whose it is.
  func mapDeadline(
    _ open: OpenAssertion, _ sequences: [SequencePlan]
  ) -> (limit: TimeLimit, chain: Int)? {
    var earliest: (limit: TimeLimit, chain: Int)?
    for (place, chain) in open.chains.enumerated()
    where chain.next < sequences[place].matchers.count {
      let limit = totalLimit(of: open) ?? timeLimit(plan.timeout, from: chain.waitingSince)
      if earliest.map({ limit.time < $0.limit.time }) ?? true { earliest = (limit, place) }
    }
    return earliest
  }

  /// Returns the deadline of a list's current entry; of a group, the earliest one and its entry.
  func listDeadline(
    _ open: OpenAssertion, _ entries: [EntryPlan]
  ) -> (limit: TimeLimit, member: Int)? {
    guard open.entry < entries.count else { return nil }
    switch entries[open.entry] {
    case .event(let entry): return (entryDeadline(open, entry), 0)
    case .anyOrder(let members, _):
      var earliest: (limit: TimeLimit, member: Int)?
      for (place, member) in members.enumerated() where open.group?.isMatched(place) != true {
        let limit = entryDeadline(open, member)
        if earliest.map({ limit.time < $0.limit.time }) ?? true { earliest = (limit, place) }
      }
      return earliest
    }
  }

  /// Returns the deadline of an entry. An event that is due at a certain time is awaited a little
  /// longer, so that the report can say when it really came.
  private func entryDeadline(_ open: OpenAssertion, _ entry: EventEntryPlan) -> TimeLimit {
    let limits = [limit(entry.within, open), totalLimit(of: open)].compactMap(\.self)
    if let first = limits.min(by: { $0.time < $1.time }) { return first }
    let due = due(entry, open)?.time ?? open.waitingSince
    return timeLimit(plan.timeout, from: max(open.waitingSince, due))
  }

  private func totalLimit(of open: OpenAssertion) -> TimeLimit? {
    assertions[open.assertion].within.map { timeLimit($0, from: open.base) }
  }

  /// Returns the time limit of a condition that must hold eventually.
  func conditionDeadline(_ open: OpenAssertion) -> TimeLimit {
    let within = assertions[open.assertion].within
    return timeLimit(within ?? plan.timeout, from: open.openedAt)
  }
}

/// Returns the earlier of two times that may not come.
func earlier(_ one: Microseconds?, _ other: Microseconds?) -> Microseconds? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
