/// Turns each value into another.
@frozen
public struct Map<Upstream: Publisher, Output>: Publisher {
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes another value of a value.
  public let transform: (Upstream.Output) -> Output

  /// Creates the publisher that `map(_:)` returns.
  @inlinable
  public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
    self.upstream = upstream
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(downstream: subscriber, transform: transform))
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: (Upstream.Output) -> Output

    @inlinable
    init(downstream: Downstream, transform: @escaping (Upstream.Output) -> Output) {
      self.downstream = downstream
      self.transform = transform
    }

    @inlinable
    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }
    @inlinable
    func receive(_ input: Upstream.Output) -> Demand { downstream.receive(transform(input)) }
    @inlinable
    func receive(completion: Completion<Failure>) {
      downstream.receive(completion: completion)
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
  @inlinable
  public func replaceNil<Value>(with value: Value) -> Map<Self, Value>
  where Output == Value? {
    Map(upstream: self) { $0 ?? value }
  }
}
