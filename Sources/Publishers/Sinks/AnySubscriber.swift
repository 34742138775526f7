/// A subscriber whose type does not say whose it is.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline let box: SubscriberBox<Input, Failure>

  /// Wraps a subscriber; one that is wrapped already stays as it is.
  @inlinable
  public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    if let erased = subscriber as? AnySubscriber<Input, Failure> {
      self = erased
    } else {
      box = TypedSubscriberBox(subscriber)
    }
  }

  /// A subscriber made of closures; one that is left out asks for nothing and does nothing.
  @inlinable public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Demand)? = nil,
    receiveCompletion: ((Completion<Failure>) -> Void)? = nil
  ) {
    box = TypedSubscriberBox(
      ClosureSubscriber(
        onSubscription: receiveSubscription, onValue: receiveValue,
        onCompletion: receiveCompletion))
  }

  /// Takes the subscription.
  @inlinable
  public func receive(subscription: any Subscription) { box.receive(subscription: subscription) }
  /// Takes a value, and returns how many more are wanted.
  @inlinable public func receive(_ input: Input) -> Demand { box.take(box, input) }
  /// Takes the end.
  @inlinable
  public func receive(completion: Completion<Failure>) { box.receive(completion: completion) }
}

@usableFromInline class SubscriberBox<Input, Failure: Error> {
  /// Made where the subscriber's type is known, so that values run through code compiled for it.
  @usableFromInline final let take: (SubscriberBox, Input) -> Demand

  @inlinable init(take: @escaping (SubscriberBox, Input) -> Demand) { self.take = take }
  @usableFromInline func receive(subscription: any Subscription) {}
  @usableFromInline func receive(completion: Completion<Failure>) {}
}

@usableFromInline final class TypedSubscriberBox<S: Subscriber>: SubscriberBox<S.Input, S.Failure> {
  @usableFromInline let subscriber: S

  @inlinable init(_ subscriber: S) {
    self.subscriber = subscriber
    super.init { box, input in
      unsafeDowncast(box, to: TypedSubscriberBox<S>.self).subscriber.receive(input)
    }
  }

  @inlinable override func receive(subscription: any Subscription) {
    subscriber.receive(subscription: subscription)
  }
  @inlinable override func receive(completion: Completion<S.Failure>) {
    subscriber.receive(completion: completion)
  }
}

@usableFromInline struct ClosureSubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline let onSubscription: ((any Subscription) -> Void)?
  @usableFromInline let onValue: ((Input) -> Demand)?
  @usableFromInline let onCompletion: ((Completion<Failure>) -> Void)?

  @inlinable init(
    onSubscription: ((any Subscription) -> Void)?, onValue: ((Input) -> Demand)?,
    onCompletion: ((Completion<Failure>) -> Void)?
  ) {
    self.onSubscription = onSubscription
    self.onValue = onValue
    self.onCompletion = onCompletion
  }

  @inlinable func receive(subscription: any Subscription) { onSubscription?(subscription) }
  @inlinable func receive(_ input: Input) -> Demand { onValue?(input) ?? .none }
  @inlinable func receive(completion: Completion<Failure>) { onCompletion?(completion) }
}
