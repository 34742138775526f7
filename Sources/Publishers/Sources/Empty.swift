/// Yields nothing, and finishes at once or never.
@frozen
public struct Empty<Output, Failure: Error>: Publisher {
  public let completeImmediately: Bool

  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type)
  {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: EmptySubscription.shared)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// Yields nothing, and fails at once.
@frozen
public struct Fail<Output, Failure: Error>: Publisher {
  public let error: Failure

  @inlinable
  public init(error: Failure) { self.error = error }

  @inlinable
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: EmptySubscription.shared)
    subscriber.receive(completion: .failure(error))
  }
}

/// Makes a fresh publisher for each subscriber.
@frozen
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  public let createPublisher: () -> DeferredPublisher

  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    createPublisher().receive(subscriber: subscriber)
  }
}
