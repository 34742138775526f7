/// Passes the values of many as they come; finishes when all have, fails with the first.
@frozen
public struct MergeMany<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  public let publishers: [Upstream]

  @inlinable
  public init(_ publishers: Upstream...) { self.publishers = publishers }

  @inlinable
  public init<S: Sequence>(_ publishers: S) where S.Element == Upstream {
    self.publishers = Array(publishers)
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let state = MergeState(subscriber, sides: publishers.count)
    subscriber.receive(subscription: state)
    state.finishIfDone()
    for (index, publisher) in publishers.enumerated() where !state.isOver {
      publisher.receive(subscriber: MergeSide(state, index))
    }
  }
}

/// Passes the values of two as they come.
@frozen
public struct Merge<A: Publisher, B: Publisher>: Publisher
where A.Output == B.Output, A.Failure == B.Failure {
  public typealias Output = A.Output
  public typealias Failure = A.Failure

  public let a: A
  public let b: B

  @inlinable
  public init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let state = MergeState(subscriber, sides: 2)
    subscriber.receive(subscription: state)
    if !state.isOver { a.receive(subscriber: MergeSide(state, 0)) }
    if !state.isOver { b.receive(subscriber: MergeSide(state, 1)) }
  }
}

/// Where the sides of a merge come together.
///
/// As long as the demand has a bound, each side is asked for one value at a time, and what comes
/// too early waits in the order in which it came.
@usableFromInline final class MergeState<Downstream: Subscriber>: Subscription {
  @usableFromInline let downstream: Downstream
  @usableFromInline var links: [Link]
  @usableFromInline var unfinished: Int
  @usableFromInline var waiting = Fifo<(side: Int, value: Downstream.Input)>()
  @exclusivity(unchecked) @usableFromInline var demand = Demand.none
  @exclusivity(unchecked) @usableFromInline var isOver = false

  @inlinable
  init(_ downstream: Downstream, sides: Int) {
    self.downstream = downstream
    links = Array(repeating: Link(), count: sides)
    unfinished = sides
  }

  @inlinable
  func receive(_ subscription: any Subscription, _ side: Int) {
    guard !isOver, links[side].accept(subscription) else { return subscription.cancel() }
    subscription.request(demand == .unlimited ? .unlimited : .max(1))
  }

  @inlinable
  func receive(_ input: Downstream.Input, _ side: Int) -> Demand {
    if isOver { return .none }
    if demand == .unlimited {
      _ = downstream.receive(input)
      return .none
    }
    if demand == .none {
      waiting.append((side, input))
      return .none
    }
    return deliver(input) ? .max(1) : .none
  }

  /// Passes a value on; false if its side need not be asked for another.
  @inlinable
  func deliver(_ input: Downstream.Input) -> Bool {
    demand -= 1
    let more = downstream.receive(input)
    let wasLimited = demand != .unlimited
    if more > .none { demand += more }
    if wasLimited, demand == .unlimited { askForAll() }
    return demand != .unlimited
  }

  @inlinable
  func receive(_ completion: Completion<Downstream.Failure>, _ side: Int) {
    guard !isOver, links[side].close() else { return }
    switch completion {
    case .finished:
      unfinished -= 1
      finishIfDone()
    case .failure:
      cancel()
      downstream.receive(completion: completion)
    }
  }

  @inlinable
  func finishIfDone() {
    guard !isOver, unfinished == 0, waiting.isEmpty else { return }
    isOver = true
    downstream.receive(completion: .finished)
  }

  @inlinable
  func request(_ demand: Demand) {
    demand.mustAsk()
    if isOver { return }
    let wasLimited = self.demand != .unlimited
    self.demand += demand
    if wasLimited, self.demand == .unlimited { askForAll() }
    while !isOver, self.demand > .none, let (side, value) = waiting.popFirst() {
      if deliver(value) { links[side].subscription?.request(.max(1)) }
    }
    finishIfDone()
  }

  @inlinable
  func askForAll() {
    for link in links where !isOver { link.subscription?.request(.unlimited) }
  }

  @inlinable
  func cancel() {
    isOver = true
    waiting.removeAll()
    for side in links.indices { links[side].take()?.cancel() }
  }
}

@usableFromInline struct MergeSide<Downstream: Subscriber>: Subscriber {
  @usableFromInline let state: MergeState<Downstream>
  @usableFromInline let side: Int

  @inlinable
  init(_ state: MergeState<Downstream>, _ side: Int) {
    self.state = state
    self.side = side
  }

  @inlinable
  func receive(subscription: any Subscription) { state.receive(subscription, side) }
  @inlinable
  func receive(_ input: Downstream.Input) -> Demand { state.receive(input, side) }
  @inlinable
  func receive(completion: Completion<Downstream.Failure>) { state.receive(completion, side) }
}

extension Publisher {
  @inlinable
  public func merge<P: Publisher>(with other: P) -> Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Merge(self, other)
  }

  @inlinable
  public func merge<P: Publisher, Q: Publisher>(
    with p: P, _ q: Q
  ) -> Merge<Merge<Self, P>, Q>
  where P.Output == Output, Q.Output == Output, P.Failure == Failure, Q.Failure == Failure {
    Merge(Merge(self, p), q)
  }

  @inlinable
  public func merge<P: Publisher, Q: Publisher, R: Publisher>(
    with p: P, _ q: Q, _ r: R
  ) -> Merge<Merge<Self, P>, Merge<Q, R>>
  where
    P.Output == Output, Q.Output == Output, R.Output == Output, P.Failure == Failure,
    Q.Failure == Failure, R.Failure == Failure
  {
    Merge(Merge(self, p), Merge(q, r))
  }

  @inlinable
  public func merge(with other: Self) -> MergeMany<Self> { MergeMany(self, other) }
}
