/// A publisher of what is sent to it.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Passes a value to the subscribers.
  func send(_ value: Output)
  /// Ends the subject and all its subscribers.
  func send(completion: Completion<Failure>)
  /// Connects an upstream, which is asked for everything.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Passes on that something happened.
  public func send() { send(()) }
}

extension Publisher {
  /// Feeds a subject with everything this publisher yields.
  @inlinable public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let feed = SubjectFeed(subject)
    attach(feed)
    return AnyCancellable(feed)
  }
}

@usableFromInline final class SubjectFeed<S: Subject>: Subscriber, Subscription {
  @usableFromInline var subject: S?
  @usableFromInline var link = Link()

  @inlinable init(_ subject: S) { self.subject = subject }

  @inlinable func receive(subscription: any Subscription) {
    guard link.accept(subscription) else { return subscription.cancel() }
    subject?.send(subscription: self)
  }

  @inlinable func receive(_ input: S.Output) -> Demand {
    if link.isLive { subject?.send(input) }
    return .none
  }

  @inlinable func receive(completion: Completion<S.Failure>) {
    guard link.close() else { return }
    let fed = subject
    subject = nil
    fed?.send(completion: completion)
  }

  @inlinable func request(_ demand: Demand) { link.subscription?.request(demand) }
  @inlinable func cancel() {
    // The subject may be freed only after this access: it cancels what feeds it.
    let fed = subject
    subject = nil
    link.take()?.cancel()
    withExtendedLifetime(fed) {}
  }
}
