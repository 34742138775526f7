import Timers

/// The queue of all jobs that are still to run, in virtual time: one thread, one order.
///
/// Jobs run by (due, phase, sequence), and by nothing else, so that two runs of one scenario are
/// the same run. The scheduler never moves time by itself: its owner runs the jobs that are due,
/// and decides what happens when an instant is drained.
package final class Scheduler {
  /// The order of jobs that are due at one instant.
  package enum Phase: UInt8, CaseIterable, Sendable {
    /// The recorded inputs, before all other jobs.
    case recorded
    /// Sources and timers.
    case source
    /// Completions of effects.
    case completion
    case assertion
  }

  package typealias TimerID = Timers.TimerID

  /// The party that a job belongs to, which matters while the client's machine sleeps.
  package enum Side: Sendable {
    /// Mocks, the network, and the steps of the scenario: they go on.
    case world
    /// A timer of the client. It keeps what is left of its time.
    case client
    /// Something that reaches the client. It waits for the waking.
    case toClient
  }

  private struct Job {
    var side: Side
    var run: () -> Void
  }

  /// The sleep of the client's machine.
  private struct Sleep {
    var end: Int64
    var length: Int64
    /// True if timers whose time has come fire at the waking.
    var timersAreDue: Bool
  }

  /// A bound that was exceeded. The queue runs no job from then on.
  package enum Limit: Sendable, Equatable {
    case queuedJobs
    /// The jobs of one instant kept making new ones, so that time would never move again.
    case jobsAtOneInstant
  }

  /// The number of jobs that may wait at once.
  package static let maximumQueuedJobs = 4_000_000
  /// The number of jobs that may run without time moving.
  package static let maximumJobsAtOneInstant = 1_000_000
  /// The last point in time, which sums of time that leave the clock's range are set to.
  package static let endOfTime = Int64.max

  /// The scenario's clock, in microseconds since its start.
  package var now: Int64 { time }
  /// The bound that stopped the queue, if one did.
  package private(set) var exceeded: Limit?

  // No access to the queue or the clock spans a job, so there is none to guard. Other modules would
  // guard a stored property all the same.
  @exclusivity(unchecked) private var time: Int64 = 0
  @exclusivity(unchecked) private var queue = TimerQueue<Job>()
  @exclusivity(unchecked) private var ranAtThisInstant = 0
  /// The time at which the running job was due; the end of time if none runs.
  @exclusivity(unchecked) private var dueOfRunningJob = Scheduler.endOfTime
  @exclusivity(unchecked) private var sleep: Sleep?
  private let jobsAtOneInstant: Int

  package init(jobsAtOneInstant: Int = Scheduler.maximumJobsAtOneInstant) {
    self.jobsAtOneInstant = jobsAtOneInstant
  }

  /// Queues a job for a point in time. A job for the past is due now.
  @discardableResult
  package func schedule(
    at due: Int64, phase: Phase, of side: Side = .world, _ job: @escaping () -> Void
  ) -> TimerID {
    insert(due: max(due, now), phase, side, job)
  }

  /// Queues a job for a time from now. A sum beyond the clock's range is its end.
  ///
  /// A job without a delay belongs to the instant at which the running one was due. In real time
  /// that may be past: a machine that is late must not change the order.
  @discardableResult
  package func schedule(
    after delay: Int64, phase: Phase, of side: Side = .world, _ job: @escaping () -> Void
  ) -> TimerID {
    insert(due: delay > 0 ? instant(after: delay) : min(now, dueOfRunningJob), phase, side, job)
  }

  private func insert(
    due: Int64, _ phase: Phase, _ side: Side, _ job: @escaping () -> Void
  ) -> TimerID {
    guard queue.count < Scheduler.maximumQueuedJobs, queue.hasRoom else {
      exceeded = .queuedJobs
      return TimerID.none
    }
    let due = sleep.map { postponed(due, of: side, by: $0) } ?? due
    return queue.insert(due: due, phase: phase.rawValue, Job(side: side, run: job))
  }

  /// Returns the point in time after a delay from now, held inside the clock's range.
  package func instant(after delay: Int64) -> Int64 {
    let (sum, overflow) = now.addingReportingOverflow(max(delay, 0))
    return overflow ? Scheduler.endOfTime : sum
  }

  /// Removes a job from the queue and frees what it captured; false if it has run or was cancelled.
  @discardableResult
  package func cancel(_ timer: TimerID) -> Bool {
    let job = queue.cancel(timer)
    return job != nil
  }

  /// The time at which the next job is due; nil if no job waits.
  package var nextDue: Int64? { queue.nextDue }

  /// The times at which jobs are due, each once, in their order.
  package var dueTimes: [Int64] { queue.dueTimes }

  /// The number of jobs that wait.
  package var count: Int { queue.count }

  /// The room that the queue takes: the jobs that wait and the cancelled ones not yet swept out.
  var heapSize: Int { queue.heapSize }

  /// True if no job is due at this instant any more.
  package var isInstantDrained: Bool {
    guard let due = queue.nextDue else { return true }
    return due > now
  }

  /// Runs the next job if it is due by the given instant, after setting the clock to its time.
  ///
  /// Returns false if there was none, or if a limit stopped the queue; `exceeded` names the limit.
  @discardableResult
  package func runNext(upTo instant: Int64) -> Bool {
    guard exceeded == nil, let due = queue.nextDue, due <= instant else { return false }
    if due > now { move(to: due) }
    guard ranAtThisInstant < jobsAtOneInstant else {
      exceeded = .jobsAtOneInstant
      return false
    }
    ranAtThisInstant += 1
    guard let run = queue.takeNext()?.run else { return false }
    dueOfRunningJob = due
    run()
    dueOfRunningJob = Scheduler.endOfTime
    return true
  }

  /// Takes the running job out of the count for this instant. It continues what another job began,
  /// so two of its kind cannot cause each other without end.
  package func discountJob() { ranAtThisInstant = max(0, ranAtThisInstant - 1) }

  /// Moves the clock forward, at most to the next job, and returns the new time.
  @discardableResult
  package func advance(to instant: Int64) -> Int64 {
    let target = min(instant, queue.nextDue ?? instant)
    if target > now { move(to: target) }
    return now
  }

  /// Sets the clock to a time that has come, even if jobs are still due before it: in real time,
  /// jobs run late rather than in the past.
  package func follow(_ instant: Int64) {
    if instant > now { move(to: instant) }
  }

  /// Empties the queue and frees what its jobs captured, so that no job holds its owner any more.
  package func discardAll() {
    sleep = nil
    let jobs = queue.takeAll()
    withExtendedLifetime(jobs) {}
  }

  /// Empties the queue and lets it run jobs again, after a limit has stopped it.
  package func restart() {
    discardAll()
    exceeded = nil
    ranAtThisInstant = 0
  }

  private func move(to instant: Int64) {
    time = instant
    ranAtThisInstant = 0
  }
}

