/// Passes what it is sent to its subscribers, and keeps nothing but its end.
///
/// A send inside a delivery goes depth first, as in Combine: later subscribers see the inner value
/// before the outer one. With `serialize` it waits until the outer one has reached everybody.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline let fanout: Fanout<Output, Failure>

  /// Creates a subject. With `serialize`, a send inside a delivery waits.
  @inlinable public init(serialize: Bool = false) {
    fanout = Fanout(serialize: serialize)
  }

  /// Passes a value to all subscribers that asked for one; ignored after the end.
  @inlinable public func send(_ value: Output) {
    if fanout.nested == nil { fanout.send(value) } else { queue(.value(value)) }
  }

  /// Ends all subscribers, and those that come later.
  @inlinable public func send(completion: Completion<Failure>) {
    if fanout.nested == nil {
      fanout.send(completion: completion)
    } else {
      queue(.completion(completion))
    }
  }

  @usableFromInline func queue(_ event: NestedSends<Output, Failure>.Event) {
    fanout.nested?.run(event) { event in
      switch event {
      case .value(let value): fanout.send(value)
      case .completion(let completion): fanout.send(completion: completion)
      }
    }
  }

  /// Connects an upstream, which is asked for everything as soon as a subscriber asks.
  @inlinable public func send(subscription: any Subscription) { fanout.add(subscription) }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    if let completion = fanout.completion {
      subscriber.receive(subscription: EmptySubscription.shared)
      return subscriber.receive(completion: completion)
    }
    let conduit = PassthroughConduit(fanout, subscriber)
    fanout.attach(conduit)
    subscriber.receive(subscription: conduit)
  }
}

@usableFromInline
final class PassthroughConduit<Downstream: Subscriber>: Conduit<
  Downstream.Input, Downstream.Failure
>
{
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ fanout: Fanout<Downstream.Input, Downstream.Failure>, _ downstream: Downstream) {
    self.downstream = downstream
    super.init(fanout) { conduit, value in
      unsafeDowncast(conduit, to: PassthroughConduit<Downstream>.self).offer(value)
    }
  }

  @inlinable func offer(_ value: Downstream.Input) {
    guard demand > .none, !isOver else { return }
    demand -= 1
    let more = downstream.receive(value)
    if more > .none { demand += more }
  }

  @inlinable override func finish(_ completion: Completion<Downstream.Failure>) {
    if isOver { return }
    fanout = nil
    downstream.receive(completion: completion)
  }
}
