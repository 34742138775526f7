import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values

/// The most different secrets that a run may learn. If there are more, reports show no text at all,
/// so that no other secret is shown.
let mostSecretsOfRun = 10_000

/// The most branches that a log may open at once before it is called damaged.
let branchesAtOnce = 10_000

/// All that is known about a run after an event of its log: what each source has emitted, how far
/// each branch has got, and what has failed.
///
/// It is a value and not an object, so that reading it is cheap; it observes every event. It cannot
/// be copied, because it is far larger than what a question about it reads.
struct AssertionState: ~Copyable {
  let shared: SharedPlan
  let assertions: Table<AssertionPlan>
  /// The tolerances of a run in real time; nil in virtual time, where all times are exact.
  var realTime: RealTimeTolerance?
  let slots: JudgeSlots
  let matcher: Matcher
  var buffer: EmissionBuffer
  var branches: PerID<Branch, BranchState> = [BranchState()]
  /// The branches whose assertion is still waiting, in the order they came to it.
  var waitingBranches: [BranchID] = []
  /// The number of those that wait in a `never`.
  var waitingNevers = 0
  var failures: [Failure] = []
  /// The first differences between real endpoints and their mocks, and all places that differ.
  var drifts: [Failure] = []
  var driftPlaces: Set<DriftPlace> = []
  /// Connections with a reported difference. Later differences on them may be consequences.
  var driftedBranches: Set<BranchID> = []
  var alsoUnaccounted: [Leftovers] = []
  /// True if a snapshot that differs is written again instead of failing.
  let updatesSnapshots: Bool
  /// True if any assertion may ask for emitted values.
  private let keepsEmissions: Bool
  /// True for the sources whose events nothing asks for; empty if there are none.
  private var isUnasked: PerID<SourcePlan, Bool>
  /// True for the sources of a trace that at most invariants ask for; empty in a run.
  var isOfInvariants: PerID<SourcePlan, Bool> = []
  var snapshots: [SnapshotTaken] = []
  /// The secrets that became known in this run, in their order.
  private(set) var secrets: [String] = []
  private var knownSecrets: Set<Value> = []
  private(set) var computedSecrets: Set<String> = []
  var mask: SecretMask { didSet { slots.secretMask = mask } }
  var faults = FirstOfMany<FaultStruck>()
  var pendingAtEnd = FirstOfMany<PendingAtEnd>()
  /// The parts of the stage that the run never used.
  private(set) var unusedParts: [UnusedPart] = []
  /// The entries whose clients named an event that no stream knows, with its id.
  private(set) var unknownEvents: [(entry: SourceRange, id: String)] = []
  /// All parts of the stage, if they are asked for.
  private(set) var stageParts: [StagePart]?
  /// The pending waits of the scenario when its steps stopped at a failure.
  private(set) var standstill: Standstill?
  /// Set if the events are those of a trace.
  private(set) var trace: TraceFacts?
  /// The sources of the events of a trace that is judged.
  private(set) var sourcesInTrace: Set<SourceID> = []
  /// The time after which nothing is awaited any more, because no client does anything.
  var endOfWaiting = Microseconds.max
  /// The time of the event that is being observed.
  private(set) var now: Microseconds = 0
  /// The logged subscriptions and their ends, in the order of the log.
  var subscriptions: [SubscriptionSeen] = []
  var invariants: InvariantState
  var assertionsReached = 0
  /// True once something was evaluated that could have failed the run, apart from invariants.
  var hasAsserted = false
  /// The events with which `request` steps began.
  private var requestSteps: Set<EventID> = []
  var assertionsMet = 0
  /// True once the leftovers of the steps, or of `finally`, have been judged.
  private var isSettled = false
  /// The time at which a diagram differed from the events for the first time.
  var firstDifference = Microseconds.max
  private var failuresBeforePhase = 0

  init(_ shared: SharedPlan, updatesSnapshots: Bool = false, keepsEmissions: Bool = true) {
    self.updatesSnapshots = updatesSnapshots
    self.keepsEmissions = keepsEmissions
    self.shared = shared
    assertions = shared.plan.assertions
    isUnasked = shared.plan.isUnasked
    mask = shared.plan.secretMask
    slots = JudgeSlots(shared.plan)
    matcher = Matcher(slots: slots)
    buffer = EmissionBuffer(shared.plan.sources)
    invariants = InvariantState(shared.plan.invariants)
  }

