/// Turns each value into another, drops it, or fails: a thrown error cancels upstream and is the
/// failure.
@frozen
public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
  public typealias Failure = any Error

  public let upstream: Upstream
  public let transform: (Upstream.Output) throws -> Output?

  @inlinable
  public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
    self.upstream = upstream
    self.transform = transform
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Inner(downstream: subscriber, transform: transform))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == any Error {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: (Upstream.Output) throws -> Output?
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable
    init(downstream: Downstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.downstream = downstream
      self.transform = transform
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      do {
        guard let output = try transform(input) else { return .max(1) }
        return downstream.receive(output)
      } catch {
        fail(error)
        return .none
      }
    }

    @inlinable
    func fail(_ error: any Error) {
      guard link.isLive else { return }
      link.take()?.cancel()
      downstream.receive(completion: .failure(error))
    }

    @inlinable
    func receive(completion: Completion<Upstream.Failure>) {
      guard link.close() else { return }
      switch completion {
      case .finished: downstream.receive(completion: .finished)
      case .failure(let error): downstream.receive(completion: .failure(error))
      }
    }

    @inlinable
    func request(_ demand: Demand) { link.subscription?.request(demand) }
    @inlinable
    func cancel() { link.take()?.cancel() }
  }
}

extension Publisher {
  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws -> Result
  ) -> TryCompactMap<Self, Result> {
    TryCompactMap(upstream: self, transform: transform)
  }

  @inlinable
  public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws -> Result?
  ) -> TryCompactMap<Self, Result> {
    TryCompactMap(upstream: self, transform: transform)
  }

  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> TryCompactMap<Self, Output> {
    TryCompactMap(upstream: self) { try isIncluded($0) ? $0 : nil }
  }
}
