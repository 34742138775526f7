/// Passes values from one publisher and then from the next, and takes the demand that is left over
/// from one to the other.
@usableFromInline final class Relay<Downstream: Subscriber>: Subscription {
  @usableFromInline let downstream: Downstream
  @usableFromInline var demand = Demand.none
  @usableFromInline var upstream: (any Subscription)?
  /// The number of the publisher whose turn it is.
  @usableFromInline var turn = 0
  @usableFromInline var hasBegun = false
  @usableFromInline var isOver = false

  @inlinable init(_ downstream: Downstream) { self.downstream = downstream }

  /// Takes the subscription of the publisher whose turn it is.
  @inlinable func begin(_ subscription: any Subscription) {
    if isOver || upstream != nil { return subscription.cancel() }
    upstream = subscription
    if !hasBegun {
      hasBegun = true
      downstream.receive(subscription: self)
    } else if demand > .none {
      subscription.request(demand)
    }
  }

  /// The first publisher says nothing more once it has ended.
  @inlinable var isFirst: Bool { turn == 0 }

  /// Takes the subscription of the first publisher, and cancels those that come after its end.
  @inlinable func beginFirst(_ subscription: any Subscription) {
    if isFirst { begin(subscription) } else { subscription.cancel() }
  }

  @inlinable func pass(_ input: Downstream.Input) -> Demand {
    if isOver { return .none }
    demand -= 1
    let asked = turn
    let more = downstream.receive(input)
    if more == .none { return .none }
    demand += more
    if asked == turn { return more }
    // The publisher of this value has ended meanwhile, and the next one was asked without `more`.
    upstream?.request(more)
    return .none
  }

  /// The one before has ended, the next will be subscribed to; false after the end.
  @inlinable func change() -> Bool {
    upstream = nil
    turn += 1
    return !isOver
  }

  @inlinable func finish(_ completion: Completion<Downstream.Failure>) {
    if isOver { return }
    isOver = true
    upstream = nil
    downstream.receive(completion: completion)
  }

  @inlinable func request(_ demand: Demand) {
    if isOver || demand == .none { return }
    self.demand += demand
    upstream?.request(demand)
  }

  @inlinable func cancel() {
    isOver = true
    let current = upstream
    upstream = nil
    current?.cancel()
  }
}

/// The last of those whose values are passed on.
@usableFromInline struct RelaySecond<Downstream: Subscriber>: Subscriber {
  @usableFromInline let relay: Relay<Downstream>

  @inlinable init(_ relay: Relay<Downstream>) { self.relay = relay }

  @inlinable func receive(subscription: any Subscription) { relay.begin(subscription) }
  @inlinable func receive(_ input: Downstream.Input) -> Demand { relay.pass(input) }
  @inlinable func receive(completion: Completion<Downstream.Failure>) { relay.finish(completion) }
}
