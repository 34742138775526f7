/// The part of an operator for one subscriber. As it is, it passes on the subscription, what is
/// asked for, the end and a cancellation; an operator overrides what it treats in another way.
///
/// Operators keep their state in a final class and touch it only in accesses that end before
/// anything else is called. That is why these accesses need no check while running.
@usableFromInline class Passage<Downstream: Subscriber>: Subscription {
  @usableFromInline final let downstream: Downstream
  @exclusivity(unchecked) @usableFromInline final var link = Link()
  /// The number of values that downstream has asked for and not got, where it is counted.
  @exclusivity(unchecked) @usableFromInline final var demand = Demand.none
  /// True once downstream has the end, or has cancelled.
  @exclusivity(unchecked) @usableFromInline final var isOver = false

  @inlinable init(_ downstream: Downstream) { self.downstream = downstream }

  @inlinable func receive(subscription: any Subscription) {
    guard link.accept(subscription) else { return subscription.cancel() }
    downstream.receive(subscription: self)
  }

  @inlinable func receive(completion: Completion<Downstream.Failure>) {
    if link.close() { finish(completion) }
  }

  /// Delivers a value that downstream has asked for, and counts what it asks for in return.
  @inlinable final func deliver(_ value: Downstream.Input) {
    demand -= 1
    let more = downstream.receive(value)
    if more > .none { demand += more }
  }

  /// Delivers a value in a job of its own, and asks upstream for what downstream asks in return.
  @inlinable final func deliverAndAsk(_ value: Downstream.Input) {
    if isOver { return }
    let more = downstream.receive(value)
    if more > .none { link.subscription?.request(more) }
  }

  @inlinable final func finish(_ completion: Completion<Downstream.Failure>) {
    if isOver { return }
    isOver = true
    downstream.receive(completion: completion)
  }

  /// Ends everything upstream, and then passes on the end.
  @inlinable final func end(_ completion: Completion<Downstream.Failure>) {
    if isOver { return }
    cancel()
    downstream.receive(completion: completion)
  }

  @inlinable func request(_ demand: Demand) { link.subscription?.request(demand) }

  @inlinable func cancel() {
    isOver = true
    link.take()?.cancel()
  }
}

/// The part of an operator that asks upstream for everything, and counts what downstream asks for.
@usableFromInline class Collector<Downstream: Subscriber>: Passage<Downstream> {
  @inlinable override init(_ downstream: Downstream) { super.init(downstream) }

  @inlinable override func receive(subscription: any Subscription) {
    guard link.accept(subscription) else { return subscription.cancel() }
    downstream.receive(subscription: self)
    link.subscription?.request(.unlimited)
  }

  @inlinable override func request(_ demand: Demand) {
    demand.mustAsk()
    self.demand += demand
  }
}

/// The part of an operator with a second publisher, whose events only steer it. Downstream has its
/// subscription before there is one upstream, and what it asks for waits until then.
@usableFromInline class Steered<Downstream: Subscriber>: Passage<Downstream> {
  /// The subscriber of the second publisher.
  @usableFromInline final var side: (any Cancellable)?

  @inlinable override init(_ downstream: Downstream) { super.init(downstream) }

  /// Subscribes to the second publisher.
  @inlinable final func steer<P: Publisher>(
    by other: P, demand: Demand = .unlimited, onEnd: @escaping (Completion<P.Failure>) -> Void,
    onValue: @escaping (P.Output) -> Void
  ) {
    let sink = Sink<P.Output, P.Failure>(receiveCompletion: onEnd, receiveValue: onValue)
    sink.demand = demand
    side = sink
    other.attach(sink)
  }

  @inlinable func stopSteering() {
    let stopped = side
    side = nil
    stopped?.cancel()
  }

  @inlinable override func receive(subscription: any Subscription) {
    guard link.accept(subscription) else { return subscription.cancel() }
    if demand > .none { subscription.request(demand) }
  }

  @inlinable override func receive(completion: Completion<Downstream.Failure>) {
    guard link.close() else { return }
    stopSteering()
    finish(completion)
  }

  @inlinable override func request(_ demand: Demand) {
    if let upstream = link.subscription {
      upstream.request(demand)
    } else {
      self.demand += demand
    }
  }

  @inlinable override func cancel() {
    isOver = true
    let upstream = link.take()
    stopSteering()
    upstream?.cancel()
  }
}

/// A subscriber that passes on the subscription and the end as they are.
@usableFromInline protocol Forwarding: Subscriber where Failure == Downstream.Failure {
  associatedtype Downstream: Subscriber
  var downstream: Downstream { get }
}

extension Forwarding {
  @inlinable func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }
  @inlinable func receive(completion: Completion<Failure>) {
    downstream.receive(completion: completion)
  }
}
