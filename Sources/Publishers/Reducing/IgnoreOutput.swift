/// Passes on the end alone.
@frozen
public struct IgnoreOutput<Upstream: Publisher>: Publisher {
  /// It emits no values.
  public typealias Output = Never
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream

  /// Creates the publisher that `ignoreOutput()` returns.
  @inlinable
  public init(upstream: Upstream) { self.upstream = upstream }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Never, S.Failure == Failure {
    upstream.attach(Inner(subscriber))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Never, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable
    init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
      link.subscription?.request(.unlimited)
    }
    @inlinable
    func receive(_ input: Upstream.Output) -> Demand { .none }
    @inlinable
    func receive(completion: Completion<Failure>) {
      if link.close() { downstream.receive(completion: completion) }
    }
    @inlinable
    func request(_ demand: Demand) {}
    @inlinable
    func cancel() { link.take()?.cancel() }
  }
}

extension IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Emits no values. Takes all that come; the end and failures pass.
  @inlinable
  public func ignoreOutput() -> IgnoreOutput<Self> { IgnoreOutput(upstream: self) }
}
