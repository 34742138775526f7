/// The queue of everything that is still to happen, in virtual time: one thread, one order.
///
/// Jobs run by (due, phase, sequence), and by nothing else, so that two runs of one scenario are
/// the same run. The scheduler never moves time on its own account: its owner runs what is due, and
/// decides what happens when an instant is drained.
package final class Scheduler {
  /// What is decided first when several jobs are due at one instant.
  package enum Phase: UInt8, CaseIterable, Sendable {
    /// Sources and timers.
    case source
    /// Completions of effects.
    case completion
    case assertion
  }

  /// Names one scheduled job, for cancelling it; an id is never used twice.
  package struct TimerID: Hashable, Sendable {
    fileprivate let order: UInt64
  }

  /// A bound that was exceeded; the queue stands still from then on.
  package enum Limit: Sendable, Equatable {
    case queuedJobs
    /// The jobs of one instant kept making new ones: time would never move again.
    case jobsAtOneInstant
  }

  /// How many jobs may wait at once.
  package static let maximumQueuedJobs = 4_000_000
  /// How many jobs may run without time moving.
  package static let maximumJobsAtOneInstant = 1_000_000
  /// Where sums of time that leave the range of the clock end up.
  package static let endOfTime = Int64.max

  /// The scenario's clock, in microseconds since its start.
  @exclusivity(unchecked) package private(set) var now: Int64 = 0
  /// The bound that stopped the queue, if one did.
  package private(set) var exceeded: Limit?

  // No access to the queue or the clock spans a job, so there is none to guard.
  @exclusivity(unchecked) private var queue = JobQueue()
  @exclusivity(unchecked) private var ranAtThisInstant = 0
  private let jobsAtOneInstant: Int

  package init(jobsAtOneInstant: Int = Scheduler.maximumJobsAtOneInstant) {
    self.jobsAtOneInstant = jobsAtOneInstant
  }

  /// Queues a job for a point in time; what is already past is due now.
  @discardableResult
  package func schedule(
    at due: Int64, phase: Phase, _ job: @escaping () -> Void
  ) -> TimerID {
    guard queue.count < Scheduler.maximumQueuedJobs, queue.hasSequenceLeft else {
      exceeded = .queuedJobs
      return TimerID(order: 0)
    }
    return TimerID(order: queue.insert(due: max(due, now), phase: phase.rawValue, job))
  }

  /// Queues a job for a time from now; sums beyond the clock's range mean its end.
  @discardableResult
  package func schedule(
    after delay: Int64, phase: Phase, _ job: @escaping () -> Void
  ) -> TimerID {
    schedule(at: instant(after: delay), phase: phase, job)
  }

  /// The point in time a delay from now leads to, held inside the clock's range.
  package func instant(after delay: Int64) -> Int64 {
    let (sum, overflow) = now.addingReportingOverflow(max(delay, 0))
    return overflow ? Scheduler.endOfTime : sum
  }

  /// Takes a job out of the queue and frees what it captured; false if it already ran or was
  /// cancelled.
  @discardableResult
  package func cancel(_ timer: TimerID) -> Bool {
    let job = queue.cancel(timer.order)
    return job != nil
  }

  /// When the next job is due, or nil when nothing is left.
  package var nextDue: Int64? { queue.nextDue }

  /// How many jobs wait.
  package var count: Int { queue.count }

  /// How much room the queue takes: the jobs that wait and the cancelled ones not yet swept out.
  var heapSize: Int { queue.heapSize }

  /// True when no job is due at this instant any more.
  package var isInstantDrained: Bool {
    guard let due = queue.nextDue else { return true }
    return due > now
  }

  /// Runs the next job if it is due by the given instant, moving the clock to where it is due.
  ///
  /// False means that there was none, or that a limit stopped the queue: `exceeded` tells.
  @discardableResult
  package func runNext(upTo instant: Int64) -> Bool {
    guard exceeded == nil, let due = queue.nextDue, due <= instant else { return false }
    if due > now { move(to: due) }
    guard ranAtThisInstant < jobsAtOneInstant else {
      exceeded = .jobsAtOneInstant
      return false
    }
    ranAtThisInstant += 1
    guard let job = queue.takeNext() else { return false }
    job()
    return true
  }

  /// Takes the running job out of the count of this instant's: it carries on what another job
  /// began, so that no two of its kind can set each other off for ever.
  package func discountJob() { ranAtThisInstant = max(0, ranAtThisInstant - 1) }

  /// Moves the clock on, at most to the next job and never back; gives the time it is then.
  @discardableResult
  package func advance(to instant: Int64) -> Int64 {
    let target = min(instant, queue.nextDue ?? instant)
    if target > now { move(to: target) }
    return now
  }

  /// Sets the clock to a time that has come, whatever is still due before it: in wall time, jobs
  /// run late rather than in the past.
  package func follow(_ instant: Int64) {
    if instant > now { move(to: instant) }
  }

  /// Empties the queue and frees what its jobs captured, so that jobs and their owners part.
  package func discardAll() {
    let jobs = queue.takeAll()
    withExtendedLifetime(jobs) {}
  }

  private func move(to instant: Int64) {
    now = instant
    ranAtThisInstant = 0
  }
}
