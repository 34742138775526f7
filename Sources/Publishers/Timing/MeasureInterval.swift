/// Emits the time between values instead of them; the first is counted from the subscription.
@frozen
public struct MeasureInterval<Upstream: Publisher, Scheduler: PublisherScheduler>: Operator {
  /// The time between two values.
  public typealias Output = Duration

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The clock and the queue of its jobs.
  public let scheduler: Scheduler

  /// Creates the publisher that `measureInterval(using:)` returns.
  @inlinable public init(upstream: Upstream, scheduler: Scheduler) {
    self.upstream = upstream
    self.scheduler = scheduler
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Duration, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, scheduler))
  }

  @usableFromInline final class Inner<Downstream: Subscriber<Duration, Failure>>: Forwarding {
    @usableFromInline let downstream: Downstream
    @usableFromInline let scheduler: Scheduler
    @usableFromInline var last: Int64

    @inlinable init(_ downstream: Downstream, _ scheduler: Scheduler) {
      self.downstream = downstream
      self.scheduler = scheduler
      last = scheduler.now
    }

    @inlinable func receive(subscription: any Subscription) {
      last = scheduler.now
      downstream.receive(subscription: subscription)
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      let now = scheduler.now
      let passed = now - last
      last = now
      return downstream.receive(.microseconds(passed))
    }
  }
}

extension Publisher {
  /// Emits, for each value, the time since the value before; for the first, the time since the
  /// subscription. The end and failures pass.
  @inlinable public func measureInterval<S: PublisherScheduler>(
    using scheduler: S
  ) -> MeasureInterval<Self, S> {
    MeasureInterval(upstream: self, scheduler: scheduler)
  }
}
