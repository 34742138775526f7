/// Passes everything on later, each event as a job of the scheduler; cancelling drops what is
/// already scheduled.
@frozen
public struct Delay<Upstream: Publisher, Scheduler: PublisherScheduler>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The length of time.
  public let interval: Duration
  /// The clock and the queue of its jobs.
  public let scheduler: Scheduler

  /// Creates the publisher that `delay(for:scheduler:)` returns.
  @inlinable public init(upstream: Upstream, interval: Duration, scheduler: Scheduler) {
    self.upstream = upstream
    self.interval = interval
    self.scheduler = scheduler
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, scheduler, interval.microseconds))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let delay: Int64

    @inlinable init(_ downstream: S, _ scheduler: Scheduler, _ delay: Int64) {
      self.scheduler = scheduler
      self.delay = delay
      super.init(downstream)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      scheduler.scheduleKept(after: delay) { self.deliverAndAsk(input) }
      return .none
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      scheduler.scheduleKept(after: delay) { self.finish(completion) }
    }
  }
}

extension Publisher {
  /// Passes everything on later by the same time, the end and a failure as well.
  @inlinable public func delay<S: PublisherScheduler>(
    for interval: Duration, scheduler: S
  ) -> Delay<Self, S> {
    Delay(upstream: self, interval: interval, scheduler: scheduler)
  }

  /// Passes everything on as jobs of a scheduler, in order.
  @inlinable public func receive<S: PublisherScheduler>(on scheduler: S) -> Delay<Self, S> {
    delay(for: .zero, scheduler: scheduler)
  }
}
