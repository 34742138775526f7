/// Subscribes, asks and cancels as jobs of a scheduler; what comes passes as it is.
@frozen
public struct SubscribeOn<Upstream: Publisher, Scheduler: PublisherScheduler>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The queue of the jobs.
  public let scheduler: Scheduler

  /// Creates the publisher that `subscribe(on:)` returns.
  @inlinable
  public init(upstream: Upstream, scheduler: Scheduler) {
    self.upstream = upstream
    self.scheduler = scheduler
  }

  /// Attaches a subscriber in a job of the scheduler.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let inner = Inner(subscriber, scheduler)
    scheduler.scheduleKept(after: 0) { upstream.attach(inner) }
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let scheduler: Scheduler
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable
    init(_ downstream: Downstream, _ scheduler: Scheduler) {
      self.downstream = downstream
      self.scheduler = scheduler
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }
    @inlinable
    func receive(_ input: Output) -> Demand {
      link.isLive ? downstream.receive(input) : .none
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      if link.close() { downstream.receive(completion: completion) }
    }
    @inlinable
    func request(_ demand: Demand) {
      scheduler.scheduleKept(after: 0) { self.link.subscription?.request(demand) }
    }
    @inlinable
    func cancel() {
      guard let upstream = link.take() else { return }
      scheduler.scheduleKept(after: 0) { upstream.cancel() }
    }
  }
}

extension Publisher {
  /// Subscribes, asks and cancels as jobs of a scheduler, in order.
  @inlinable
  public func subscribe<S: PublisherScheduler>(on scheduler: S) -> SubscribeOn<Self, S> {
    SubscribeOn(upstream: self, scheduler: scheduler)
  }
}
