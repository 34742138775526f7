/// Makes a publisher of each value and passes the values of one after the other; what comes while
/// one runs waits or is dropped.
@frozen
public struct OneAtATime<Upstream: Publisher, NewPublisher: Publisher>: Publisher
where Upstream.Failure == NewPublisher.Failure {
  /// The values of the publishers that are made.
  public typealias Output = NewPublisher.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// True if a value that arrives while a publisher runs waits; otherwise it is dropped.
  public let keepsWaiting: Bool
  /// Makes a publisher of a value.
  public let transform: (Upstream.Output) -> NewPublisher

  @inlinable
  init(
    upstream: Upstream, keepsWaiting: Bool, transform: @escaping (Upstream.Output) -> NewPublisher
  ) {
    self.upstream = upstream
    self.keepsWaiting = keepsWaiting
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Outer(subscriber, self))
  }

  /// Each access to its state ends before anything else is called: what is let go is held until
  /// then. That is why nothing checks these accesses.
  @usableFromInline final class Outer<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let publisher: OneAtATime
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    @exclusivity(unchecked) @usableFromInline var waiting = Fifo<Upstream.Output>()
    /// The one that runs or, if none does, the last one, which the next value may use again. It
    /// stays in its place when it ends, since each move would count references. Then it has no
    /// subscription.
    @exclusivity(unchecked) @usableFromInline var last: Inner<Downstream>?
    @exclusivity(unchecked) @usableFromInline var isRunning = false
    @exclusivity(unchecked) @usableFromInline var isStarting = false
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream, _ publisher: OneAtATime) {
      self.downstream = downstream
      self.publisher = publisher
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
      link.subscription?.request(.unlimited)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive, publisher.keepsWaiting || !isRunning else { return .none }
      if isStarting || isRunning {
        waiting.append(input)
      } else {
        isStarting = true
        start(input)
        startWaiting()
      }
      return .none
    }

    /// Starts what waits; those that end at once follow in a loop, not one inside the other.
    @inlinable
    func startWaiting() {
      isStarting = true
      while !isOver, !isRunning, let value = waiting.popFirst() { start(value) }
      isStarting = false
      finishIfDone()
    }

    @inlinable
    func start(_ value: Upstream.Output) {
      let next = nextInner()
      isRunning = true
      let made = publisher.transform(value)
      if isCurrent(next) { made.attach(next) }
    }

    /// One that has ended is used again if nobody else holds it, so that a publisher of one value
    /// costs no object.
    @inlinable
    func nextInner() -> Inner<Downstream> {
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

    @inlinable
    func isCurrent(_ inner: Inner<Downstream>) -> Bool { isRunning && last === inner }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      switch completion {
      case .finished: finishIfDone()
      case .failure: fail(completion)
      }
    }

    @inlinable
    func didEnd(_ inner: Inner<Downstream>, _ completion: Completion<Failure>) {
      guard isCurrent(inner) else { return }
      isRunning = false
      switch completion {
      case .finished: if !isStarting { startWaiting() }
      case .failure: fail(completion)
      }
    }

    @inlinable
    func finishIfDone() {
      guard !isOver, !isStarting, link.isOver, !isRunning, waiting.isEmpty else { return }
      isOver = true
      let before = last
      last = nil
      withExtendedLifetime(before) {}
      downstream.receive(completion: .finished)
    }

    @inlinable
    func fail(_ completion: Completion<Failure>) {
      if isOver { return }
      cancel()
      downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      if isOver { return }
      self.demand += demand
      last?.link.subscription?.request(demand)
    }

    @inlinable
    func cancel() {
      isOver = true
      let (values, ending) = (waiting, last)
      waiting = Fifo()
      isRunning = false
      last = nil
      link.take()?.cancel()
      ending?.link.take()?.cancel()
      withExtendedLifetime(values) {}
    }
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let outer: Outer<Downstream>
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable
    init(_ outer: Outer<Downstream>) { self.outer = outer }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      if outer.demand > .none { subscription.request(outer.demand) }
    }

    @inlinable
    func receive(_ input: Output) -> Demand {
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

    @inlinable
    func receive(completion: Completion<Failure>) {
      if link.close() { outer.didEnd(self, completion) }
    }
  }
}

extension Publisher {
  /// Makes a publisher of each value and passes the values of one after the other; what comes while
  /// one runs waits. A failure of this one does not wait.
  @inlinable
  public func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> OneAtATime<Self, P> where P.Failure == Failure {
    OneAtATime(upstream: self, keepsWaiting: true, transform: transform)
  }

  /// Makes a publisher of each value and passes its values; what comes while one runs is dropped.
  @inlinable
  public func exhaustMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> OneAtATime<Self, P> where P.Failure == Failure {
    OneAtATime(upstream: self, keepsWaiting: false, transform: transform)
  }

  /// Makes a publisher of each value and passes the values of the latest; the one before is
  /// cancelled.
  @inlinable
  public func switchMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> SwitchToLatest<Map<Self, P>> where P.Failure == Failure {
    SwitchToLatest(upstream: map(transform))
  }
}
