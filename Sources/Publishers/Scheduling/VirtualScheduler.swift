import Timers

/// A clock that moves only on request. Jobs run by the time at which they are due, then in the
/// order in which they were scheduled.
public final class VirtualScheduler: PublisherScheduler {
  /// The time, in microseconds.
  public private(set) var now: Int64 = 0
  private let jobs = VirtualJobs()

  /// True: the scheduler keeps the jobs that wait.
  public static var keepsJobs: Bool { true }

  /// Creates a scheduler at time zero without any jobs.
  public init() {}

  // A job may hold its own timer, and a timer holds the jobs.
  deinit { jobs.drop() }

  /// Queues a job that is due after `delay` microseconds.
  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    VirtualTimer(jobs, jobs.insert(due: instant(now, plus: max(delay, 0)), job))
  }

  /// Cancels a job and queues another, which takes over the token. The token of another
  /// scheduler is cancelled, and one of this scheduler is returned.
  public func reschedule(
    _ token: (any Cancellable)?, after delay: Int64, _ job: @escaping () -> Void
  ) -> any Cancellable {
    guard let timer = ownTimer(token) else {
      token?.cancel()
      return schedule(after: delay, job)
    }
    timer.cancel()
    timer.id = jobs.insert(due: instant(now, plus: max(delay, 0)), job)
    return timer
  }

  private func ownTimer(_ token: (any Cancellable)?) -> VirtualTimer? {
    guard let token, type(of: token) == VirtualTimer.self else { return nil }
    let timer = unsafeDowncast(token, to: VirtualTimer.self)
    return timer.jobs === jobs ? timer : nil
  }

  /// Runs a job at a point in time. A job for the past is due now.
  @discardableResult
  public func schedule(at time: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    let (delay, overflow) = time.subtractingReportingOverflow(now)
    return schedule(after: overflow ? 0 : delay, job)
  }

  /// The number of jobs that wait.
  public var count: Int { jobs.queue.count }

  /// The time at which the next job is due; nil if none waits.
  public var nextDue: Int64? { jobs.queue.nextDue }

  /// Moves time forward and runs each job that is due by then.
  public func advance(by delay: Duration) {
    advance(to: instant(now, plus: delay.microseconds))
  }

  /// Moves time on to a point in time and runs everything that is due on the way.
  public func advance(to time: Int64) {
    while let due = jobs.queue.nextDue, due <= time { runNext() }
    now = max(now, time)
  }

  /// Runs the next job, after setting the clock to its time; false if no job is left.
  @discardableResult
  public func runNext() -> Bool {
    guard let due = jobs.queue.nextDue, let job = jobs.queue.takeNext() else { return false }
    now = max(now, due)
    job.run()
    return true
  }

  /// Runs jobs until none waits, at most the given number; false if that was not enough.
  @discardableResult
  public func run(atMost jobs: Int = 1_000_000) -> Bool {
    for _ in 0..<jobs where !runNext() { return true }
    return count == 0
  }
}

/// The jobs of a scheduler, which its timers share.
///
/// The queue hands out what it lets go. So no access to it runs other code, and nothing checks the
/// accesses.
private final class VirtualJobs {
  @exclusivity(unchecked) var queue = TimerQueue<JobToRun>()

  func insert(due: Int64, _ job: @escaping () -> Void) -> TimerID {
    precondition(queue.hasRoom, "at most \(TimerQueue<JobToRun>.capacity) jobs wait at once")
    return queue.insert(due: due, JobToRun(run: job))
  }

  func cancel(_ id: TimerID) {
    let job = queue.cancel(id)
    withExtendedLifetime(job) {}
  }

  func drop() {
    let jobs = queue.takeAll()
    withExtendedLifetime(jobs) {}
  }
}

/// A wrapper of a job: a bare closure would be stored in a queue of any payload through a thunk.
private struct JobToRun {
  var run: () -> Void
}

/// A job that waits, as its owner may cancel it.
private final class VirtualTimer: Cancellable {
  let jobs: VirtualJobs
  @exclusivity(unchecked) var id: TimerID

  init(_ jobs: VirtualJobs, _ id: TimerID) {
    self.jobs = jobs
    self.id = id
  }

  func cancel() { jobs.cancel(id) }
}
