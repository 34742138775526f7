import Events
import ScenarioPlan
import Values

/// The state of all invariants.
struct InvariantState {
  /// Those that say what leads to what, each with what is still unanswered.
  var obligations: [Obligations] = []
  var precedences: [Precedence] = []
  var intervals: [Intervals] = []
  var unchanged: [UnchangedValues] = []
  var counts: [EventCounts] = []
  /// When a trace is complete, if the scenario says so.
  var completion: CompletionSign?
  /// By invariant: the values of the stage at the last sample.
  var reads: PerID<InvariantPlan, [Value]>
  /// The time after which the first event that is awaited is too late.
  private(set) var firstLimit = Microseconds.max
  /// They are judged no more: one is broken, or the steps have ended.
  var isSettled = false { didSet { update() } }
  var isBroken = false
  /// How much later an event may come; real time is not exact.
  private(set) var slack: Microseconds = 0

  /// True if any is about events. It is stored because every emitted event reads it.
  private(set) var asksForEvents: Bool

  init(_ plans: Table<InvariantPlan>) {
    reads = PerID(repeating: [], for: plans)
    asksForEvents = false
    for (id, plan) in plans.withIDs { add(id, plan.kind) }
    update()
  }

  private mutating func add(_ id: InvariantID, _ kind: InvariantPlan.Kind) {
    switch kind {
    case .always, .never: break
    case .leadsTo(let when, let then, let within):
      obligations.append(Obligations(invariant: id, when: when, then: then, within: within))
    case .precededBy(let when, let once, let within):
      precedences.append(Precedence(invariant: id, when: when, once: once, within: within))
    case .between(let plan): intervals.append(Intervals(invariant: id, plan: plan))
    case .unchanged(let plan): unchanged.append(UnchangedValues(invariant: id, plan: plan))
    case .count(let plan): counts.append(EventCounts(invariant: id, plan: plan))
    case .complete(let when, let quiet):
      completion = CompletionSign(invariant: id, when: when, quiet: quiet)
    }
  }

  /// Gives all limits the tolerance of the run.
  mutating func allow(_ slack: Microseconds) {
    self.slack = slack
    for index in obligations.indices { obligations[index].slack = slack }
    for index in counts.indices { counts[index].slack = slack }
  }

  /// Judges only what asks for an answer before this time.
  mutating func judge(asksUntil time: Microseconds) {
    for index in obligations.indices { obligations[index].asksUntil = time }
  }

  /// The number of events that ask for an answer too late to be judged, and have none.
  var leftOpen: Int { obligations.reduce(0) { $0 + $1.leftOpen } }

  /// Brings what is asked of every event in line with what is awaited.
  mutating func update() {
    let hasUnchanged = unchanged.contains { !$0.plan.when.isEmpty }
    let isEmpty =
      obligations.isEmpty && precedences.isEmpty && intervals.isEmpty && counts.isEmpty
      && completion == nil
    asksForEvents = !isSettled && (hasUnchanged || !isEmpty)
    updateLimit()
  }

  /// Finds the first limit again, after something was awaited or has come.
  mutating func updateLimit() {
    firstLimit = .max
    if isSettled { return }
    for entry in obligations { firstLimit = min(firstLimit, entry.lastMoment) }
    for entry in counts { firstLimit = min(firstLimit, entry.lastMoment) }
  }

  /// The invariants whose first event never came.
  var neverTriggered: [InvariantID] {
    let found =
      obligations.filter { !$0.hasAsked }.map(\.invariant)
      + precedences.filter { !$0.hasAsked }.map(\.invariant)
      + intervals.filter { !$0.hasBegun }.map(\.invariant)
      + unchanged.filter { !$0.hasHeld }.map(\.invariant)
      + counts.filter { !$0.hasCounted }.map(\.invariant)
    return found.sorted()
  }
}

/// Judging conditions that must hold after each change, and the order of events. They account for
/// no event and watch no source.
extension AssertionState {
  mutating func sampled(_ invariant: InvariantID, _ reads: [Value], _ event: Event) {
    guard areInvariantsJudged, let plan = plan.invariants[ifPresent: invariant] else { return }
    invariants.reads[invariant] = reads
    switch plan.kind {
    case .always(let condition): sampleInvariant(invariant, condition, true, event)
    case .never(let condition): sampleInvariant(invariant, condition, false, event)
    case .between: sampleIntervals(of: invariant, event)
    case .unchanged: sampleUnchanged(invariant, event)
    case .leadsTo, .precededBy, .count, .complete: break
    }
  }

  /// After a failure, what follows would mostly be its echo.
  var areInvariantsJudged: Bool { !invariants.isSettled && failures.isEmpty }

