/// Takes everything upstream has, passes what is asked for, and drops the rest.
@frozen
public struct Lossy<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  public let upstream: Upstream

  @inlinable
  init(upstream: Upstream) { self.upstream = upstream }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Inner(subscriber))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none

    @inlinable
    init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
      link.subscription?.request(.unlimited)
    }

    @inlinable
    func receive(_ input: Output) -> Demand {
      guard link.isLive, demand > .none else { return .none }
      demand -= 1
      let more = downstream.receive(input)
      if more > .none { demand += more }
      return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      if link.close() { downstream.receive(completion: completion) }
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      self.demand += demand
    }

    @inlinable
    func cancel() { link.take()?.cancel() }
  }
}
