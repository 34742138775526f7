import Dispatch
@_exported import Publishers
import Synchronization

/// A queue runs the jobs of operators one after the other, if it is a serial queue such as
/// `DispatchQueue.main`. Jobs with a delay run when it is over.
extension DispatchQueue: PublisherScheduler {
  /// True: a queue keeps the jobs that wait.
  public static var keepsJobs: Bool { true }

  /// The time since the machine was started, in microseconds.
  public var now: Int64 { Int64(DispatchTime.now().uptimeNanoseconds / 1_000) }

  /// Runs the job once on the queue, after a delay in microseconds.
  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    let waiting = DispatchedJob(job)
    if delay <= 0 {
      async { waiting.run() }
    } else {
      let interval = Int(min(delay, DispatchedJob.longestDelay))
      asyncAfter(deadline: .now() + .microseconds(interval)) { waiting.run() }
    }
    return waiting
  }
}

/// A job that may be cancelled from any thread before it runs.
private final class DispatchedJob: Cancellable, @unchecked Sendable {
  /// The longest delay, in microseconds: about thirty years.
  static let longestDelay: Int64 = 1_000_000_000_000_000

  private let job: () -> Void
  private let isCancelled = Atomic(false)

  init(_ job: @escaping () -> Void) { self.job = job }

  func run() {
    if !isCancelled.load(ordering: .acquiring) { job() }
  }

  func cancel() { isCancelled.store(true, ordering: .releasing) }
}
