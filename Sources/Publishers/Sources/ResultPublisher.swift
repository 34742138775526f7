extension Result {
  /// A publisher of the result.
  public var publisher: Publisher { Publisher(self) }

  /// Emits the value of a result, and finishes. A failure is emitted at once.
  ///
  /// Operators that need no other publisher compute their result at once, as in Combine.
  @frozen
  public struct Publisher: Publishers.Publisher {
    /// The value of a success.
    public typealias Output = Success

    /// The emitted values and their end.
    public let result: Result

    /// Creates a publisher of a result.
    @inlinable public init(_ result: Result) { self.result = result }

    /// Creates a publisher of one value.
    @inlinable public init(_ output: Success) { self.init(.success(output)) }

    /// Creates a publisher that fails.
    @inlinable public init(_ failure: Failure) { self.init(.failure(failure)) }

    /// Attaches a subscriber, which receives its subscription first.
    @inlinable public func attach<S: Subscriber>(_ subscriber: S)
    where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success(let output):
        subscriber.receive(subscription: OneValueSubscription(subscriber, output))
      case .failure(let failure):
        subscriber.receive(subscription: EmptySubscription.shared)
        subscriber.receive(completion: .failure(failure))
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
extension Result.Publisher: Sendable where Success: Sendable {}
