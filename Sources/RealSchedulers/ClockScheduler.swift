import Publishers
import Synchronization

/// The scheduler of a clock and an actor: jobs run on the actor, at the times of the clock.
///
/// Jobs may be scheduled from any thread. Those that are due at one time run in the order in which
/// they were scheduled.
public final class ClockScheduler<C: Clock>: PublisherScheduler, Sendable
where C.Duration == Duration {
  /// True: the scheduler keeps the jobs that wait.
  public static var keepsJobs: Bool { true }

  private struct Job: @unchecked Sendable {
    let due: Int64
    let number: Int
    let run: () -> Void
  }

  private struct Waiting {
    var jobs: [Job] = []
    var lastNumber = 0

    mutating func insert(due: Int64, _ run: @escaping () -> Void) -> Int {
      lastNumber += 1
      let index = jobs.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
      jobs.insert(Job(due: due, number: lastNumber, run: run), at: index)
      return lastNumber
    }

    mutating func takeNext(dueBy time: Int64) -> Job? {
      guard let next = jobs.first, next.due <= time else { return nil }
      return jobs.removeFirst()
    }
  }

  private let clock: C
  private let start: C.Instant
  private let actor: any Actor
  private let waiting = Mutex(Waiting())

  /// Makes a scheduler that begins at time zero.
  public init(_ clock: C, on actor: any Actor = MainActor.shared) {
    self.clock = clock
    self.actor = actor
    start = clock.now
  }

  /// The time since the scheduler was made, in microseconds.
  public var now: Int64 {
    let parts = start.duration(to: clock.now).components
    return parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000
  }

  /// Runs the job once on the actor, after a delay in microseconds.
  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    let (sum, overflow) = now.addingReportingOverflow(max(delay, 0))
    let due = overflow ? .max : sum
    nonisolated(unsafe) let run = job
    let number = waiting.withLock { $0.insert(due: due, run) }
    Task { await self.runJobs(dueBy: due) }
    return WaitingJob { [weak self] in
      self?.waiting.withLock { $0.jobs.removeAll { $0.number == number } }
    }
  }

  private func runJobs(dueBy due: Int64) async {
    if due > now {
      try? await clock.sleep(until: start.advanced(by: .microseconds(due)), tolerance: nil)
    }
    await runJobs(dueBy: due, on: actor)
  }

  private func runJobs(dueBy due: Int64, on actor: isolated any Actor) async {
    while let job = waiting.withLock({ $0.takeNext(dueBy: due) }) { job.run() }
  }
}

extension PublisherScheduler where Self == ClockScheduler<ContinuousClock> {
  /// Runs jobs on the main actor, in real time.
  public static var mainActor: ClockScheduler<ContinuousClock> { mainActorScheduler }
}

private let mainActorScheduler = ClockScheduler(ContinuousClock(), on: MainActor.shared)

/// A job that waits for its time. Dropping this does not cancel it.
private final class WaitingJob: Cancellable {
  private let end: () -> Void

  init(_ end: @escaping () -> Void) { self.end = end }

  func cancel() { end() }
}
