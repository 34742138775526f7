/// Turns each value into another.
@frozen
public struct Map<Upstream: Publisher, Output>: Operator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes another value of a value.
  public let transform: (Upstream.Output) -> Output

  /// Creates the publisher that `map(_:)` returns.
  @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
    self.upstream = upstream
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, transform))
  }

  @usableFromInline struct Inner<Downstream: Subscriber<Output, Failure>>: Forwarding {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: (Upstream.Output) -> Output

    @inlinable init(_ downstream: Downstream, _ transform: @escaping (Upstream.Output) -> Output) {
      self.downstream = downstream
      self.transform = transform
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      downstream.receive(transform(input))
    }
  }
}

extension Publisher {
  /// Emits what the closure makes of each value. The end and failures pass.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Map<Self, Result> {
    Map(upstream: self, transform: transform)
  }

  /// Replaces each value that is nil.
  @inlinable public func replaceNil<Value>(with value: Value) -> Map<Self, Value>
  where Output == Value? {
    Map(upstream: self) { $0 ?? value }
  }
}
