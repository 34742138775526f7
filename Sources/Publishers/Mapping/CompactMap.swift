/// Turns each value into another or drops it.
@frozen
public struct CompactMap<Upstream: Publisher, Output>: Publisher {
  public typealias Failure = Upstream.Failure

  public let upstream: Upstream
  public let transform: (Upstream.Output) -> Output?

  @inlinable
  public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
    self.upstream = upstream
    self.transform = transform
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Inner(downstream: subscriber, transform: transform))
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
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Output) -> Result?
  ) -> CompactMap<Self, Result> {
    CompactMap(upstream: self, transform: transform)
  }
}
