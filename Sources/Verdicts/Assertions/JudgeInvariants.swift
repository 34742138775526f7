import CEL
import Events
import ScenarioPlan
import Values

/// The state of all invariants.
struct InvariantState {
  /// Those that say what leads to what, each with what is still unanswered.
  var obligations: [Obligations] = []
  /// The time after which the first unanswered event is too late.
  private(set) var firstLimit = Microseconds.max
  /// They are judged no more: one is broken, or the steps have ended.
  var isSettled = false { didSet { update() } }
  var isBroken = false

  /// True if any `leadsTo` waits for an answer. It is stored because every emitted event reads it.
  private(set) var hasObligations: Bool

  init(_ plans: Table<InvariantPlan>) {
    hasObligations = false
    for (id, plan) in plans.withIDs {
      guard case .leadsTo(let when, let then, let within) = plan.kind else { continue }
      obligations.append(Obligations(invariant: id, when: when, then: then, within: within))
    }
    hasObligations = !obligations.isEmpty
  }

  /// Gives all limits the tolerance of the run.
  mutating func allow(_ slack: Microseconds) {
    for index in obligations.indices { obligations[index].slack = slack }
  }

  /// Brings what is asked of every event in line with what is unanswered.
  mutating func update() {
    hasObligations = !isSettled && !obligations.isEmpty
    firstLimit = .max
    for entry in obligations where !isSettled {
      firstLimit = min(firstLimit, entry.lastMoment)
    }
  }
}

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
  /// The values of the stage at the last sample.
  var reads: [Value] = []
  /// The open invariants in the order of the log.
  var open: [Open] = []
  /// True once an event has asked for an answer.
  var hasAsked = false
  /// The time at which the first of them was found to be late. The answer may still come then.
  var foundLate: Microseconds?
  /// The most obligations with different captures that may be open; every answer is compared with
  /// all of them.
  static let most = 2_000

  /// Until when the first of them can be answered.
  var limit: TimeLimit? {
    guard let within, let first = open.first else { return nil }
    return TimeLimit(base: first.time, span: within, slack: slack)
  }

  var lastMoment: Microseconds { limit?.end ?? .max }
}

/// Judging conditions that must hold after each change. They account for no event and watch no
/// source.
extension AssertionState {
  mutating func invariantSampled(_ invariant: InvariantID, _ reads: [Value], _ event: Event) {
    guard areInvariantsJudged, let plan = plan.invariants[ifPresent: invariant] else { return }
    switch plan.kind {
    case .always(let condition): sampleInvariant(invariant, condition, true, reads, event)
    case .never(let condition): sampleInvariant(invariant, condition, false, reads, event)
    case .leadsTo:
      let place = invariants.obligations.firstIndex { $0.invariant == invariant }
      if let place { invariants.obligations[place].reads = reads }
    }
  }

  /// After a failure, what follows would mostly be its echo.
  private var areInvariantsJudged: Bool { !invariants.isSettled && failures.isEmpty }

  private mutating func sampleInvariant(
    _ invariant: InvariantID, _ condition: ExpressionPlan, _ wanted: Bool, _ reads: [Value],
    _ event: Event
  ) {
    load(invariant, reads, captures: [])
    if case .success(.bool(wanted)) = slots.evaluate(condition) { return }
    breakInvariant(.invariant(invariant, readCondition(condition)), origin: event.sequence)
  }

  private func load(
    _ invariant: InvariantID, _ reads: [Value], captures: PerID<CapturePlan, Value?>
  ) {
    slots.reads = plan.invariants[invariant].reads
    slots.values = reads
    slots.captures = captures
    slots.pendingCaptures.removeAll(keepingCapacity: true)
  }

  private mutating func breakInvariant(
    _ kind: Failure.Kind, origin: EventID, at time: Microseconds? = nil
  ) {
    failures.append(Failure(kind: kind, time: time ?? now, origin: origin))
    invariants.isBroken = true
    invariants.isSettled = true
  }