// A machine that sleeps.
extension Scheduler {
  /// The time at which the client's side wakes; nil while it is awake.
  package var wakesAt: Int64? { sleep?.end }

  /// Lets the client's side stand still for some time from now on.
  ///
  /// - Parameters:
  ///   - timersAreDue: True if its timers count the sleep, and fire at the waking in the order of
  ///     their times.
  ///   - onWaking: Called before anything else happens at the waking.
  package func sleep(
    for length: Int64, timersAreDue: Bool, onWaking: @escaping () -> Void = {}
  ) {
    let sleep = Sleep(end: instant(after: length), length: length, timersAreDue: timersAreDue)
    self.sleep = sleep
    queue.move { due, job in postponed(due, of: job.side, by: sleep) }
    schedule(at: sleep.end, phase: .recorded) { [self] in
      self.sleep = nil
      if timersAreDue {
        queue.move { due, job in job.side == .world || due == .max ? due : due - length }
      }
      onWaking()
    }
  }

  /// Returns when a job runs that would be due at a time if the machine did not sleep.
  private func postponed(_ due: Int64, of side: Side, by sleep: Sleep) -> Int64 {
    let later = due.addingReportingOverflow(
      sleep.timersAreDue ? sleep.length : sleep.end - now)
    return switch side {
    case .world: due
    case .toClient where !sleep.timersAreDue: max(due, sleep.end)
    case .client, .toClient: later.overflow ? Scheduler.endOfTime : later.partialValue
    }
  }
}
