/// The clock of a run in virtual time. It jumps to the next time at which something is due.
///
/// Give it to an object in place of `ContinuousClock`. It sleeps only in a run: elsewhere `sleep`
/// throws `CancellationError`.
public struct VirtualClock: Clock, Sendable {
  /// A point in virtual time, in whole microseconds since the beginning of the run.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The beginning of a run.
    public static let beginning = Instant(microseconds: 0)

    var microseconds: Int64

    /// The time since the beginning of the run.
    public var sinceBeginning: Duration { .microseconds(microseconds) }

    /// Returns the instant after a duration.
    public func advanced(by duration: Duration) -> Instant {
      let (sum, overflow) = microseconds.addingReportingOverflow(duration.microseconds)
      return Instant(microseconds: overflow ? .max : sum)
    }

    /// Returns the time from this instant to another.
    public func duration(to other: Instant) -> Duration {
      .microseconds(other.microseconds - microseconds)
    }

    /// Returns whether one instant is before another.
    public static func < (one: Instant, other: Instant) -> Bool {
      one.microseconds < other.microseconds
    }
  }

  /// Makes the clock of the run that is under way.
  public init() {}

  /// The present time of the run.
  public var now: Instant { Instant(microseconds: VirtualExecutor.shared.now) }

  /// The shortest time that the clock knows.
  public var minimumResolution: Duration { .microseconds(1) }

  /// Waits until a time has passed and all that is due by then has run. What was started before
  /// begins first, so that its time counts from now.
  ///
  /// It throws `CancellationError` if the task is cancelled before, or if the run ends.
  public nonisolated(nonsending) func advance(by duration: Duration) async throws {
    let deadline = now.advanced(by: duration)
    try await drainInstant()
    try await sleep(until: deadline)
    try await drainInstant()
  }

  /// Waits until nothing else is to be done at this instant.
  private nonisolated(nonsending) func drainInstant() async throws {
    repeat { try await sleep(until: now) } while !VirtualExecutor.shared.isInstantDrained
  }

  /// Waits until a time has come. It throws `CancellationError` if the task is cancelled before, or
  /// if the run ends.
  public nonisolated(nonsending) func sleep(
    until deadline: Instant, tolerance: Duration? = nil
  ) async throws {
    let sleep = VirtualSleep()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { sleep.begin(until: deadline, $0) }
    } onCancel: {
      sleep.cancel()
    }
  }
}

/// One sleep of a task.
private final class VirtualSleep: @unchecked Sendable {
  private enum State {
    case new, cancelled, over
    case asleep(Int)
  }

  private var state = State.new

  func begin(until deadline: VirtualClock.Instant, _ sleeper: UnsafeContinuation<Void, any Error>) {
    if case .new = state,
      let number = VirtualExecutor.shared.wait(
        until: deadline.microseconds, VirtualWait(.continuation(sleeper)))
    {
      state = .asleep(number)
    } else {
      sleeper.resume(throwing: CancellationError())
    }
  }

  /// Ends the sleep. Another thread is outside of the run, and cannot.
  func cancel() {
    guard VirtualExecutor.shared.isActive else { return }
    if case .asleep(let number) = state, let wait = VirtualExecutor.shared.endWait(number) {
      wait.give(up: VirtualExecutor.shared)
    }
    state = .cancelled
  }
}

extension Duration {
  /// The whole microseconds of a duration, rounded up, held inside what can be represented.
  var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let part = attoseconds / 1_000_000_000_000
    let isRest = attoseconds % 1_000_000_000_000 > 0
    let (sum, isTooLarge) = whole.addingReportingOverflow(part + (isRest ? 1 : 0))
    return isTooLarge ? .max : sum
  }
}
