/// Passes on the end alone.
@frozen
public struct IgnoreOutput<Upstream: Publisher>: Operator {
  /// It emits no values.
  public typealias Output = Never

  /// The publisher whose events come in.
  public let upstream: Upstream

  /// Creates the publisher that `ignoreOutput()` returns.
  @inlinable public init(upstream: Upstream) { self.upstream = upstream }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Never, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber))
  }

  @usableFromInline final class Inner<S: Subscriber<Never, Failure>>: Collector<S>, Subscriber {
    @inlinable override init(_ downstream: S) { super.init(downstream) }

    @inlinable func receive(_ input: Upstream.Output) -> Demand { .none }
    @inlinable override func request(_ demand: Demand) {}
  }
}

extension IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Emits no values. Takes all that come; the end and failures pass.
  @inlinable public func ignoreOutput() -> IgnoreOutput<Self> { IgnoreOutput(upstream: self) }
}
