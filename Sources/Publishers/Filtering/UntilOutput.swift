/// Passes values until another publisher yields something, or only from then on.
@frozen
public struct UntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The side of the other publisher's first value that passes, and the meaning of the other's end.
  @frozen
  @usableFromInline enum Part {
    /// Values before it pass. The end of the other publisher does not matter.
    case before
    /// Values after it pass. If the other publisher fails, this one fails; if it has no value,
    /// this one completes.
    case after((Other.Failure) -> Failure)
  }

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The publisher whose first value matters.
  public let other: Other
  @usableFromInline let part: Part

  @inlinable
  init(upstream: Upstream, other: Other, part: Part) {
    self.upstream = upstream
    self.other = other
    self.part = part
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let inner = Inner(subscriber, part)
    subscriber.receive(subscription: inner)
    other.attach(OtherSide(inner))
    if !inner.isOver { upstream.attach(inner) }
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let part: Part
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @usableFromInline var otherLink = Link()
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    @usableFromInline var isOpen: Bool

    @inlinable
    init(_ downstream: Downstream, _ part: Part) {
      self.downstream = downstream
      self.part = part
      if case .before = part { isOpen = true } else { isOpen = false }
    }

    @inlinable
    var isOver: Bool { link.isOver }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      if demand > .none { subscription.request(demand) }
    }

    @inlinable
    func receive(_ input: Output) -> Demand {
      guard link.isLive else { return .none }
      return isOpen ? downstream.receive(input) : .max(1)
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      otherLink.take()?.cancel()
      downstream.receive(completion: completion)
    }

    @inlinable
    func otherDidYield() {
      otherLink.take()?.cancel()
      switch part {
      case .before: end(.finished)
      case .after: isOpen = true
      }
    }

    @inlinable
    func otherDidEnd(_ completion: Completion<Other.Failure>) {
      guard otherLink.close() else { return }
      switch (part, completion) {
      case (.before, _): break
      case (.after, .finished): end(.finished)
      case (.after(let convert), .failure(let error)): end(.failure(convert(error)))
      }
    }

    @inlinable
    func end(_ completion: Completion<Failure>) {
      if isOver { return }
      link.take()?.cancel()
      downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Demand) {
      if demand == .none { return }
      if let upstream = link.subscription {
        upstream.request(demand)
      } else {
        self.demand += demand
      }
    }

    @inlinable
    func cancel() {
      let other = otherLink.take()
      link.take()?.cancel()
      other?.cancel()
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
      subscription.request(.max(1))
    }
    @inlinable
    func receive(_ input: Other.Output) -> Demand {
      if inner.otherLink.isLive { inner.otherDidYield() }
      return .none
    }
    @inlinable
    func receive(completion: Completion<Other.Failure>) { inner.otherDidEnd(completion) }
  }
}

extension Publisher {
  /// Finishes when another publisher yields something. If that one ends without a value, or fails,
  /// this makes no difference. Its first value is its last: the subscription to it is cancelled.
  @inlinable
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> UntilOutput<Self, P> {
    UntilOutput(upstream: self, other: publisher, part: .before)
  }

  /// Drops everything until another publisher yields something. If that one ends without a value,
  /// this publisher completes; if it fails first, this one fails. For each value that is dropped,
  /// one more is asked for.
  @inlinable
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> UntilOutput<Self, P>
  where P.Failure == Failure {
    UntilOutput(upstream: self, other: publisher, part: .after { $0 })
  }
}
