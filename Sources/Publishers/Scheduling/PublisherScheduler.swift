/// The clock and the queue of operators with time. A scheduler is always passed in; none is global.
public protocol PublisherScheduler {
  /// The time, in microseconds since any fixed point.
  var now: Int64 { get }

  /// Runs the job once, after a delay in microseconds. Jobs that are due at one time run in the
  /// order in which they were scheduled. Cancelling the result stops the job.
  @discardableResult
  func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable

  /// Cancels a job and schedules another instead, as `cancel` and then `schedule` do.
  ///
  /// An operator that waits again with each value calls it, so that a scheduler may use the token
  /// again. Give only a token of this scheduler that nobody else holds; nil schedules a first job.
  func reschedule(
    _ token: (any Cancellable)?, after delay: Int64, _ job: @escaping () -> Void
  ) -> any Cancellable

  /// True if a job runs also when the result of `schedule` is dropped. Operators keep the result
  /// where this is false, which is the default.
  static var keepsJobs: Bool { get }
}

extension PublisherScheduler {
  /// False: dropping the result of `schedule` may stop a job.
  @inlinable public static var keepsJobs: Bool { false }

  /// Cancels the job and schedules another.
  @inlinable public func reschedule(
    _ token: (any Cancellable)?, after delay: Int64, _ job: @escaping () -> Void
  ) -> any Cancellable {
    token?.cancel()
    return schedule(after: delay, job)
  }

  /// The time since any fixed point.
  @inlinable public var time: Duration { .microseconds(now) }

  /// Runs the job once, after a delay. Cancelling the result stops the job.
  @inlinable @discardableResult
  public func schedule(after delay: Duration, _ job: @escaping () -> Void) -> any Cancellable {
    schedule(after: delay.microseconds, job)
  }

  /// Runs the job also if nobody keeps the result.
  @inlinable func scheduleKept(after delay: Int64, _ job: @escaping () -> Void) {
    if Self.keepsJobs {
      schedule(after: delay, job)
    } else {
      let kept = KeptJob()
      kept.keep(
        schedule(after: delay) {
          job()
          kept.end()
        })
    }
  }
}

/// The token of a job that waits. The job keeps it, and drops it when it has run.
@usableFromInline final class KeptJob {
  private var token: (any Cancellable)?
  private var hasEnded = false

  @usableFromInline init() {}

  @usableFromInline func keep(_ token: any Cancellable) {
    if !hasEnded { self.token = token }
  }

  @usableFromInline func end() {
    hasEnded = true
    token = nil
  }
}

extension Duration {
  /// The whole microseconds, held in the range of the clock. Negative durations are zero.
  @usableFromInline var microseconds: Int64 {
    let parts = components
    let (whole, isTooLong) = parts.seconds.multipliedReportingOverflow(by: 1_000_000)
    if isTooLong { return parts.seconds < 0 ? 0 : .max }
    let (sum, overflow) = whole.addingReportingOverflow(parts.attoseconds / 1_000_000_000_000)
    return overflow ? .max : Swift.max(sum, 0)
  }
}

/// Returns a later time, held in the range of the clock.
@inlinable func instant(_ start: Int64, plus delay: Int64) -> Int64 {
  let (sum, overflow) = start.addingReportingOverflow(delay)
  return overflow ? .max : sum
}

/// A scheduler without time: each job runs at once, whatever its delay.
@frozen
public struct ImmediateScheduler: PublisherScheduler, Sendable {
  /// Creates a scheduler; all of them are alike.
  public init() {}

  /// True: a job has run when `schedule` returns.
  public static var keepsJobs: Bool { true }

  /// Always zero.
  public var now: Int64 { 0 }

  /// Runs the job before it returns.
  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    job()
    return EmptySubscription.shared
  }
}
