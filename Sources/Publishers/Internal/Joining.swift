/// The state that several publishers share whose values are put together.
///
/// The values are of any number of types, so that each side puts its own in its place and one
/// function joins them.
@usableFromInline class Joining<Downstream: Subscriber, Values>: Subscription {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline final let downstream: Downstream
  @usableFromInline final var links: [Link]
  @exclusivity(unchecked) @usableFromInline final var values: Values
  /// The values of sides that have none.
  @usableFromInline final let none: Values
  @exclusivity(unchecked) @usableFromInline final var demand = Demand.none
  @exclusivity(unchecked) @usableFromInline final var isOver = false

  @inlinable init(_ downstream: Downstream, sides: Int, _ values: Values) {
    self.downstream = downstream
    self.values = values
    none = values
    links = Array(repeating: Link(), count: sides)
  }

  /// Subscribes one of the publishers, unless all is over.
  @inlinable final func attach<P: Publisher>(
    _ publisher: P, _ side: Int, _ put: @escaping (inout Values, P.Output) -> Void
  ) where P.Failure == Failure {
    if !isOver { publisher.attach(JoinedSide(state: self, side: side, put: put)) }
  }

  /// The demand of a side when it is subscribed to.
  @usableFromInline var demandAtStart: Demand { .unlimited }
  /// A side has put a value in its place; returns what is asked of it in return.
  @usableFromInline func didPut(_ side: Int) -> Demand { .none }
  @usableFromInline func finishIfDone() {}
  @usableFromInline func request(_ demand: Demand) {}

  @inlinable func fail(_ completion: Completion<Failure>) {
    cancel()
    downstream.receive(completion: completion)
  }

  @inlinable func cancel() {
    isOver = true
    let kept = values
    values = none
    for side in links.indices { links[side].take()?.cancel() }
    withExtendedLifetime(kept) {}
  }
}

/// The subscriber of one of several publishers.
@usableFromInline struct JoinedSide<Downstream: Subscriber, Values, Input>: Subscriber {
  @usableFromInline let state: Joining<Downstream, Values>
  @usableFromInline let side: Int
  @usableFromInline let put: (inout Values, Input) -> Void

  @inlinable init(
    state: Joining<Downstream, Values>, side: Int, put: @escaping (inout Values, Input) -> Void
  ) {
    self.state = state
    self.side = side
    self.put = put
  }

  @inlinable func receive(subscription: any Subscription) {
    guard !state.isOver, state.links[side].accept(subscription) else {
      return subscription.cancel()
    }
    if state.demandAtStart > .none { subscription.request(state.demandAtStart) }
  }

  @inlinable func receive(_ input: Input) -> Demand {
    guard !state.isOver, state.links[side].isLive else { return .none }
    put(&state.values, input)
    return state.didPut(side)
  }

  @inlinable func receive(completion: Completion<Downstream.Failure>) {
    guard !state.isOver, state.links[side].close() else { return }
    switch completion {
    case .finished: state.finishIfDone()
    case .failure: state.fail(completion)
    }
  }
}