  var plan: ScenarioPlan { shared.plan }

  mutating func observe(_ event: borrowing Event) {
    now = event.time
    realTime?.remember(event)
    if event.time > invariants.firstLimit { expire(before: event) }
    observe(event.kind, event)
    hideComputed(slots.takeComputedSecrets())
  }

  private mutating func observe(_ kind: borrowing Event.Kind, _ event: borrowing Event) {
    switch kind {
    case .run(let kind): observe(kind, event)
    case .source(let kind): observe(kind, event)
    case .script(let kind): observe(kind, event)
    case .assertion(let kind): observe(kind, event)
    case .network(let kind): observe(kind, event)
    }
  }

  private mutating func observe(_ kind: RunEvent, _ event: borrowing Event) {
    switch kind {
    case .tracePlayed(let facts):
      trace = facts
      findSourcesOfInvariants()
      invariants.judge(asksUntil: facts.asksUntil)
    case .traceEnded: endTrace(at: event.time)
    case .inRealTime:
      realTime = RealTimeTolerance(event)
      invariants.allow(slack)
    case .secretsKnown(let values): hide(values.flatMap(\.secretTexts))
    case .secretsCaptured(let secrets): hide(secrets.map(\.text))
    case .secretsComputed(let texts, _): hideComputed(texts)
    case .lagged(let lag):
      realTime?.lag = lag
      if realTime != nil { invariants.allow(slack) }
    case .idle(let next): idle(next: next, at: event.time)
    case .failed(let problem):
      let failure = Failure(
        kind: .problem(problem), time: event.time, origin: event.sequence)
      if !failsTry(failure, in: failure.problemStep?.branch) { failures.append(failure) }
    case .pendingAtEnd(let ends):
      for end in ends { pendingAtEnd.append(PendingAtEnd(end, in: plan)) }
    case .actionsAtEnd: break
    case .stepsEnded:
      failDiagrams()
      settleInvariants()
      judgeCompletion(at: event.time)
      settle(at: event.time)
    case .finallyBegan: beganFinally(event)
    case .ended(let unused, let standstill, let parts):
      failDiagrams()
      unusedParts = unused
      stageParts = parts
      self.standstill = standstill
      settleSnapshots()
      settle(at: event.time)
    }
  }

  /// Hides what expressions have computed from secrets. It may stand elsewhere by chance.
  private mutating func hideComputed(_ texts: [String]) {
    if texts.isEmpty { return }
    computedSecrets.formUnion(texts)
    hide(texts)
  }

  /// Hides texts in all that is shown from now on.
  private mutating func hide(_ texts: [String]) {
    let new = texts.filter { !knownSecrets.contains(.string($0)) }
    guard !new.isEmpty else { return }
    let areTooMany = secrets.count + new.count > mostSecretsOfRun
    mask = areTooMany ? .everything : mask.adding(new)
    if areTooMany { return }
    secrets += new
    knownSecrets.formUnion(new.map { .string($0) })
  }

  /// Hides what steps capture as secrets, or would capture, in a value that reports may show.
  mutating func hideSecrets(in occurrence: @autoclosure () -> SecretOccurrence) {
    if shared.plan.secretMatchers.isEmpty { return }
    hide(shared.plan.capturedSecrets(in: occurrence()).map(\.text))
  }

  private mutating func observe(_ kind: SourceEvent, _ event: borrowing Event) {
    switch kind {
    case .emitted(let source, let value): emitted(source, value, event)
    case .finished(let source, let error): finished(source, error, event)
    case .subscribed(let source, let number): subscribed(source, number, event)
    case .unsubscribed(let source, let number): unsubscribed(source, number, event)
    }
  }

  private mutating func observe(_ kind: ScriptEvent, _ event: borrowing Event) {
    switch kind {
    case .stepBegan(let step): began(step, event)
    case .branched(let parent, let first, let count): branched(parent, first, count)
    case .branchesJoined(let parent): joined(into: parent)
    case .connectionAccepted(let branch): connectionAccepted(branch)
    case .logged: break
    }
  }

