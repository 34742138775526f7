/// Emits one value, and finishes.
///
/// Operators that need no other publisher compute their result at once, as in Combine: it is a
/// `Just` again, or the publisher of an optional or of a result.
@frozen
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Creates a publisher of one value.
  @inlinable public init(_ output: Output) { self.output = output }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Never {
    subscriber.receive(subscription: OneValueSubscription(subscriber, output))
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}
