/// Turns each value into another, drops it, or fails: a thrown error cancels upstream and is the
/// failure.
@frozen
public struct TryCompactMap<Upstream: Publisher, Output>: Operator {
  /// Makes another value of a value, makes nil to drop it, or throws to fail.
  public typealias Transform = (Upstream.Output) throws(Failure) -> Output?

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes what turns the values of one subscriber; it may remember what came before.
  @usableFromInline let makeTransform: () -> Transform

  /// Creates the publisher that `tryCompactMap(_:)` returns.
  @inlinable public init(upstream: Upstream, transform: @escaping Transform) {
    self.init(upstream: upstream, makeTransform: { transform })
  }

  @inlinable init(upstream: Upstream, makeTransform: @escaping () -> Transform) {
    self.upstream = upstream
    self.makeTransform = makeTransform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, makeTransform()))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let transform: Transform

    @inlinable init(_ downstream: S, _ transform: @escaping Transform) {
      self.transform = transform
      super.init(downstream)
    }

    // What is asked while the value is turned may end everything.
    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      do throws(Failure) {
        guard let output = try transform(input) else { return .max(1) }
        return link.isLive ? downstream.receive(output) : .none
      } catch {
        if link.isLive { end(.failure(error)) }
        return .none
      }
    }
  }
}
