/// Emits the latest value once none has come for some time.
///
/// What still waits when upstream finishes is dropped, as in Combine, unless `flush` is set.
@frozen
public struct Debounce<Upstream: Publisher, Scheduler: PublisherScheduler>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The time without another value after which a value is emitted.
  public let dueTime: Duration
  /// The clock and the queue of its jobs.
  public let scheduler: Scheduler
  /// True if a waiting value is emitted at the end.
  public let flush: Bool

  /// Creates the publisher that `debounce(for:scheduler:flush:)` returns.
  @inlinable public init(upstream: Upstream, dueTime: Duration, scheduler: Scheduler, flush: Bool) {
    self.upstream = upstream
    self.dueTime = dueTime
    self.scheduler = scheduler
    self.flush = flush
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, self))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Collector<S>, Subscriber {
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let delay: Int64
    @usableFromInline let flush: Bool
    @exclusivity(unchecked) @usableFromInline var latest: Output?
    @exclusivity(unchecked) @usableFromInline var timer: (any Cancellable)?

    @inlinable init(_ downstream: S, _ publisher: Debounce) {
      scheduler = publisher.scheduler
      delay = publisher.dueTime.microseconds
      flush = publisher.flush
      super.init(downstream)
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      keep(input)
      let before = timer
      timer = scheduler.reschedule(before, after: delay) { self.deliver() }
      return .none
    }

    /// Remembers a value, or none. What was there is held meanwhile: freeing it may run code that
    /// comes back to this object.
    @inlinable func keep(_ value: Output?) {
      let before = latest
      latest = value
      withExtendedLifetime(before) {}
    }

    @inlinable func stopTimer() {
      let before = timer
      timer = nil
      before?.cancel()
    }

    @inlinable func deliver() {
      guard !isOver, let value = latest else { return }
      latest = nil
      if demand > .none { deliver(value) }
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      stopTimer()
      if case .failure = completion { keep(nil) }
      if !flush { keep(nil) }
      scheduler.scheduleKept(after: 0) {
        self.deliver()
        self.finish(completion)
      }
    }

    @inlinable override func cancel() {
      keep(nil)
      stopTimer()
      super.cancel()
    }
  }
}

extension Publisher {
  /// Emits a value once none has come after it for the given time. With `flush`, a value that
  /// still waits is yielded when upstream finishes.
  @inlinable public func debounce<S: PublisherScheduler>(
    for dueTime: Duration, scheduler: S, flush: Bool = false
  ) -> Debounce<Self, S> {
    Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, flush: flush)
  }
}
