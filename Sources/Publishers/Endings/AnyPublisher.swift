/// A publisher whose type does not say how it came about.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  @usableFromInline let box: PublisherBox<Output, Failure>

  @inlinable
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      box = TypedPublisherBox(publisher)
    }
  }

  // The subscriber is erased as well, so that a value crosses here by one call and both sides are
  // compiled for their types.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    box.attach(AnySubscriber(subscriber))
  }
}

extension Publisher {
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

@usableFromInline class PublisherBox<Output, Failure: Error> {
  @inlinable
  init() {}
  @usableFromInline func attach(_ subscriber: AnySubscriber<Output, Failure>) {}
}

@usableFromInline final class TypedPublisherBox<P: Publisher>: PublisherBox<P.Output, P.Failure> {
  @usableFromInline let publisher: P

  @inlinable
  init(_ publisher: P) {
    self.publisher = publisher
    super.init()
  }

  @inlinable
  override func attach(_ subscriber: AnySubscriber<P.Output, P.Failure>) {
    publisher.receive(subscriber: subscriber)
  }
}
