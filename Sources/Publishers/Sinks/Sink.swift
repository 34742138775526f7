/// A subscriber made of closures that takes everything; they are freed when it ends.
public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
  @exclusivity(unchecked) @usableFromInline var link = Link()
  @usableFromInline var demand = Demand.unlimited
  @exclusivity(unchecked) @usableFromInline var onValue: ((Input) -> Void)?
  @exclusivity(unchecked) @usableFromInline var onCompletion: ((Completion<Failure>) -> Void)?

  /// Creates a subscriber that calls the closures; it has to be subscribed.
  @inlinable public init(
    receiveCompletion: @escaping (Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    onCompletion = receiveCompletion
    onValue = receiveValue
  }

  /// Takes the first subscription and asks for everything; cancels any other.
  @inlinable public func receive(subscription: any Subscription) {
    guard link.accept(subscription) else { return subscription.cancel() }
    subscription.request(demand)
  }

  /// Calls the closure for values.
  @inlinable public func receive(_ input: Input) -> Demand {
    if let onValue { onValue(input) }
    return .none
  }

  /// Frees both closures, and calls the one for the end.
  @inlinable public func receive(completion: Completion<Failure>) {
    guard link.close() else { return }
    let handler = onCompletion
    free()
    handler?(completion)
  }

  /// Frees both closures and cancels upstream.
  @inlinable public func cancel() {
    let upstream = link.take()
    free()
    upstream?.cancel()
  }

  @usableFromInline func free() {
    let freed = (onValue, onCompletion)
    onValue = nil
    onCompletion = nil
    withExtendedLifetime(freed) {}
  }
}

extension Publisher {
  /// Calls the closures with everything that comes, until the result is cancelled or dropped.
  @inlinable public func sink(
    receiveCompletion: @escaping (Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    attach(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls the closure with each value, until the result is cancelled or dropped.
  @inlinable public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Sets a property of an object with each value. The object is kept until the end.
  @inlinable public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    sink { value in object[keyPath: keyPath] = value }
  }
}
