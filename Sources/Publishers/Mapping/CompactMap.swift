/// Turns each value into another or drops it.
@frozen
public struct CompactMap<Upstream: Publisher, Output>: Operator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes another value of a value, or nil to drop it.
  public let transform: (Upstream.Output) -> Output?

  /// Creates the publisher that `compactMap(_:)` returns.
  @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
    self.upstream = upstream
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Sieve(subscriber, transform))
  }
}

/// A subscriber to values that are turned into others or dropped.
@usableFromInline struct Sieve<Input, Downstream: Subscriber>: Forwarding {
  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: (Input) -> Downstream.Input?

  @inlinable init(_ downstream: Downstream, _ transform: @escaping (Input) -> Downstream.Input?) {
    self.downstream = downstream
    self.transform = transform
  }

  // A value that is dropped was asked for, so another is asked for in its place.
  @inlinable func receive(_ input: Input) -> Demand {
    guard let output = transform(input) else { return .max(1) }
    return downstream.receive(output)
  }
}

extension Publisher {
  /// Emits what the closure makes of each value, and drops what it makes nil of. The end and
  /// failures pass.
  @inlinable public func compactMap<Result>(
    _ transform: @escaping (Output) -> Result?
  ) -> CompactMap<Self, Result> {
    CompactMap(upstream: self, transform: transform)
  }
}
