/// Passes everything on later, each event as a job of the scheduler; cancelling drops what is
/// already scheduled.
@frozen
public struct Delay<Upstream: Publisher, Scheduler: PublisherScheduler>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The length of time.
  public let interval: Duration
  /// The clock and the queue of its jobs.
  public let scheduler: Scheduler

  /// Creates the publisher that `delay(for:scheduler:)` returns.
  @inlinable
  public init(upstream: Upstream, interval: Duration, scheduler: Scheduler) {
    self.upstream = upstream
    self.interval = interval
    self.scheduler = scheduler
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(subscriber, scheduler, interval.microseconds))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let delay: Int64
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream, _ scheduler: Scheduler, _ delay: Int64) {
      self.downstream = downstream
      self.scheduler = scheduler
      self.delay = delay
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }

    @inlinable
    func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      scheduler.scheduleKept(after: delay) { self.deliver(input) }
      return .none
    }

    @inlinable
    func deliver(_ input: Output) {
      if isOver { return }
      let more = downstream.receive(input)
      if more > .none { link.subscription?.request(more) }
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      scheduler.scheduleKept(after: delay) { self.finish(completion) }
    }

    @inlinable
    func finish(_ completion: Completion<Failure>) {
      if isOver { return }
      isOver = true
      downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Demand) {
      link.subscription?.request(demand)
    }

    @inlinable
    func cancel() {
      isOver = true
      link.take()?.cancel()
    }
  }
}

extension Publisher {
  /// Passes everything on later by the same time, the end and a failure as well.
  @inlinable
  public func delay<S: PublisherScheduler>(
    for interval: Duration, scheduler: S
  ) -> Delay<Self, S> {
    Delay(upstream: self, interval: interval, scheduler: scheduler)
  }

  /// Passes everything on as jobs of a scheduler, in order.
  @inlinable
  public func receive<S: PublisherScheduler>(on scheduler: S) -> Delay<Self, S> {
    delay(for: .zero, scheduler: scheduler)
  }
}
