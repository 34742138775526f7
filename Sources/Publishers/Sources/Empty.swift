/// Emits nothing, and finishes at once or never.
@frozen
public struct Empty<Output, Failure: Error>: Publisher {
  /// True if it completes at once; otherwise it never completes.
  public let completeImmediately: Bool

  /// Creates a publisher without values.
  @inlinable public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Creates a publisher without values, with its types named.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type)
  {
    self.init(completeImmediately: completeImmediately)
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    subscriber.receive(subscription: EmptySubscription.shared)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

extension Empty: Equatable {}
extension Empty: Sendable {}

/// Emits nothing, and fails at once.
@frozen
public struct Fail<Output, Failure: Error>: Publisher {
  /// The failure.
  public let error: Failure

  /// Creates a publisher that fails.
  @inlinable public init(error: Failure) { self.error = error }

  /// Creates a publisher that fails, with its types named.
  @inlinable public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    subscriber.receive(subscription: EmptySubscription.shared)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable {}

/// Makes a fresh publisher for each subscriber.
@frozen
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The values of the publisher that is made.
  public typealias Output = DeferredPublisher.Output
  /// The failure of the publisher that is made.
  public typealias Failure = DeferredPublisher.Failure

  /// Makes a publisher for one subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Creates a publisher whose closure is called for each subscriber.
  @inlinable public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    createPublisher().attach(subscriber)
  }
}