  private mutating func observe(_ kind: AssertionEvent, _ event: borrowing Event) {
    switch kind {
    case .opened(let assertion, let step, let reads): opened(assertion, step, reads, event)
    case .checked(let assertion, let step, let reads): checked(assertion, step, reads, event)
    case .attempted(let assertion, let step, let error): attempted(assertion, step, error, event)
    case .snapshotTaken(let assertion, let step, let file, let value):
      recorded(assertion, step, file, value, event)
    case .received(let assertion, let step, let message, let reads):
      received(assertion, step, message, reads, event)
    case .exchanged(let assertion, let step, let exchange, let reads):
      exchanged(assertion, step, exchange, reads, event)
    case .invariantsSampled(let samples):
      for sample in samples { sampled(sample.invariant, sample.reads, event) }
    case .ignored(let sources): ignored(sources, before: event.sequence)
    }
  }

  private mutating func observe(_ kind: NetworkEvent, _ event: borrowing Event) {
    switch kind {
    case .served(_, _, .sentEvent(let event)):
      if let data = event.data { hideSecrets(in: .other(data)) }
    case .served(_, _, .sentMessage(let message)): hideSecrets(in: .other(message))
    case .served: break
    case .driftObserved(let observation): driftObserved(observation, event)
    case .faulted(let fault): faults.append(FaultStruck(fault, event, in: plan))
    case .notResumed(_, let entry, let id): unknownEvents.append((entry, id))
    case .pieceSent, .unreachable, .pieceUnread, .answeredAgain, .passedOver: break
    }
  }

  /// Returns how far the assertion of a branch is.
  func status(in branch: BranchID) -> AssertionStatus {
    guard branches.indices.contains(branch), let open = branches[branch].open else { return .met }
    switch open.state {
    case .met, .failedSoftly: return .met
    case .failed: return .failed
    case .retried: return .retried
    case .waiting: return .pending(until: deadline(of: open, in: branch))
    }
  }

  private mutating func emitted(_ source: SourceID, _ value: Value, _ event: Event) {
    hideSecrets(in: .event(source, value))
    if trace != nil { sourcesInTrace.insert(source) }
    guard keepsEmissions, buffer.tracks.indices.contains(source) else { return }
    if !isUnasked.isEmpty, isUnasked[source] { return buffer.pass(at: event.time) }
    if !isOfInvariants.isEmpty, isOfInvariants[source] {
      buffer.pass(at: event.time)
      guard invariants.asksForEvents else { return }
      return judgeInvariants(of: EmissionBuffer.Emission(source, value, event))
    }
    if isOfRequestStep(source, event) {
      buffer.pass(source, value, sequence: event.sequence, time: event.time)
      judgeInvariantsOfLast()
      return
    }
    buffer.append(source, value, sequence: event.sequence, time: event.time)
    if let owner = buffer.tracks[source].owner, let open = branches[owner].open {
      advance(open, source)
    }
    if waitingNevers > 0, let place = buffer.last(of: source) { nevers(see: place) }
    judgeInvariantsOfLast()
  }

  private mutating func finished(_ source: SourceID, _ error: Value?, _ event: Event) {
    if trace != nil { sourcesInTrace.insert(source) }
    guard buffer.tracks.indices.contains(source) else { return }
    buffer.finish(source, error: error, sequence: event.sequence, time: event.time)
    if let owner = buffer.tracks[source].owner, let open = branches[owner].open {
      advance(open, source)
    }
    guard error != nil else { return }
    if waitingNevers > 0, let place = buffer.last(of: source) { nevers(see: place) }
    judgeInvariantsOfLast()
  }

  private mutating func began(_ step: StepReference, _ event: Event) {
    guard branches.indices.contains(step.branch) else { return }
    branches[step.branch].spanSequence = event.sequence
    branches[step.branch].spanBegan = event.time
    if step.verb == "request" { requestSteps.insert(event.sequence) }
  }

