/// Ends when nothing has come for some time: finishes, or fails if there is an error for it.
@frozen
public struct Timeout<Upstream: Publisher, Scheduler: PublisherScheduler>: Publisher {
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
  /// True if only the first value has to come in this time.
  public let onlyFirst: Bool
  /// Makes the failure; without it, the publisher completes.
  public let customError: (() -> Failure)?

  /// Creates the publisher that `timeout(_:scheduler:onlyFirst:customError:)` returns.
  @inlinable
  public init(
    upstream: Upstream, interval: Duration, scheduler: Scheduler, onlyFirst: Bool = false,
    customError: (() -> Failure)?
  ) {
    self.upstream = upstream
    self.interval = interval
    self.scheduler = scheduler
    self.onlyFirst = onlyFirst
    self.customError = customError
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(subscriber, self))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let publisher: Timeout
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let interval: Int64
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @exclusivity(unchecked) @usableFromInline var timer: (any Cancellable)?
    @exclusivity(unchecked) @usableFromInline var isRequested = false
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream, _ publisher: Timeout) {
      self.downstream = downstream
      self.publisher = publisher
      scheduler = publisher.scheduler
      interval = publisher.interval.microseconds
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
      if timer == nil, link.isLive { restart() }
    }

    @inlinable
    func restart() {
      let before = timer
      timer = scheduler.reschedule(before, after: interval) { self.isDue() }
      if !link.isLive { stop() }
    }

    // What is due at the very deadline comes in time: it is let go first.
    @inlinable
    func isDue() {
      let before = timer
      timer = scheduler.schedule(after: 0) { self.expire() }
      withExtendedLifetime(before) {}
    }

    @inlinable
    func expire() {
      guard link.isLive else { return }
      stop()
      link.take()?.cancel()
      finish(publisher.customError.map { .failure($0()) } ?? .finished)
    }

    @inlinable
    func stop() {
      let before = timer
      timer = nil
      before?.cancel()
    }

    @inlinable
    func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      if publisher.onlyFirst { stop() } else { restart() }
      scheduler.scheduleKept(after: 0) { self.deliver(input) }
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
      stop()
      scheduler.scheduleKept(after: 0) { self.finish(completion) }
    }

    @inlinable
    func finish(_ completion: Completion<Failure>) {
      if isOver { return }
      isOver = true
      downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Demand) {
      if !isRequested, link.isLive {
        isRequested = true
        restart()
      }
      link.subscription?.request(demand)
    }

    @inlinable
    func cancel() {
      isOver = true
      let upstream = link.take()
      stop()
      upstream?.cancel()
    }
  }
}

extension Publisher {
  /// Ends when no value has come for some time, counted from the subscription, the first request
  /// and each value; with `onlyFirst`, values after the first have all the time. A value that comes
  /// at the very deadline is in time.
  @inlinable
  public func timeout<S: PublisherScheduler>(
    _ interval: Duration, scheduler: S, onlyFirst: Bool = false, customError: (() -> Failure)? = nil
  ) -> Timeout<Self, S> {
    Timeout(
      upstream: self, interval: interval, scheduler: scheduler, onlyFirst: onlyFirst,
      customError: customError)
  }
}
