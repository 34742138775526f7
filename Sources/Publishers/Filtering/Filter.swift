/// Lets those values pass that satisfy a condition.
@frozen
public struct Filter<Upstream: Publisher>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The condition under which a value passes.
  public let isIncluded: (Output) -> Bool

  /// Creates the publisher that `filter(_:)` returns.
  @inlinable
  public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
    self.upstream = upstream
    self.isIncluded = isIncluded
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(downstream: subscriber, isIncluded: isIncluded))
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
  /// Emits the values that satisfy a condition. The end and failures pass.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Filter<Self> {
    Filter(upstream: self, isIncluded: isIncluded)
  }
}
