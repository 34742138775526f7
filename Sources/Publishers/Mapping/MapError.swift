/// Turns the failure into another.
@frozen
public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes another failure of a failure.
  public let transform: (Upstream.Failure) -> Failure

  /// Creates the publisher that `mapError(_:)` returns.
  @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
    self.upstream = upstream
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(downstream: subscriber, transform: transform))
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: (Upstream.Failure) -> Failure

    @inlinable init(downstream: Downstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.downstream = downstream
      self.transform = transform
    }

    @inlinable func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }
    @inlinable func receive(_ input: Output) -> Demand { downstream.receive(input) }
    @inlinable func receive(completion: Completion<Upstream.Failure>) {
      switch completion {
      case .finished: downstream.receive(completion: .finished)
      case .failure(let error): downstream.receive(completion: .failure(transform(error)))
      }
    }
  }
}

extension Publisher {
  /// Fails with what the closure makes of a failure. Values and the end pass.
  @inlinable public func mapError<E: Error>(
    _ transform: @escaping (Failure) -> E
  ) -> MapError<Self, E> {
    MapError(upstream: self, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Says what failure a publisher has that never fails.
  @inlinable public func setFailureType<E: Error>(to failureType: E.Type) -> MapError<Self, E> {
    MapError(upstream: self) { _ -> E in }
  }
}
