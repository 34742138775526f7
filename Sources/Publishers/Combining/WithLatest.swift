/// Passes each value together with the latest of another publisher; drops those that come before it
/// has one.
@frozen
public struct WithLatest<Upstream: Publisher, Other: Publisher>: Operator
where Upstream.Failure == Other.Failure {
  /// A value of upstream and the latest of the other publisher.
  public typealias Output = (Upstream.Output, Other.Output)

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The publisher of which only the latest value is kept.
  public let other: Other

  /// Creates the publisher that `withLatest(from:)` returns.
  @inlinable public init(upstream: Upstream, other: Other) {
    self.upstream = upstream
    self.other = other
  }

  // The other is subscribed to first, so that what it has at once is there for the first value.
  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let inner = Inner(subscriber)
    subscriber.receive(subscription: inner)
    if !inner.isOver {
      inner.steer(by: other) { completion in
        if case .failure = completion { inner.end(completion) }
      } onValue: {
        inner.latest = $0
      }
    }
    if !inner.isOver { upstream.attach(inner) }
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Steered<S>, Subscriber {
    @exclusivity(unchecked) @usableFromInline var latest: Other.Output?

    // A value that is dropped was asked for, so another is asked for in its place.
    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      guard let latest else { return .max(1) }
      return downstream.receive((input, latest))
    }

    @inlinable override func stopSteering() {
      latest = nil
      super.stopSteering()
    }

    @inlinable override func request(_ demand: Demand) {
      demand.mustAsk()
      super.request(demand)
    }
  }
}

extension Publisher {
  /// Passes each value together with the latest of another publisher. It ends with this one; the
  /// other's end changes nothing, its failure ends everything.
  @inlinable public func withLatest<P: Publisher>(from other: P) -> WithLatest<Self, P>
  where P.Failure == Failure {
    WithLatest(upstream: self, other: other)
  }

  /// Emits what the closure makes of each value and the latest of another publisher; see
  /// `withLatest(from:)`.
  @inlinable public func withLatest<P: Publisher, Result>(
    from other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Map<WithLatest<Self, P>, Result> where P.Failure == Failure {
    withLatest(from: other).map { transform($0.0, $0.1) }
  }
}