  private mutating func sampleInvariant(
    _ invariant: InvariantID, _ condition: ExpressionPlan, _ wanted: Bool, _ event: Event
  ) {
    load(invariant, captures: [])
    if case .success(.bool(wanted)) = slots.evaluate(condition) { return }
    breakInvariant(.invariant(invariant, readCondition(condition)), origin: event.sequence)
  }

  /// Makes the stage's values at the last sample, and captures, those that expressions read.
  func load(_ invariant: InvariantID, captures: PerID<CapturePlan, Value?>) {
    slots.reads = plan.invariants[invariant].reads
    slots.values = invariants.reads[invariant]
    slots.captures = captures
    slots.pendingCaptures.removeAll(keepingCapacity: true)
  }

  mutating func breakInvariant(
    _ kind: Failure.Kind, origin: EventID, at time: Microseconds? = nil
  ) {
    failures.append(Failure(kind: kind, time: time ?? now, origin: origin))
    invariants.isBroken = true
    invariants.isSettled = true
  }

  mutating func breakInvariant(
    _ invariant: InvariantID, _ finding: BrokenInvariant.Finding, at event: EventID
  ) {
    breakInvariant(
      .brokenInvariant(BrokenInvariant(invariant: invariant, finding: finding, event: event)),
      origin: event)
  }

  /// Ends the judging at a limit of what an invariant keeps.
  mutating func reachInvariantLimit(_ limit: InvariantLimit, at event: EventID) {
    let problem = RunProblem.limit(
      name: limit.name, value: limit.value, message: limit.message)
    breakInvariant(.problem(problem), origin: event)
  }

  /// Finds the sources that no assertion names. A trace may have millions of their events, and once
  /// the invariants have seen one, nothing asks for it again.
  mutating func findSourcesOfInvariants() {
    isOfInvariants = PerID(repeating: true, for: plan.sources)
    for source in assertions.flatMap(\.kind.sources) { isOfInvariants[source] = false }
  }

  mutating func judgeInvariantsOfLast() {
    guard invariants.asksForEvents, let last = buffer.emissions.last else { return }
    judgeInvariants(of: last)
  }

  /// Shows an event to the invariants that are about events.
  mutating func judgeInvariants(of emission: EmissionBuffer.Emission) {
    guard areInvariantsJudged else { return }
    for entry in invariants.obligations.indices {
      answer(entry, emission)
      ask(entry, emission)
    }
    for entry in invariants.precedences.indices { precede(entry, emission) }
    for entry in invariants.intervals.indices { pass(entry, emission) }
    for entry in invariants.unchanged.indices { compare(entry, emission) }
    for entry in invariants.counts.indices { count(entry, emission) }
    if trace != nil { complete(emission) }
    if let open = slots.takeOpenNegation(), areInvariantsJudged {
      let reading = ConditionReading(noValue: open.failure)
      breakInvariant(.invariant(open.invariant, reading), origin: emission.sequence)
    }
    slots.pendingCaptures.removeAll(keepingCapacity: true)
  }

  /// Returns whether an event matches; its captures are pending then.
  func matches(
    _ emission: EmissionBuffer.Emission, _ wanted: SourceMatcherPlan, _ invariant: InvariantID,
    captures: PerID<CapturePlan, Value?>
  ) -> Bool {
    guard wanted.source == emission.source else { return false }
    load(invariant, captures: captures)
    guard let mismatch = matcher.mismatch(of: emission.value, with: wanted.matcher) else {
      return true
    }
    if let failure = mismatch.negatedFailure { slots.noteOpenNegation(failure, of: invariant) }
    return false
  }

  /// Returns what an event captures by the first of these that it matches; nil if it matches none.
  func captures(
    _ emission: EmissionBuffer.Emission, _ wanted: [SourceMatcherPlan], _ invariant: InvariantID
  ) -> PerID<CapturePlan, Value?>? {
    guard wanted.contains(where: { matches(emission, $0, invariant, captures: []) }) else {
      return nil
    }
    var captured = BranchState()
    captured.capture(slots.pendingCaptures)
    return captured.captures
  }

  /// Time has passed the limit of an awaited event. The verdict waits until the instant is over,
  /// because the event may be what happens in it.
  mutating func expire(before event: Event) {
    guard areInvariantsJudged else { return }
    if expireCounts(before: event) { return }
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
    let late = invariants.counts.indices.first { invariants.counts[$0].foundLate != nil }
    if let late { return leaveTooFew(late) }
    let unanswered = invariants.obligations.compactMap { entry in
      entry.first.map { (event: $0.event, entry) }
    }
    if let first = unanswered.min(by: { $0.event < $1.event }) { leaveUnanswered(first.1) }
  }
}

extension Event {
  /// True if nothing is left to do at its instant.
  var isIdle: Bool { if case .run(.idle) = kind { true } else { false } }
}
