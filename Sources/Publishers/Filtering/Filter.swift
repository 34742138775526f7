/// Lets those values pass that satisfy a condition.
@frozen
public struct Filter<Upstream: Publisher>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The condition under which a value passes.
  public let isIncluded: (Output) -> Bool

  /// Creates the publisher that `filter(_:)` returns.
  @inlinable public init(upstream: Upstream, isIncluded: @escaping (Output) -> Bool) {
    self.upstream = upstream
    self.isIncluded = isIncluded
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Sieve(subscriber) { isIncluded($0) ? $0 : nil })
  }
}

extension Publisher {
  /// Emits the values that satisfy a condition. The end and failures pass.
  @inlinable public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Filter<Self> {
    Filter(upstream: self, isIncluded: isIncluded)
  }
}
