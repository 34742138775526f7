import Events
import ScenarioPlan
import World

/// The log of one run, and the cause of what is being done.
///
/// A cause is handed on as a value: recording an event returns its id, and what follows from the
/// event is done inside `caused(by:)`. No cause is guessed from the end of the log, where the event
/// of a stream that only watches may stand.
final class EventRecorder {
  // One thread drives a run, and nothing that an event leads to writes to the log in turn.
  @exclusivity(unchecked) private(set) var log: EventLog
  /// The event that led to what is being done now.
  @exclusivity(unchecked) private(set) var cause: EventID?
  /// True while the script of a mock writes or emits something.
  @exclusivity(unchecked) private var isOfMock = false
  /// The event that led to the job that ran last.
  @exclusivity(unchecked) private(set) var causeOfJob: EventID?
  /// True if an event was recorded since the judge ran last.
  @exclusivity(unchecked) private(set) var hasNews = false
  /// Called after an event that reached a limit.
  @exclusivity(unchecked) var onLimit: (LimitReached) -> Void = { _ in }
  /// Called after each event, once an invariant is broken.
  @exclusivity(unchecked) var onBrokenInvariant: () -> Void = {}
  private let judge: any Judge
  private let scheduler: Scheduler
  private let budget: RunBudget
  private let watchesInvariants: Bool
  /// True for the sources whose events nothing asks for; empty if there are none, or if all events
  /// are to be kept.
  @exclusivity(unchecked) private var unaskedSources: PerID<SourcePlan, Bool>
  /// True if the run has ended. Later events are not part of it.
  @exclusivity(unchecked) private var isClosed = false

  init(
    _ log: EventLog, shownTo judge: any Judge, at scheduler: Scheduler, within budget: RunBudget,
    watchesInvariants: Bool, isUnasked: PerID<SourcePlan, Bool> = []
  ) {
    unaskedSources = isUnasked
    self.log = log
    self.judge = judge
    self.scheduler = scheduler
    self.budget = budget
    self.watchesInvariants = watchesInvariants
  }

  /// Adds an event to the log and shows it to the judge. Returns its id, which is the cause of what
  /// follows from it; nil when the log is closed.
  @discardableResult
  func record(_ kind: consuming Event.Kind) -> EventID? {
    if isClosed { return nil }
    let event = Event(
      sequence: log.nextID, time: scheduler.now, cause: cause, isOfMock: isOfMock, kind: kind)
    let isKept = unaskedSources.isEmpty || !isUnasked(event)
    let id = event.sequence
    judge.observe(event)
    let limit = budget.count(event, isKept: isKept)
    // Last, so that the event is moved there and not copied.
    if isKept { log.append(consume event) } else { log.append(passing: consume event, isUnasked) }
    hasNews = true
    if watchesInvariants, judge.hasBrokenInvariant { onBrokenInvariant() }
    if let limit { onLimit(limit) }
    return id
  }

  /// Notes the line of a trace that the next event stands in.
  func noteNext(line: Int) { log.traceLines.set(log.nextID, line) }

  private func isUnasked(_ event: borrowing Event) -> Bool {
    if case .source(.emitted(let source, _)) = event.kind { unaskedSources[source] } else { false }
  }

  /// Keeps no further events of a source, which nothing asks for from now on.
  func forget(_ source: SourceID, of plan: ScenarioPlan) {
    if unaskedSources.isEmpty { unaskedSources = PerID(repeating: false, for: plan.sources) }
    unaskedSources[source] = true
  }

  /// Does something that an event led to; nil stands for something that no event led to.
  func caused<Result>(by cause: EventID?, _ body: () throws -> Result) rethrows -> Result {
    let outer = self.cause
    self.cause = cause
    defer { self.cause = outer }
    return try body()
  }

  /// Does what the script of a mock writes or emits.
  func byMock<Result>(_ body: () -> Result) -> Result {
    isOfMock = true
    defer { isOfMock = false }
    return body()
  }

  /// Does a job that an event led to.
  func runJob(causedBy cause: EventID?, _ job: () -> Void) {
    causeOfJob = cause
    caused(by: cause, job)
  }

  /// Forgets the job that ran last, before the next one runs.
  func expectJob() { causeOfJob = nil }

  /// The judge is asked about everything that was recorded until now.
  func takeNews() { hasNews = false }

  func close() { isClosed = true }
}
