import Events
import ScenarioPlan
import Values

/// A `leadsTo`, and the events that it says something follows.
struct Obligations {
  struct Open {
    var event: EventID
    var time: Microseconds
    var captures: PerID<CapturePlan, Value?>
  }

  let invariant: InvariantID
  let when: [SourceMatcherPlan]
  let then: [SourceMatcherPlan]
  let within: Microseconds?
  /// How much later an answer may come; real time is not exact.
  var slack: Microseconds = 0
  /// The time from which on what asks for an answer is not judged.
  var asksUntil = Microseconds.max
  /// The events that wait for an answer, in the order of the log.
  var open: [Open] = []
  /// True once an event has asked for an answer.
  var hasAsked = false
  /// The time at which the first of them was found to be late. The answer may still come then.
  var foundLate: Microseconds?

  /// The first of them, if it is judged.
  var first: Open? { open.first.flatMap { $0.time < asksUntil ? $0 : nil } }

  /// The number of those that are not judged, since they may be answered after the trace.
  var leftOpen: Int { open.count { $0.time >= asksUntil } }

  /// Until when the first of them can be answered.
  var limit: TimeLimit? {
    guard let within, let first else { return nil }
    return TimeLimit(base: first.time, span: within, slack: slack)
  }

  var lastMoment: Microseconds { limit?.end ?? .max }
}

extension Obligations {
  /// Returns whether the time of the first goes on at the end of a trace.
  fileprivate func mayBeAnswered(after end: Microseconds) -> Bool {
    limit.map { $0.time >= end } ?? false
  }
}

extension AssertionState {
  /// An event answers those before it.
  mutating func answer(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let obligations = invariants.obligations[entry]
    guard let first = obligations.open.first else { return }
    let answers = obligations.then.filter { $0.source == emission.source }
    guard !answers.isEmpty else { return }
    let unanswered = obligations.open.filter { open in
      !answers.contains {
        matches(emission, $0, obligations.invariant, captures: open.captures)
      }
    }
    guard unanswered.count < obligations.open.count else { return }
    if obligations.foundLate != nil, unanswered.first?.event != first.event {
      return leaveUnanswered(obligations, answeredBy: emission)
    }
    invariants.obligations[entry].open = unanswered
    invariants.updateLimit()
  }

  /// An event may ask for an answer.
  mutating func ask(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let (invariant, when) = (
      invariants.obligations[entry].invariant, invariants.obligations[entry].when
    )
    guard let captured = captures(emission, when, invariant) else { return }
    invariants.obligations[entry].hasAsked = true
    // What answers one of two that captured the same answers the other, and the first is due first.
    let open = invariants.obligations[entry].open
    if let last = open.last, last.captures == captured { return }
    guard open.count < InvariantLimit.unanswered.value else {
      return reachInvariantLimit(.unanswered, at: emission.sequence)
    }
    invariants.obligations[entry].open.append(
      Obligations.Open(event: emission.sequence, time: emission.time, captures: captured))
    invariants.updateLimit()
  }

  mutating func leaveUnanswered(
    _ obligations: Obligations, answeredBy answer: EmissionBuffer.Emission? = nil
  ) {
    guard let open = obligations.first else { return }
    load(obligations.invariant, captures: open.captures)
    let awaited = obligations.then.map { (source: $0.source, expected: slots.shown($0.matcher)) }
    let isUndecided =
      trace != nil && obligations.mayBeAnswered(after: now) && !isTraceComplete(at: now)
    let unanswered = Unanswered(
      invariant: obligations.invariant, event: open.event, limit: obligations.limit,
      awaited: awaited, answer: answer?.sequence, isUndecided: isUndecided)
    breakInvariant(
      .unanswered(unanswered), origin: open.event, at: obligations.foundLate ?? now)
  }
}
