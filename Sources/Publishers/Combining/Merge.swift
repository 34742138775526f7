/// Passes the values of many as they come; finishes when all have, fails with the first.
@frozen
public struct MergeMany<Upstream: Publisher>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publishers, in the order in which they are subscribed to.
  public let publishers: [Upstream]

  /// Creates a publisher of the values of several publishers.
  @inlinable
  public init(_ publishers: Upstream...) { self.publishers = publishers }

  /// Creates a publisher of the values of any number of publishers; of none it completes at once.
  @inlinable
  public init<S: Sequence>(_ publishers: S) where S.Element == Upstream {
    self.publishers = Array(publishers)
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let state = MergeState(subscriber, sides: publishers.count)
    subscriber.receive(subscription: state)
    state.finishIfDone()
    for (index, publisher) in publishers.enumerated() where !state.isOver {
      publisher.attach(NumberedSide(state, index))
    }
  }
}

extension MergeMany: Equatable where Upstream: Equatable {}

/// Passes the values of two as they come.
@frozen
public struct Merge<A: Publisher, B: Publisher>: Publisher
where A.Output == B.Output, A.Failure == B.Failure {
  /// The values of both publishers.
  public typealias Output = A.Output
  /// The failure of both publishers.
  public typealias Failure = A.Failure

  /// The publisher that is subscribed to first.
  public let a: A
  /// The publisher that is subscribed to second.
  public let b: B

  /// Creates the publisher that `merge(with:)` returns.
  @inlinable
  public init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let state = MergeState(subscriber, sides: 2)
    subscriber.receive(subscription: state)
    if !state.isOver { a.attach(NumberedSide(state, 0)) }
    if !state.isOver { b.attach(NumberedSide(state, 1)) }
  }
}

extension Merge: Equatable where A: Equatable, B: Equatable {}

/// The state that the sides of a merge share.
///
/// As long as the demand has a bound, each side is asked for one value at a time, and what comes
/// too early waits in the order in which it came.
@usableFromInline final class MergeState<Downstream: Subscriber>: Subscription, SideReceiver {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline var links: [Link]
  @usableFromInline var unfinished: Int
  /// Values that were not asked for yet, or that arrived during the delivery of another one.
  @usableFromInline var waiting = Fifo<(side: Int, value: Downstream.Input)>()
  @exclusivity(unchecked) @usableFromInline var isDelivering = false
  /// True once each side is asked for all its values.
  @exclusivity(unchecked) @usableFromInline var asksForAll = false
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
    subscription.request(asksForAll ? .unlimited : .max(1))
  }

  @inlinable
  func receive(_ input: Downstream.Input, _ side: Int) -> Demand {
    if isOver { return .none }
    if asksForAll {
      _ = downstream.receive(input)
      return .none
    }
    if isDelivering || demand == .none {
      waiting.append((side, input))
      return .none
    }
    isDelivering = true
    deliver(input)
    deliverWaiting()
    return isOver || asksForAll ? .none : .max(1)
  }

  @inlinable
  func deliver(_ input: Downstream.Input) {
    demand -= 1
    let more = downstream.receive(input)
    if more > .none { demand += more }
  }

  /// Passes on what waits, as far as it is asked for. The sides are asked for all their values only
  /// when nothing waits: what they send at once would overtake it.
  @inlinable
  func deliverWaiting() {
    isDelivering = true
    while !isOver, demand > .none, let (side, value) = waiting.popFirst() {
      deliver(value)
      if demand != .unlimited { links[side].subscription?.request(.max(1)) }
    }
    isDelivering = false
    if !isOver, demand == .unlimited { askForAll() }
    finishIfDone()
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
    guard !isOver, !isDelivering, unfinished == 0, waiting.isEmpty else { return }
    isOver = true
    downstream.receive(completion: .finished)
  }

  @inlinable
  func request(_ demand: Demand) {
    demand.mustAsk()
    if isOver { return }
    self.demand += demand
    if !isDelivering { deliverWaiting() }
  }

  @inlinable
  func askForAll() {
    if asksForAll { return }
    asksForAll = true
    for link in links where !isOver { link.subscription?.request(.unlimited) }
  }

  @inlinable
  func cancel() {
    isOver = true
    waiting.removeAll()
    for side in links.indices { links[side].take()?.cancel() }
  }
}

extension Publisher {
  /// Emits the values of both publishers as they come. Completes when both have; fails with the
  /// first failure. While the demand has a bound, each keeps at most one value that waits.
  @inlinable
  public func merge<P: Publisher>(with other: P) -> Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Merge(self, other)
  }

  /// Emits the values of three publishers as they come; see `merge(with:)`.
  @inlinable
  public func merge<P: Publisher, Q: Publisher>(
    with p: P, _ q: Q
  ) -> Merge<Merge<Self, P>, Q>
  where P.Output == Output, Q.Output == Output, P.Failure == Failure, Q.Failure == Failure {
    Merge(Merge(self, p), q)
  }

  /// Emits the values of four publishers as they come; see `merge(with:)`.
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

  /// Emits the values of two publishers of one type as they come; see `merge(with:)`.
  @inlinable
  public func merge(with other: Self) -> MergeMany<Self> { MergeMany(self, other) }
}
