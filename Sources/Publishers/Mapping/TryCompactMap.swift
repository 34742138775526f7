/// Turns each value into another, drops it, or fails: a thrown error cancels upstream and is the
/// failure.
@frozen
public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure
  /// Makes another value of a value, makes nil to drop it, or throws to fail.
  public typealias Transform = (Upstream.Output) throws(Failure) -> Output?

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes what turns the values of one subscriber; it may remember what came before.
  @usableFromInline let makeTransform: () -> Transform

  /// Creates the publisher that `tryCompactMap(_:)` returns.
  @inlinable
  public init(upstream: Upstream, transform: @escaping Transform) {
    self.init(upstream: upstream, makeTransform: { transform })
  }

  @inlinable
  init(upstream: Upstream, makeTransform: @escaping () -> Transform) {
    self.upstream = upstream
    self.makeTransform = makeTransform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.attach(Inner(downstream: subscriber, transform: makeTransform()))
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: Transform
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable
    init(downstream: Downstream, transform: @escaping Transform) {
      self.downstream = downstream
      self.transform = transform
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      downstream.receive(subscription: self)
    }

    // What is asked while the value is turned may end everything.
    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      do throws(Failure) {
        guard let output = try transform(input) else { return .max(1) }
        return link.isLive ? downstream.receive(output) : .none
      } catch {
        fail(error)
        return .none
      }
    }

    @inlinable
    func fail(_ error: Failure) {
      guard link.isLive else { return }
      link.take()?.cancel()
      downstream.receive(completion: .failure(error))
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      if link.close() { downstream.receive(completion: completion) }
    }

    @inlinable
    func request(_ demand: Demand) { link.subscription?.request(demand) }
    @inlinable
    func cancel() { link.take()?.cancel() }
  }
}
