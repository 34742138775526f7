/// Emits the time at the end of each interval, counted from `connect()`, without drifting. It never
/// completes. A subscriber that has not asked for a value misses it.
public final class TimerPublisher<Scheduler: PublisherScheduler>: ConnectablePublisher {
  /// The time, in microseconds of the scheduler's clock.
  public typealias Output = Int64
  /// It cannot fail.
  public typealias Failure = Never

  /// The clock and the queue of its jobs.
  public let scheduler: Scheduler
  @usableFromInline let interval: Int64
  @usableFromInline let fanout = Fanout<Int64, Never>(serialize: false)

  /// Creates a timer. An interval of less than a microsecond is made one, so that time can move.
  @inlinable public init(every interval: Duration, scheduler: Scheduler) {
    self.scheduler = scheduler
    self.interval = Swift.max(interval.microseconds, 1)
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Int64, S.Failure == Never {
    let conduit = PassthroughConduit(fanout, subscriber)
    fanout.attach(conduit)
    subscriber.receive(subscription: conduit)
  }

  /// Starts the timer for all subscribers, until the result is cancelled.
  @inlinable public func connect() -> any Cancellable {
    let run = TimerRun(self)
    run.schedule()
    return run
  }
}

/// One connection of a timer.
@usableFromInline final class TimerRun<Scheduler: PublisherScheduler>: Cancellable {
  @usableFromInline var timer: TimerPublisher<Scheduler>?
  @usableFromInline var job: (any Cancellable)?
  @usableFromInline var due: Int64

  @inlinable init(_ timer: TimerPublisher<Scheduler>) {
    self.timer = timer
    due = timer.scheduler.now
  }

  @inlinable func schedule() {
    guard let timer else { return }
    due = instant(due, plus: timer.interval)
    if due == .max { return }
    job = timer.scheduler.schedule(after: due - timer.scheduler.now) { self.fire() }
  }

  @inlinable func fire() {
    guard let timer else { return }
    timer.fanout.send(timer.scheduler.now)
    schedule()
  }

  @inlinable func cancel() {
    timer = nil
    job?.cancel()
    job = nil
  }
}
