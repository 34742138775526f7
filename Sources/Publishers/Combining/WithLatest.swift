/// Passes each value together with the latest of another publisher; drops those that come before it
/// has one.
@frozen
public struct WithLatest<Upstream: Publisher, Other: Publisher>: Publisher
where Upstream.Failure == Other.Failure {
  /// A value of upstream and the latest of the other publisher.
  public typealias Output = (Upstream.Output, Other.Output)
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The publisher of which only the latest value is kept.
  public let other: Other

  /// Creates the publisher that `withLatest(from:)` returns.
  @inlinable
  public init(upstream: Upstream, other: Other) {
    self.upstream = upstream
    self.other = other
  }

  // The other is subscribed to first, so that what it has at once is there for the first value.
  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let inner = Inner(subscriber)
    subscriber.receive(subscription: inner)
    if !inner.isOver { other.attach(OtherSide(inner)) }
    if !inner.isOver { upstream.attach(inner) }
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @usableFromInline var otherLink = Link()
    /// The demand from before there was an upstream.
    @usableFromInline var demand = Demand.none
    @exclusivity(unchecked) @usableFromInline var latest: Other.Output?

    @inlinable
    init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable
    var isOver: Bool { link.isOver }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      if demand > .none { subscription.request(demand) }
    }

    // A value that is dropped was asked for, so another is asked for in its place.
    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      guard let latest else { return .max(1) }
      return downstream.receive((input, latest))
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      latest = nil
      otherLink.take()?.cancel()
      downstream.receive(completion: completion)
    }

    @inlinable
    func otherDidEnd(_ completion: Completion<Failure>) {
      guard otherLink.close(), !isOver, case .failure = completion else { return }
      latest = nil
      link.take()?.cancel()
      downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      if let upstream = link.subscription {
        upstream.request(demand)
      } else {
        self.demand += demand
      }
    }

    @inlinable
    func cancel() {
      let (upstream, other) = (link.take(), otherLink.take())
      latest = nil
      other?.cancel()
      upstream?.cancel()
    }
  }

  @usableFromInline struct OtherSide<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let inner: Inner<Downstream>

    @inlinable
    init(_ inner: Inner<Downstream>) { self.inner = inner }

    @inlinable
    func receive(subscription: any Subscription) {
      guard inner.otherLink.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }
    @inlinable
    func receive(_ input: Other.Output) -> Demand {
      if inner.otherLink.isLive { inner.latest = input }
      return .none
    }
    @inlinable
    func receive(completion: Completion<Failure>) { inner.otherDidEnd(completion) }
  }
}

extension Publisher {
  /// Passes each value together with the latest of another publisher. It ends with this one; the
  /// other's end changes nothing, its failure ends everything.
  @inlinable
  public func withLatest<P: Publisher>(from other: P) -> WithLatest<Self, P>
  where P.Failure == Failure {
    WithLatest(upstream: self, other: other)
  }

  /// Emits what the closure makes of each value and the latest of another publisher; see
  /// `withLatest(from:)`.
  @inlinable
  public func withLatest<P: Publisher, Result>(
    from other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Map<WithLatest<Self, P>, Result> where P.Failure == Failure {
    withLatest(from: other).map { transform($0.0, $0.1) }
  }
}
