/// Passes the values of the latest publisher that came, and cancels the one before.
@frozen
public struct SwitchToLatest<Upstream: Publisher>: Publisher
where Upstream.Output: Publisher, Upstream.Output.Failure == Upstream.Failure {
  /// The values of the publishers that upstream yields.
  public typealias Output = Upstream.Output.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream

  /// Creates the publisher that `switchToLatest()` returns.
  @inlinable
  public init(upstream: Upstream) { self.upstream = upstream }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let outer = Outer(subscriber)
    subscriber.receive(subscription: outer)
    if !outer.isOver { upstream.attach(outer) }
  }

  @usableFromInline final class Outer<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @usableFromInline var inner: Inner<Downstream>?
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      if isOver { return .none }
      let previous = inner
      let next = Inner(self)
      inner = next
      previous?.link.take()?.cancel()
      // Cancelling may have brought a still later one, or the end.
      if !isOver, inner === next { input.attach(next) }
      return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      switch completion {
      case .finished: finishIfDone()
      case .failure: fail(completion)
      }
    }

    @inlinable
    func didEnd(_ ended: Inner<Downstream>, _ completion: Completion<Failure>) {
      guard inner === ended else { return }
      inner = nil
      switch completion {
      case .finished: finishIfDone()
      case .failure: fail(completion)
      }
    }

    @inlinable
    func finishIfDone() {
      guard !isOver, link.isOver, inner == nil else { return }
      isOver = true
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
      inner?.link.subscription?.request(demand)
    }

    @inlinable
    func cancel() {
      isOver = true
      let ending = inner
      inner = nil
      let upstream = link.take()
      ending?.link.take()?.cancel()
      upstream?.cancel()
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
      guard outer.inner === self else { return .none }
      outer.demand -= 1
      let more = outer.downstream.receive(input)
      if more == .none { return .none }
      outer.demand += more
      if outer.inner === self { return more }
      // Another one has taken its place meanwhile, which was asked without `more`.
      outer.inner?.link.subscription?.request(more)
      return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      if link.close() { outer.didEnd(self, completion) }
    }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Emits the values of the latest publisher that this one emits, and cancels the one before.
  /// Completes when this publisher and the latest one have; fails with the first failure.
  @inlinable
  public func switchToLatest() -> SwitchToLatest<Self> { SwitchToLatest(upstream: self) }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Emits the values of the latest publisher that this one emits, and cancels the one before.
  /// Completes when this publisher and the latest one have; fails with the first failure.
  @inlinable
  public func switchToLatest() -> SwitchToLatest<MapError<Self, Output.Failure>> {
    SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// Emits the values of the latest publisher that this one emits, and cancels the one before.
  /// Completes when this publisher and the latest one have; fails with the first failure.
  @inlinable
  public func switchToLatest() -> SwitchToLatest<Self> { SwitchToLatest(upstream: self) }
}
