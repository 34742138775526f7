/// The condition under which gathered values are passed on.
@frozen
public enum TimeGroupingStrategy<Scheduler: PublisherScheduler> {
  /// At the end of each interval in which something came; intervals count from the subscription.
  case byTime(Scheduler, Duration)
  /// The same, and whenever so many have come.
  case byTimeOrCount(Scheduler, Duration, Int)
}

/// Gathers what comes in one interval of time; the end passes on what is left, a failure does not.
@frozen
public struct CollectByTime<Upstream: Publisher, Scheduler: PublisherScheduler>: Operator {
  /// Lists of upstream's values.
  public typealias Output = [Upstream.Output]

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The condition under which a list is emitted.
  public let strategy: TimeGroupingStrategy<Scheduler>

  /// Creates the publisher that `collect(_:)` returns.
  @inlinable public init(upstream: Upstream, strategy: TimeGroupingStrategy<Scheduler>) {
    self.upstream = upstream
    self.strategy = strategy
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    switch strategy {
    case .byTime(let scheduler, let interval):
      upstream.attach(Inner(subscriber, scheduler, interval, .max))
    case .byTimeOrCount(let scheduler, let interval, let count):
      upstream.attach(Inner(subscriber, scheduler, interval, count))
    }
  }

  /// The timer runs only while something is gathered, so that an idle source leaves time free.
  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Collector<S>, Subscriber {
    @usableFromInline let scheduler: Scheduler
    @usableFromInline let count: Int
    @usableFromInline var windows: CollectWindows
    @usableFromInline var values: Output = []
    @usableFromInline var timer: (any Cancellable)?
    @usableFromInline var isFinishing = false

    @inlinable
    init(_ downstream: S, _ scheduler: Scheduler, _ interval: Duration, _ count: Int) {
      self.scheduler = scheduler
      self.count = count
      windows = CollectWindows(start: scheduler.now, interval: interval.microseconds)
      super.init(downstream)
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      values.append(input)
      if values.count >= count {
        flush()
      } else if timer == nil {
        startTimer()
      }
      return .none
    }

    @inlinable func startTimer() {
      let now = scheduler.now
      let delay = windows.end(after: now) - now
      timer = scheduler.schedule(after: delay) { self.windowIsDue() }
    }

    // What comes at the very end of a window belongs to it: it is let go first.
    @inlinable func windowIsDue() {
      timer = scheduler.schedule(after: 0) { self.windowDidEnd() }
    }

    @inlinable func windowDidEnd() {
      timer = nil
      windows.close(at: scheduler.now)
      flush()
      if !values.isEmpty, !isOver { startTimer() }
    }

    @inlinable func flush() {
      guard !isOver, !values.isEmpty, demand > .none else { return }
      let gathered = values
      values = []
      timer?.cancel()
      timer = nil
      deliver(gathered)
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      switch completion {
      case .finished:
        isFinishing = true
        finishIfDone()
      case .failure: end(completion)
      }
    }

    @inlinable func finishIfDone() {
      flush()
      guard isFinishing, !isOver, values.isEmpty else { return }
      finish(.finished)
    }

    @inlinable override func request(_ demand: Demand) {
      super.request(demand)
      if isFinishing { finishIfDone() }
    }

    @inlinable override func cancel() {
      values = []
      timer?.cancel()
      timer = nil
      super.cancel()
    }
  }
}

/// The ends of the intervals since a start.
@usableFromInline struct CollectWindows {
  @usableFromInline let start: Int64
  @usableFromInline let interval: Int64
  @usableFromInline var closed: Int64

  @inlinable init(start: Int64, interval: Int64) {
    self.start = start
    self.interval = Swift.max(interval, 1)
    closed = start
  }

  /// The end of the window a value belongs to that comes now.
  @usableFromInline func end(after now: Int64) -> Int64 {
    let passed = now - start
    let next = passed % interval == 0 ? passed : instant(passed - passed % interval, plus: interval)
    let end = instant(start, plus: next)
    return end > closed ? end : instant(closed, plus: interval)
  }

  @usableFromInline mutating func close(at now: Int64) { closed = now }
}

extension Publisher {
  /// Emits lists of the values of one interval of time, none for an empty interval. The end emits
  /// what is left before it; a failure drops that. A list that nobody asked for yet goes on
  /// growing.
  @inlinable public func collect<S: PublisherScheduler>(
    _ strategy: TimeGroupingStrategy<S>
  ) -> CollectByTime<Self, S> {
    CollectByTime(upstream: self, strategy: strategy)
  }
}
