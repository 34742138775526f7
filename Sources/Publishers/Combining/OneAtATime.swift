/// Makes a publisher of each value and passes the values of one after the other.
@frozen
public struct OneAtATime<Upstream: Publisher, NewPublisher: Publisher>: Operator
where Upstream.Failure == NewPublisher.Failure {
  /// The values of the publishers that are made.
  public typealias Output = NewPublisher.Output

  /// The rule for a value that comes while the publisher of another one runs.
  @frozen
  @usableFromInline enum Rule {
    /// It waits.
    case waits
    /// It is dropped.
    case isDropped
    /// Its publisher takes the place of the one that runs, which is cancelled.
    case takesOver
  }

  /// The publisher whose events come in.
  public let upstream: Upstream
  @usableFromInline let rule: Rule
  /// Makes a publisher of a value.
  public let transform: (Upstream.Output) -> NewPublisher

  @inlinable init(
    upstream: Upstream, rule: Rule, transform: @escaping (Upstream.Output) -> NewPublisher
  ) {
    self.upstream = upstream
    self.rule = rule
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let outer = Outer(subscriber, self)
    if case .takesOver = rule { subscriber.receive(subscription: outer) }
    if !outer.isOver { upstream.attach(outer) }
  }

  @usableFromInline final class Outer<S: Subscriber<Output, Failure>>: Collector<S>, Subscriber {
    @usableFromInline let publisher: OneAtATime
    @exclusivity(unchecked) @usableFromInline var waiting = Fifo<Upstream.Output>()
    /// The one that runs or, if none does, the last one, which the next value may use again. It
    /// stays in its place when it ends, since each move would count references. Then it has no
    /// subscription.
    @exclusivity(unchecked) @usableFromInline var last: Inner<S>?
    @exclusivity(unchecked) @usableFromInline var isRunning = false
    @exclusivity(unchecked) @usableFromInline var isStarting = false

    @inlinable init(_ downstream: S, _ publisher: OneAtATime) {
      self.publisher = publisher
      super.init(downstream)
    }

    @inlinable override func receive(subscription: any Subscription) {
      guard case .takesOver = publisher.rule else {
        return super.receive(subscription: subscription)
      }
      guard link.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      switch publisher.rule {
      case .takesOver: start(input)
      case .isDropped where isRunning: break
      case .waits, .isDropped:
        waiting.append(input)
        if !isStarting, !isRunning { startWaiting() }
      }
      return .none
    }

    /// Starts what waits; those that end at once follow in a loop, not one inside the other.
    @inlinable func startWaiting() {
      isStarting = true
      while !isOver, !isRunning, let value = waiting.popFirst() { start(value) }
      isStarting = false
      finishIfDone()
    }

    @inlinable func start(_ value: Upstream.Output) {
      let before = isRunning ? last : nil
      let next = nextInner()
      isRunning = true
      before?.link.take()?.cancel()
      // Cancelling may have brought a still later one, or the end; so may the closure.
      guard isCurrent(next) else { return }
      let made = publisher.transform(value)
      if isCurrent(next) { made.attach(next) }
    }

    /// One that has ended is used again if nobody else holds it, so that a publisher of one value
    /// costs no object.
    @inlinable func nextInner() -> Inner<S> {
      let isFree = isKnownUniquelyReferenced(&last)
      let before = last
      if let before, isFree {
        before.link = Link()
        return before
      }
      let next = Inner(self)
      last = next
      withExtendedLifetime(before) {}
      return next
    }

    @inlinable func isCurrent(_ inner: Inner<S>) -> Bool { isRunning && last === inner }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      if case .failure = completion { end(completion) } else { finishIfDone() }
    }

    @inlinable func didEnd(_ inner: Inner<S>, _ completion: Completion<Failure>) {
      guard isCurrent(inner) else { return }
      isRunning = false
      switch completion {
      case .finished: if !isStarting { startWaiting() }
      case .failure: end(completion)
      }
    }

    @inlinable func finishIfDone() {
      guard !isOver, !isStarting, link.isOver, !isRunning, waiting.isEmpty else { return }
      let before = last
      last = nil
      withExtendedLifetime(before) {}
      finish(.finished)
    }

    @inlinable override func request(_ demand: Demand) {
      demand.mustAsk()
      if isOver { return }
      self.demand += demand
      last?.link.subscription?.request(demand)
    }

    @inlinable override func cancel() {
      isOver = true
      let (values, ending) = (waiting, last)
      waiting = Fifo()
      isRunning = false
      last = nil
      let upstream = link.take()
      ending?.link.take()?.cancel()
      upstream?.cancel()
      withExtendedLifetime(values) {}
    }
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Subscriber {
    @usableFromInline let outer: Outer<S>
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable init(_ outer: Outer<S>) { self.outer = outer }

    @inlinable func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      if outer.demand > .none { subscription.request(outer.demand) }
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard outer.isCurrent(self) else { return .none }
      outer.demand -= 1
      let more = outer.downstream.receive(input)
      if more == .none { return .none }
      outer.demand += more
      if outer.isCurrent(self) { return more }
      // Another one has taken its place meanwhile, which was asked without `more`.
      outer.last?.link.subscription?.request(more)
      return .none
    }

    @inlinable func receive(completion: Completion<Failure>) {
      if link.close() { outer.didEnd(self, completion) }
    }
  }
}

