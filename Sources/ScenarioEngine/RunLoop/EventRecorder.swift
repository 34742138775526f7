import Events
import ScenarioPlan
import World

/// The log of one run, and the event that what is done now is caused by.
///
/// A cause is handed on as a value: recording an event returns its id, and what follows from the
/// event is done inside `caused(by:)`. Nothing is ever guessed from the end of the log, where the
/// event of somebody who only watches may stand.
final class EventRecorder {
  private(set) var log: EventLog
  /// The event that led to what is being done now.
  @exclusivity(unchecked) private(set) var cause: EventID?
  /// The event that led to the job that ran last.
  @exclusivity(unchecked) private(set) var causeOfJob: EventID?
  private let scheduler: Scheduler
  private let judge: any Judge
  /// What happens after the run has ended is not part of it.
  private var isClosed = false

  init(_ log: EventLog, _ judge: any Judge, _ scheduler: Scheduler) {
    self.log = log
    self.judge = judge
    self.scheduler = scheduler
  }

  /// Adds an event to the log and shows it to the judge; nil when the log is closed.
  func record(_ kind: consuming Event.Kind) -> Event? {
    if isClosed { return nil }
    let event = Event(sequence: log.count, time: scheduler.now, cause: cause, kind: kind)
    log.append(event)
    judge.observe(event)
    return event
  }

  /// Does something that an event led to; nil stands for something that no event led to.
  func caused<Result>(by cause: EventID?, _ body: () throws -> Result) rethrows -> Result {
    let outer = self.cause
    self.cause = cause
    defer { self.cause = outer }
    return try body()
  }

  /// Does a job that an event led to.
  func runJob(causedBy cause: EventID?, _ job: () -> Void) {
    causeOfJob = cause
    caused(by: cause, job)
  }

  /// Forgets the job that ran last, before the next one runs.
  func expectJob() { causeOfJob = nil }

  func close() { isClosed = true }
}
