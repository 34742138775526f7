/// Lets those values pass that satisfy a condition.
@frozen
public struct Filter<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  public let upstream: Upstream
  public let isIncluded: (Output) -> Bool

  @inlinable
  public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
    self.upstream = upstream
    self.isIncluded = isIncluded
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Inner(downstream: subscriber, isIncluded: isIncluded))
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let isIncluded: (Output) -> Bool

    @inlinable
    init(downstream: Downstream, isIncluded: @escaping (Output) -> Bool) {
      self.downstream = downstream
      self.isIncluded = isIncluded
    }

    @inlinable
    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }
    // A value that is dropped was asked for, so another is asked for in its place.
    @inlinable
    func receive(_ input: Output) -> Demand {
      isIncluded(input) ? downstream.receive(input) : .max(1)
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      downstream.receive(completion: completion)
    }
  }
}

extension Publisher {
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Filter<Self> {
    Filter(upstream: self, isIncluded: isIncluded)
  }
}
