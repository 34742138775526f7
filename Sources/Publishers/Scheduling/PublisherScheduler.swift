/// The clock and the queue of operators with time. A scheduler is always passed in; none is global.
public protocol PublisherScheduler {
  /// The time, in microseconds since any fixed point.
  var now: Int64 { get }

  /// Runs the job once, after a delay in microseconds. Jobs that are due at one time run in the
  /// order in which they were scheduled. Only cancelling stops a job, so the result may be dropped.
  @discardableResult
  func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable
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
@inlinable
func instant(_ start: Int64, plus delay: Int64) -> Int64 {
  let (sum, overflow) = start.addingReportingOverflow(delay)
  return overflow ? .max : sum
}

/// A scheduler without time: each job runs at once, whatever its delay.
@frozen
public struct ImmediateScheduler: PublisherScheduler, Sendable {
  public init() {}

  public var now: Int64 { 0 }

  @discardableResult
  public func schedule(after delay: Int64, _ job: @escaping () -> Void) -> any Cancellable {
    job()
    return EmptySubscription.shared
  }
}
