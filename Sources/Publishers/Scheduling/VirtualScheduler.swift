import Timers

/// A clock that moves only on request. Jobs run by the time at which they are due, then in the
/// order in which they were scheduled.
public final class VirtualScheduler: PublisherScheduler {
  /// The time, in microseconds.
  public private(set) var now: Int64 = 0
  private var queue = TimerQueue<VirtualJob>()

  /// True: the scheduler keeps the jobs that wait.
  public static var keepsJobs: Bool { true }

  /// Creates a scheduler at time zero without any jobs.
  public init() {}

  /// Queues a job that is due after so many microseconds.
  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    precondition(queue.hasRoom, "at most \(TimerQueue<VirtualJob>.capacity) jobs wait at once")
    let id = queue.insert(due: instant(now, plus: max(delay, 0)), VirtualJob(run: job))
    return VirtualTimer(self, id)
  }

  /// Runs a job at a point in time. A job for the past is due now.
  @discardableResult
  public func schedule(at time: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    let (delay, overflow) = time.subtractingReportingOverflow(now)
    return schedule(after: overflow ? 0 : delay, job)
  }

  /// The number of jobs that wait.
  public var count: Int { queue.count }

  /// The time at which the next job is due; nil if none waits.
  public var nextDue: Int64? { queue.nextDue }

  /// Moves time forward and runs each job that is due by then.
  public func advance(by delay: Duration) {
    advance(to: instant(now, plus: delay.microseconds))
  }

  /// Moves time on to a point in time and runs everything that is due on the way.
  public func advance(to time: Int64) {
    while let due = queue.nextDue, due <= time { runNext() }
    now = max(now, time)
  }

  /// Runs the next job, after setting the clock to its time; false if there is none.
  @discardableResult
  public func runNext() -> Bool {
    guard let due = queue.nextDue, let job = queue.takeNext() else { return false }
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

  fileprivate func cancel(_ id: TimerID) {
    let job = queue.cancel(id)
    withExtendedLifetime(job) {}
  }
}

/// A wrapper of a job: a bare closure would be stored in a queue of any payload through a thunk.
private struct VirtualJob {
  var run: () -> Void
}

/// A job that waits, as its owner may cancel it.
private final class VirtualTimer: Cancellable {
  // Weak, because a job may hold its own timer, and the scheduler holds the job.
  private weak var scheduler: VirtualScheduler?
  private let id: TimerID

  init(_ scheduler: VirtualScheduler, _ id: TimerID) {
    self.scheduler = scheduler
    self.id = id
  }

  func cancel() { scheduler?.cancel(id) }
}
