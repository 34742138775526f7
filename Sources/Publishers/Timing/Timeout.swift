/// Ends when nothing has come for some time: finishes, or fails if there is an error for it.
@frozen
public struct Timeout<Upstream: Publisher, Scheduler: PublisherScheduler>: PassingOperator {
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
  @inlinable public init(
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
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, self))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let publisher: Timeout
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let interval: Int64
    @exclusivity(unchecked) @usableFromInline var timer: (any Cancellable)?
    @exclusivity(unchecked) @usableFromInline var isRequested = false

    @inlinable init(_ downstream: S, _ publisher: Timeout) {
      self.publisher = publisher
      scheduler = publisher.scheduler
      interval = publisher.interval.microseconds
      super.init(downstream)
    }

    @inlinable override func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
      if timer == nil, link.isLive { restart() }
    }

    @inlinable func restart() {
      let before = timer
      timer = scheduler.reschedule(before, after: interval) { self.isDue() }
      if !link.isLive { stop() }
    }

    // What is due at the very deadline comes in time: it is let go first.
    @inlinable func isDue() {
      let before = timer
      timer = scheduler.schedule(after: 0) { self.expire() }
      withExtendedLifetime(before) {}
    }

    @inlinable func expire() {
      guard link.isLive else { return }
      stop()
      link.take()?.cancel()
      finish(publisher.customError.map { .failure($0()) } ?? .finished)
    }

    @inlinable func stop() {
      let before = timer
      timer = nil
      before?.cancel()
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      if publisher.onlyFirst { stop() } else { restart() }
      scheduler.scheduleKept(after: 0) { self.deliverAndAsk(input) }
      return .none
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      stop()
      scheduler.scheduleKept(after: 0) { self.finish(completion) }
    }

    @inlinable override func request(_ demand: Demand) {
      if !isRequested, link.isLive {
        isRequested = true
        restart()
      }
      link.subscription?.request(demand)
    }

    @inlinable override func cancel() {
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
  @inlinable public func timeout<S: PublisherScheduler>(
    _ interval: Duration, scheduler: S, onlyFirst: Bool = false, customError: (() -> Failure)? = nil
  ) -> Timeout<Self, S> {
    Timeout(
      upstream: self, interval: interval, scheduler: scheduler, onlyFirst: onlyFirst,
      customError: customError)
  }
}
