/// A publisher whose type does not say how it came about.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  @usableFromInline let box: PublisherBox<Output, Failure>

  /// Wraps a publisher; one that is wrapped already stays as it is.
  @inlinable
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      box = PublisherBox(publisher)
    }
  }

  // The subscriber is erased as well, so that a value crosses here by one call and both sides are
  // compiled for their types.
  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    box.attach(AnySubscriber(subscriber))
  }
}

extension Publisher {
  /// Hides the type of this publisher. Events pass unchanged.
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A publisher of some type. How it is subscribed to is a body that is made where that type is
/// known: an overridden method of a generic class would run code that is not compiled for it.
@usableFromInline final class PublisherBox<Output, Failure: Error> {
  @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void

  @inlinable init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    attach = { publisher.attach($0) }
  }
}
