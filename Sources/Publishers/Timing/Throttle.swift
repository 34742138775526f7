/// The edges of an interval at which a value is emitted.
@frozen
public enum ThrottleEdges: Sendable {
  /// At once, which begins an interval, and at its end.
  case both
  /// At once. Other values of the interval are dropped.
  case leading
  /// At the end of an interval that the first value begins.
  case trailing
}

/// Emits the first value at once, and then at most one in each interval.
@frozen
public struct Throttle<Upstream: Publisher, Scheduler: PublisherScheduler>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The length of time.
  public let interval: Duration
  /// The clock and the queue of its jobs.
  public let scheduler: Scheduler
  /// True if the newest value of an interval is emitted; otherwise the first.
  public let latest: Bool
  /// The edges of an interval at which it emits.
  public let edges: ThrottleEdges

  /// Creates the publisher that `throttle(for:scheduler:latest:edges:)` returns.
  @inlinable public init(
    upstream: Upstream, interval: Duration, scheduler: Scheduler, latest: Bool,
    edges: ThrottleEdges = .both
  ) {
    self.upstream = upstream
    self.interval = interval
    self.scheduler = scheduler
    self.latest = latest
    self.edges = edges
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, self))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Collector<S>, Subscriber {
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let interval: Int64
    @usableFromInline let latest: Bool
    @usableFromInline let edges: ThrottleEdges
    /// The end of the interval that the last emission began.
    @usableFromInline var windowEnd: Int64?
    /// The value that is emitted at the end of the interval.
    @usableFromInline var pending: Output?
    @usableFromInline var timer: (any Cancellable)?
    @usableFromInline var completion: Completion<Failure>?

    @inlinable init(_ downstream: S, _ publisher: Throttle) {
      scheduler = publisher.scheduler
      interval = publisher.interval.microseconds
      latest = publisher.latest
      edges = publisher.edges
      super.init(downstream)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      if pending != nil {
        if latest { pending = input }
        return .none
      }
      let now = scheduler.now
      if case .trailing = edges {
        hold(input, for: interval)
      } else if let end = windowEnd, now < end {
        if case .both = edges { hold(input, for: end - now) }
      } else {
        windowEnd = instant(now, plus: interval)
        scheduler.scheduleKept(after: 0) { self.deliverIfAsked(input) }
      }
      return .none
    }

    @inlinable func hold(_ value: Output, for delay: Int64) {
      pending = value
      timer = scheduler.schedule(after: delay) { self.fire() }
    }

    @inlinable func deliverIfAsked(_ value: Output) {
      if !isOver, demand > .none { deliver(value) }
    }

    @inlinable func fire() {
      guard !isOver, let value = pending else { return }
      pending = nil
      windowEnd = instant(scheduler.now, plus: interval)
      deliverIfAsked(value)
      if let completion { finish(completion) }
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      if pending != nil {
        self.completion = completion
      } else {
        scheduler.scheduleKept(after: 0) { self.finish(completion) }
      }
    }

    @inlinable override func cancel() {
      pending = nil
      timer?.cancel()
      timer = nil
      super.cancel()
    }
  }
}

extension Publisher {
  /// Emits the first value at once; at the end of each interval that an emission begins, the
  /// newest (`latest`) or the first value that came in it. `edges` chooses one of both. The end
  /// waits for a value that waits.
  @inlinable public func throttle<S: PublisherScheduler>(
    for interval: Duration, scheduler: S, latest: Bool, edges: ThrottleEdges = .both
  ) -> Throttle<Self, S> {
    Throttle(
      upstream: self, interval: interval, scheduler: scheduler, latest: latest, edges: edges)
  }
}
