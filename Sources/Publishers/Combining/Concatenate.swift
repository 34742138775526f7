/// Passes one publisher's values, and after its end those of another; a failure of the first skips
/// the second.
@frozen
public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
  public typealias Output = Prefix.Output
  public typealias Failure = Prefix.Failure

  public let prefix: Prefix
  public let suffix: Suffix

  @inlinable
  public init(prefix: Prefix, suffix: Suffix) {
    self.prefix = prefix
    self.suffix = suffix
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    prefix.receive(subscriber: Inner(Relay(subscriber), suffix))
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let relay: Relay<Downstream>
    @usableFromInline let suffix: Suffix

    @inlinable
    init(_ relay: Relay<Downstream>, _ suffix: Suffix) {
      self.relay = relay
      self.suffix = suffix
    }

    @inlinable
    func receive(subscription: any Subscription) { relay.begin(subscription) }
    @inlinable
    func receive(_ input: Output) -> Demand { relay.pass(input) }
    @inlinable
    func receive(completion: Completion<Failure>) {
      switch completion {
      case .finished: if relay.change() { suffix.receive(subscriber: RelaySecond(relay)) }
      case .failure: relay.finish(completion)
      }
    }
  }
}

extension Publisher {
  @inlinable
  public func append<P: Publisher>(_ publisher: P) -> Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Concatenate(prefix: self, suffix: publisher)
  }

  @inlinable
  public func append(
    _ values: Output...
  ) -> Concatenate<Self, SequencePublisher<[Output], Failure>> {
    append(SequencePublisher(sequence: values))
  }

  @inlinable
  public func append<Elements: Sequence>(
    _ values: Elements
  ) -> Concatenate<Self, SequencePublisher<Elements, Failure>> where Elements.Element == Output {
    append(SequencePublisher(sequence: values))
  }

  @inlinable
  public func prepend<P: Publisher>(_ publisher: P) -> Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Concatenate(prefix: publisher, suffix: self)
  }

  @inlinable
  public func prepend(
    _ values: Output...
  ) -> Concatenate<SequencePublisher<[Output], Failure>, Self> {
    prepend(SequencePublisher(sequence: values))
  }

  @inlinable
  public func prepend<Elements: Sequence>(
    _ values: Elements
  ) -> Concatenate<SequencePublisher<Elements, Failure>, Self> where Elements.Element == Output {
    prepend(SequencePublisher(sequence: values))
  }
}