  /// An event answers those before it, and may ask for an answer itself.
  mutating func led(by place: Int) {
    guard areInvariantsJudged else { return }
    let emission = buffer.emissions[place]
    for entry in invariants.obligations.indices {
      answer(entry, emission)
      ask(entry, emission)
    }
    slots.pendingCaptures.removeAll(keepingCapacity: true)
  }

  private mutating func answer(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let obligations = invariants.obligations[entry]
    guard let first = obligations.open.first else { return }
    let answers = obligations.then.filter { $0.source == emission.source }
    guard !answers.isEmpty else { return }
    let unanswered = obligations.open.filter { open in
      !answers.contains { matches(emission, $0, entry, captures: open.captures) }
    }
    guard unanswered.count < obligations.open.count else { return }
    if obligations.foundLate != nil, unanswered.first?.event != first.event {
      return leaveUnanswered(obligations, answeredBy: emission)
    }
    invariants.obligations[entry].open = unanswered
    invariants.update()
  }

  private mutating func ask(_ entry: Int, _ emission: EmissionBuffer.Emission) {
    let asks = invariants.obligations[entry].when.contains { when in
      when.source == emission.source && matches(emission, when, entry, captures: [])
    }
    guard asks else { return }
    invariants.obligations[entry].hasAsked = true
    var captured = BranchState()
    captured.capture(slots.pendingCaptures)
    // What answers one of two that captured the same answers the other, and the first is due first.
    if let last = invariants.obligations[entry].open.last, last.captures == captured.captures {
      return
    }
    guard invariants.obligations[entry].open.count < Obligations.most else {
      let problem = RunProblem.limit(
        name: "unanswered-events", value: Obligations.most,
        message: "at most this many events may wait for what they lead to")
      return breakInvariant(.problem(problem), origin: emission.sequence)
    }
    invariants.obligations[entry].open.append(
      Obligations.Open(
        event: emission.sequence, time: emission.time, captures: captured.captures))
    invariants.update()
  }

  private func matches(
    _ emission: EmissionBuffer.Emission, _ wanted: SourceMatcherPlan, _ entry: Int,
    captures: PerID<CapturePlan, Value?>
  ) -> Bool {
    let (invariant, reads) =
      (invariants.obligations[entry].invariant, invariants.obligations[entry].reads)
    load(invariant, reads, captures: captures)
    return matcher.mismatch(of: emission.value, with: wanted.matcher) == nil
  }

  /// Time has passed the limit of an answer. The verdict waits until the instant is over, because
  /// the answer may be what happens in it.
  mutating func expire(before event: Event) {
    guard areInvariantsJudged else { return }
    let places = invariants.obligations.indices
    let first = places.min {
      invariants.obligations[$0].lastMoment < invariants.obligations[$1].lastMoment
    }
    guard let first, invariants.obligations[first].lastMoment < event.time else { return }
    let found = invariants.obligations[first].foundLate
    if found == nil { invariants.obligations[first].foundLate = event.time }
    if event.isIdle || found ?? .max < event.time { leaveUnanswered(invariants.obligations[first]) }
  }

  /// The steps have ended: what is unanswered stays so.
  mutating func settleInvariants() {
    defer { invariants.isSettled = true }
    guard areInvariantsJudged else { return }
    let unanswered = invariants.obligations.filter { !$0.open.isEmpty }
    let first = unanswered.min { $0.open[0].event < $1.open[0].event }
    if let first { leaveUnanswered(first) }
  }

  private mutating func leaveUnanswered(
    _ obligations: Obligations, answeredBy answer: EmissionBuffer.Emission? = nil
  ) {
    let open = obligations.open[0]
    load(obligations.invariant, obligations.reads, captures: open.captures)
    let awaited = obligations.then.map { (source: $0.source, expected: slots.shown($0.matcher)) }
    let unanswered = Unanswered(
      invariant: obligations.invariant, event: open.event, limit: obligations.limit,
      awaited: awaited, answer: answer?.sequence)
    breakInvariant(
      .unanswered(unanswered), origin: open.event, at: obligations.foundLate ?? now)
  }
}

extension Event {
  /// True if nothing is left to do at its instant.
  fileprivate var isIdle: Bool { if case .run(.idle) = kind { true } else { false } }
}
