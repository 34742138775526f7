/// Drops a value that equals the one received just before it.
@frozen
public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Asked about the previous value and the new one, in this order.
  public let predicate: (Output, Output) -> Bool

  /// Creates the publisher that `removeDuplicates(by:)` returns.
  @inlinable
  public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
    self.upstream = upstream
    self.predicate = predicate
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(subscriber, predicate))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let predicate: (Output, Output) -> Bool
    @exclusivity(unchecked) @usableFromInline var last: Output?

    @inlinable
    init(_ downstream: Downstream, _ predicate: @escaping (Output, Output) -> Bool) {
      self.downstream = downstream
      self.predicate = predicate
    }

    @inlinable
    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }
    @inlinable
    func receive(_ input: Output) -> Demand {
      let previous = last
      last = input
      if let previous, predicate(previous, input) { return .max(1) }
      return downstream.receive(input)
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      downstream.receive(completion: completion)
    }
  }
}

extension Publisher {
  /// Drops each value that the closure finds equal to the one received just before. The first value
  /// always passes.
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> RemoveDuplicates<Self> {
    RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publisher where Output: Equatable {
  /// Drops each value that equals the one received just before. The first value always passes.
  @inlinable
  public func removeDuplicates() -> RemoveDuplicates<Self> {
    RemoveDuplicates(upstream: self) { $0 == $1 }
  }
}
