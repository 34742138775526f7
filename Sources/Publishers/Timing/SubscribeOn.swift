/// Subscribes, asks and cancels as jobs of a scheduler; what comes passes as it is.
@frozen
public struct SubscribeOn<Upstream: Publisher, Scheduler: PublisherScheduler>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The queue of the jobs.
  public let scheduler: Scheduler

  /// Creates the publisher that `subscribe(on:)` returns.
  @inlinable public init(upstream: Upstream, scheduler: Scheduler) {
    self.upstream = upstream
    self.scheduler = scheduler
  }

  /// Attaches a subscriber in a job of the scheduler.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let inner = Inner(subscriber, scheduler)
    scheduler.scheduleKept(after: 0) { upstream.attach(inner) }
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let scheduler: Scheduler

    @inlinable init(_ downstream: S, _ scheduler: Scheduler) {
      self.scheduler = scheduler
      super.init(downstream)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      link.isLive ? downstream.receive(input) : .none
    }
    @inlinable override func request(_ demand: Demand) {
      scheduler.scheduleKept(after: 0) { self.link.subscription?.request(demand) }
    }
    @inlinable override func cancel() {
      guard let upstream = link.take() else { return }
      scheduler.scheduleKept(after: 0) { upstream.cancel() }
    }
  }
}

extension Publisher {
  /// Subscribes, asks and cancels as jobs of a scheduler, in order.
  @inlinable public func subscribe<S: PublisherScheduler>(on scheduler: S) -> SubscribeOn<Self, S> {
    SubscribeOn(upstream: self, scheduler: scheduler)
  }
}
