/// Yields the time between values instead of them; the first is counted from the subscription.
@frozen
public struct MeasureInterval<Upstream: Publisher, Scheduler: PublisherScheduler>: Publisher {
  public typealias Output = Duration
  public typealias Failure = Upstream.Failure

  public let upstream: Upstream
  public let scheduler: Scheduler

  @inlinable
  public init(upstream: Upstream, scheduler: Scheduler) {
    self.upstream = upstream
    self.scheduler = scheduler
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Duration, S.Failure == Failure {
    upstream.receive(subscriber: Inner(subscriber, scheduler))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Duration, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let scheduler: Scheduler
    @usableFromInline var last: Int64

    @inlinable
    init(_ downstream: Downstream, _ scheduler: Scheduler) {
      self.downstream = downstream
      self.scheduler = scheduler
      last = scheduler.now
    }

    @inlinable
    func receive(subscription: any Subscription) {
      last = scheduler.now
      downstream.receive(subscription: subscription)
    }
    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      let now = scheduler.now
      let passed = now - last
      last = now
      return downstream.receive(.microseconds(passed))
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      downstream.receive(completion: completion)
    }
  }
}

extension Publisher {
  @inlinable
  public func measureInterval<S: PublisherScheduler>(
    using scheduler: S
  ) -> MeasureInterval<Self, S> {
    MeasureInterval(upstream: self, scheduler: scheduler)
  }
}
