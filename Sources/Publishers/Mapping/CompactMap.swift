/// Turns each value into another or drops it.
@frozen
public struct CompactMap<Upstream: Publisher, Output>: Publisher {
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes another value of a value, or nil to drop it.
  public let transform: (Upstream.Output) -> Output?

  /// Creates the publisher that `compactMap(_:)` returns.
  @inlinable
  public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
    self.upstream = upstream
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(downstream: subscriber, transform: transform))
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: (Upstream.Output) -> Output?

    @inlinable
    init(downstream: Downstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.downstream = downstream
      self.transform = transform
    }

    @inlinable
    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }
    // A value that is dropped was asked for, so another is asked for in its place.
    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard let output = transform(input) else { return .max(1) }
      return downstream.receive(output)
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      downstream.receive(completion: completion)
    }
  }
}

extension Publisher {
  /// Emits what the closure makes of each value, and drops what it makes nil of. The end and
  /// failures pass.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Output) -> Result?
  ) -> CompactMap<Self, Result> {
    CompactMap(upstream: self, transform: transform)
  }
}
