@_exported import Cancellables

/// Something that can be subscribed to: it yields values over time, and then finishes or fails.
public protocol Publisher<Output, Failure> {
  /// The type of the values.
  associatedtype Output
  /// The type of the errors; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber, which receives its subscription before anything else. The subscription
  /// lets go of everything when it is cancelled or has completed, so that a subscriber may keep it.
  /// A publisher outside of this library implements this, as in Combine.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// Attaches a subscriber that lets go of its subscription by itself, as operators do. The
  /// publishers of this library implement this; the other function is made from it.
  func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches a subscriber, which receives its subscription before anything else.
  @inlinable public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    attach(AttachedSubscriber(subscriber))
  }

  /// Attaches a subscriber to a publisher that only has the function of Combine.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    receive(subscriber: subscriber)
  }

  /// Attaches a subscriber, as `receive(subscriber:)` does.
  @inlinable public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// A subscriber that keeps its subscription would keep itself: the subscription leads to it. It
/// gets one that can be cut instead.
@usableFromInline struct AttachedSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline let downstream: Downstream
  @usableFromInline let subscription = DetachableSubscription()

  @inlinable init(_ downstream: Downstream) { self.downstream = downstream }

  @inlinable func receive(subscription upstream: any Subscription) {
    guard subscription.link.accept(upstream) else { return upstream.cancel() }
    downstream.receive(subscription: subscription)
  }
  @inlinable func receive(_ input: Downstream.Input) -> Demand {
    subscription.link.isLive ? downstream.receive(input) : .none
  }
  @inlinable func receive(completion: Completion<Downstream.Failure>) {
    if subscription.link.close() { downstream.receive(completion: completion) }
  }
}

/// A subscription that forgets its upstream at the end.
@usableFromInline final class DetachableSubscription: Subscription {
  @exclusivity(unchecked) @usableFromInline var link = Link()

  @inlinable init() {}

  @usableFromInline func request(_ demand: Demand) {
    link.subscription?.request(demand)
  }
  @usableFromInline func cancel() { link.take()?.cancel() }
}
