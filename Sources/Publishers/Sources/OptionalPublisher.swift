extension Optional {
  /// A publisher of the wrapped value.
  public var publisher: Publisher { Publisher(self) }

  /// Emits the wrapped value, and finishes. Without a value it finishes at once.
  ///
  /// Operators that need no other publisher compute their result at once, as in Combine. The result
  /// for an optional without a value has no value either, also of `count()` or `collect()`.
  @frozen
  public struct Publisher: Publishers.Publisher {
    /// The wrapped value.
    public typealias Output = Wrapped
    /// It cannot fail.
    public typealias Failure = Never

    /// The value, or nil.
    public let output: Wrapped?

    /// Creates a publisher of the wrapped value.
    @inlinable public init(_ output: Wrapped?) { self.output = output }

    /// Attaches a subscriber, which receives its subscription first.
    @inlinable public func attach<S: Subscriber>(_ subscriber: S)
    where S.Input == Wrapped, S.Failure == Never {
      if let output {
        return subscriber.receive(subscription: OneValueSubscription(subscriber, output))
      }
      subscriber.receive(subscription: EmptySubscription.shared)
      subscriber.receive(completion: .finished)
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}