/// Passes the values of the latest publisher that came, and cancels the one before.
@frozen
public struct SwitchToLatest<Upstream: Publisher>: Operator
where Upstream.Output: Publisher, Upstream.Output.Failure == Upstream.Failure {
  /// The values of the publishers that upstream yields.
  public typealias Output = Upstream.Output.Output

  /// The publisher whose events come in.
  public let upstream: Upstream

  /// Creates the publisher that `switchToLatest()` returns.
  @inlinable public init(upstream: Upstream) { self.upstream = upstream }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    OneAtATime(upstream: upstream, rule: .takesOver, transform: { $0 }).attach(subscriber)
  }
}

extension Publisher {
  /// Makes a publisher of each value and passes the values of one after the other; what comes while
  /// one runs waits. A failure of this one does not wait.
  @inlinable public func concatMap<P>(
    _ transform: @escaping (Output) -> P
  ) -> OneAtATime<Self, P> {
    OneAtATime(upstream: self, rule: .waits, transform: transform)
  }

  /// Makes a publisher of each value and passes its values; what comes while one runs is dropped.
  @inlinable public func exhaustMap<P>(
    _ transform: @escaping (Output) -> P
  ) -> OneAtATime<Self, P> {
    OneAtATime(upstream: self, rule: .isDropped, transform: transform)
  }

  /// Makes a publisher of each value and passes the values of the latest; the one before is
  /// cancelled.
  @inlinable public func switchMap<P>(
    _ transform: @escaping (Output) -> P
  ) -> SwitchToLatest<Map<Self, P>> {
    SwitchToLatest(upstream: map(transform))
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Emits the values of the latest publisher that this one emits, and cancels the one before.
  /// Completes when this publisher and the latest one have; fails with the first failure.
  @inlinable public func switchToLatest() -> SwitchToLatest<Self> { SwitchToLatest(upstream: self) }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Emits the values of the latest publisher that this one emits, and cancels the one before.
  /// Completes when this publisher and the latest one have; fails with the first failure.
  @inlinable public func switchToLatest() -> SwitchToLatest<MapError<Self, Output.Failure>> {
    SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// Emits the values of the latest publisher that this one emits, and cancels the one before.
  /// Completes when this publisher and the latest one have; fails with the first failure.
  @inlinable public func switchToLatest() -> SwitchToLatest<Self> { SwitchToLatest(upstream: self) }
}
