/// Drops a value that equals the one received just before it.
@frozen
public struct RemoveDuplicates<Upstream: Publisher>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Asked about the previous value and the new one, in this order.
  public let predicate: (Output, Output) -> Bool

  /// Creates the publisher that `removeDuplicates(by:)` returns.
  @inlinable public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
    self.upstream = upstream
    self.predicate = predicate
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let last = Memory<Output?>(nil)
    upstream.attach(
      Sieve(subscriber) { (input: Output) in
        let previous = last.kept
        last.kept = input
        if let previous, predicate(previous, input) { return nil }
        return input
      })
  }
}

extension Publisher {
  /// Drops each value that the closure finds equal to the one received just before. The first value
  /// always passes.
  @inlinable public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> RemoveDuplicates<Self> {
    RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publisher where Output: Equatable {
  /// Drops each value that equals the one received just before. The first value always passes.
  @inlinable public func removeDuplicates() -> RemoveDuplicates<Self> {
    RemoveDuplicates(upstream: self) { $0 == $1 }
  }
}
