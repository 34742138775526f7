/// Passes one publisher's values, and after its end the values of another; a failure of the first
/// skips the second.
@frozen
public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
  /// The values of both publishers.
  public typealias Output = Prefix.Output
  /// The failure of both publishers.
  public typealias Failure = Prefix.Failure

  /// The publisher whose values come first.
  public let prefix: Prefix
  /// The publisher that is subscribed to after the first has finished.
  public let suffix: Suffix

  /// Creates the publisher that `append(_:)` and `prepend(_:)` return.
  @inlinable public init(prefix: Prefix, suffix: Suffix) {
    self.prefix = prefix
    self.suffix = suffix
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    prefix.attach(Inner(Relay(subscriber), suffix))
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let relay: Relay<Downstream>
    @usableFromInline let suffix: Suffix

    @inlinable init(_ relay: Relay<Downstream>, _ suffix: Suffix) {
      self.relay = relay
      self.suffix = suffix
    }

    @inlinable func receive(subscription: any Subscription) { relay.beginFirst(subscription) }
    @inlinable func receive(_ input: Output) -> Demand { relay.isFirst ? relay.pass(input) : .none }
    @inlinable func receive(completion: Completion<Failure>) {
      guard relay.isFirst else { return }
      switch completion {
      case .finished: if relay.change() { suffix.attach(RelaySecond(relay)) }
      case .failure: relay.finish(completion)
      }
    }
  }
}

extension Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publisher {
  /// Emits the values of this publisher and, after it has finished, the values of another one. The
  /// other is subscribed to only then, and not at all after a failure.
  @inlinable public func append<P: Publisher>(_ publisher: P) -> Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Concatenate(prefix: self, suffix: publisher)
  }

  /// Emits some more values after this publisher has finished, and then completes.
  @inlinable public func append(
    _ values: Output...
  ) -> Concatenate<Self, SequencePublisher<[Output], Failure>> {
    append(SequencePublisher(sequence: values))
  }

  /// Emits the elements of a sequence after this publisher has finished, and then completes.
  @inlinable public func append<Elements: Sequence>(
    _ values: Elements
  ) -> Concatenate<Self, SequencePublisher<Elements, Failure>> where Elements.Element == Output {
    append(SequencePublisher(sequence: values))
  }

  /// Emits the values of another publisher and, after that has finished, the values of this one.
  /// This one is subscribed to only then, and not at all after a failure.
  @inlinable public func prepend<P: Publisher>(_ publisher: P) -> Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Concatenate(prefix: publisher, suffix: self)
  }

  /// Emits some values before the values of this publisher.
  @inlinable public func prepend(
    _ values: Output...
  ) -> Concatenate<SequencePublisher<[Output], Failure>, Self> {
    prepend(SequencePublisher(sequence: values))
  }

  /// Emits the elements of a sequence before the values of this publisher.
  @inlinable public func prepend<Elements: Sequence>(
    _ values: Elements
  ) -> Concatenate<SequencePublisher<Elements, Failure>, Self> where Elements.Element == Output {
    prepend(SequencePublisher(sequence: values))
  }
}