  /// Returns whether an endpoint received an event from a `request` step, which accounts for it
  /// itself.
  private func isOfRequestStep(_ source: SourceID, _ event: Event) -> Bool {
    guard !requestSteps.isEmpty, let cause = event.cause, requestSteps.contains(cause),
      case .endpoint = plan.sources[source].kind
    else { return false }
    return true
  }

  private mutating func opened(
    _ assertion: AssertionID, _ step: StepReference, _ reads: [Value], _ event: Event
  ) {
    guard branches.indices.contains(step.branch), plan.assertions.indices.contains(assertion) else {
      return
    }
    assertionsReached += 1
    if assertions[assertion].kind.isAssertion { hasAsserted = true }
    if case .fails = assertions[assertion].kind {
      branches[step.branch].attempts.append((assertion, reads))
      return
    }
    if case .retry = assertions[assertion].kind {
      branches[step.branch].retries.append(
        RetryState(
          assertion: assertion, began: event.time, captures: branches[step.branch].captures))
      branches[step.branch].notBefore = 0
      return
    }
    let open = OpenAssertion(
      assertion, step, at: event, base: branches[step.branch].base, inputSnapshot: reads)
    branches[step.branch].open = open
    waitingBranches.append(step.branch)
    begin(open)
  }

  private mutating func begin(_ open: OpenAssertion) {
    switch assertions[open.assertion].kind {
    case .expectMap(let sequences): begin(open, sequences)
    case .expectList(let entries): begin(open, entries)
    case .never(let entries, _): begin(open, never: entries)
    case .check, .eventually, .retry, .fails, .receive, .answer, .snapshot: break
    }
  }

  private mutating func advance(_ open: OpenAssertion, _ source: SourceID) {
    switch assertions[open.assertion].kind {
    case .expectMap(let sequences):
      advance(open, chain: Int(buffer.tracks[source].chain), of: sequences)
      if open.hasMarbles { failDiagrams(open, sequences, isDrained: false) }
    case .expectList(let entries): advance(open, entries)
    case .never, .check, .eventually, .retry, .fails, .receive, .answer, .snapshot: break
    }
  }

  private mutating func ignored(_ sources: [SourceID], before sequence: EventID) {
    for source in sources where buffer.tracks.indices.contains(source) {
      buffer.account(source, before: sequence)
      buffer.tracks[source].attention = .ignored
      if !plan.isForgotten.isEmpty, plan.isForgotten[source] { forget(source) }
    }
  }

  /// Keeps no further events of a source, which nothing asks for from now on.
  private mutating func forget(_ source: SourceID) {
    if isUnasked.isEmpty { isUnasked = PerID(repeating: false, for: plan.sources) }
    isUnasked[source] = true
  }

  private mutating func beganFinally(_ event: Event) {
    failDiagrams()
    invariants.isSettled = true
    settle(at: event.time)
    isSettled = false
    failuresBeforePhase = failures.count
    buffer.startAfresh()
    branches[.main].open = nil
    branches[.main].retries = []
    branches[.main].spanSequence = event.sequence
    branches[.main].spanBegan = event.time
    branches[.main].lastAccounted = event.time
    waitingBranches = []
    waitingNevers = 0
    firstDifference = .max
  }

  /// Judges leftovers, once for the steps and once for `finally`.
  private mutating func settle(at time: Microseconds) {
    guard !isSettled else { return }
    isSettled = true
    let leftovers = leftovers()
    guard !leftovers.isEmpty else { return }
    if failures.count > failuresBeforePhase {
      alsoUnaccounted += leftovers
    } else {
      failures.append(Failure(kind: .unaccounted(leftovers), time: time))
    }
  }

  /// Returns the events that nothing accounted for. What comes while a run goes on only to draw
  /// diagrams is none of them.
  private func leftovers() -> [Leftovers] {
    let judged = Set(failures.flatMap(\.shownEvents))
    return buffer.tracks.indices.compactMap { source in
      guard buffer.tracks[source].attention == .watched else { return nil }
      let events = buffer.unaccounted(of: source).filter { emission in
        emission.time <= firstDifference && !judged.contains(emission.sequence)
      }.map(\.sequence)
      return events.isEmpty ? nil : Leftovers(source: source, events: events)
    }
  }
}
