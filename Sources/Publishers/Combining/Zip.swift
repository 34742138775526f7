/// Pairs the values of two in their order; finishes as soon as no further pair can come.
@frozen
public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
  /// A value of each publisher.
  public typealias Output = (A.Output, B.Output)
  /// The failure of both publishers.
  public typealias Failure = A.Failure

  /// The publisher that is subscribed to first.
  public let a: A
  /// The publisher that is subscribed to second.
  public let b: B

  /// Creates the publisher that `zip(_:)` returns.
  @inlinable
  public init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let state = State(subscriber)
    subscriber.receive(subscription: state)
    if !state.isOver { a.attach(SideA(state)) }
    if !state.isOver { b.attach(SideB(state)) }
  }

  /// The state that both sides share. Values that one side has more than the other wait.
  @usableFromInline final class State<Downstream: Subscriber>: Subscription, PairReceiver
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline typealias InputA = A.Output
    @usableFromInline typealias InputB = B.Output
    @usableFromInline typealias Failure = A.Failure

    @usableFromInline let downstream: Downstream
    @usableFromInline var waitingA = Fifo<A.Output>()
    @usableFromInline var waitingB = Fifo<B.Output>()
    @usableFromInline var linkA = Link()
    @usableFromInline var linkB = Link()
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    /// All that was ever asked for, for a side that is subscribed to later.
    @usableFromInline var asked = Demand.none
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable
    var demandAtStart: Demand { asked }

    @inlinable
    func receiveA(_ input: A.Output) -> Demand {
      if isOver { return .none }
      waitingA.append(input)
      let more = pair()
      ask(a: .none, b: more)
      return more
    }

    @inlinable
    func receiveB(_ input: B.Output) -> Demand {
      if isOver { return .none }
      waitingB.append(input)
      let more = pair()
      ask(a: more, b: .none)
      return more
    }

    /// Delivers what is complete, and gives what was asked for meanwhile.
    @inlinable
    func pair() -> Demand {
      var total = Demand.none
      while !isOver, demand > .none, !waitingA.isEmpty, !waitingB.isEmpty,
        let a = waitingA.popFirst(), let b = waitingB.popFirst()
      {
        demand -= 1
        let more = downstream.receive((a, b))
        demand += more
        asked += more
        total += more
      }
      finishIfDone()
      return total
    }

    @inlinable
    func finishIfDone() {
      if isOver { return }
      guard (linkA.isOver && waitingA.isEmpty) || (linkB.isOver && waitingB.isEmpty) else { return }
      cancel()
      downstream.receive(completion: .finished)
    }

    @inlinable
    func didEnd(_ completion: Completion<Failure>) {
      if isOver { return }
      switch completion {
      case .finished: finishIfDone()
      case .failure:
        isOver = true
        downstream.receive(completion: completion)
        cancel()
      }
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      if isOver { return }
      self.demand += demand
      asked += demand
      ask(a: demand, b: demand)
      let more = pair()
      ask(a: more, b: more)
    }

    @inlinable
    func ask(a: Demand, b: Demand) {
      if a > .none { linkA.subscription?.request(a) }
      if b > .none { linkB.subscription?.request(b) }
    }

    @inlinable
    func cancel() {
      isOver = true
      waitingA.removeAll()
      waitingB.removeAll()
      let (left, right) = (linkA.take(), linkB.take())
      left?.cancel()
      right?.cancel()
    }
  }
}

extension Zip: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
  /// Emits the values of both publishers in pairs, the first with the first. Values that are ahead
  /// are kept. Completes as soon as no further pair can come; fails with the first failure.
  @inlinable
  public func zip<P: Publisher>(_ other: P) -> Zip<Self, P> where P.Failure == Failure {
    Zip(self, other)
  }

  /// Emits what the closure makes of each pair of values; see `zip(_:)`.
  @inlinable
  public func zip<P: Publisher, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Map<Zip<Self, P>, Result> where P.Failure == Failure {
    zip(other).map { transform($0.0, $0.1) }
  }

  /// Emits the values of three publishers in groups; see `zip(_:)`.
  @inlinable
  public func zip<P: Publisher, Q: Publisher>(
    _ p: P, _ q: Q
  ) -> Map<Zip<Zip<Self, P>, Q>, (Output, P.Output, Q.Output)>
  where P.Failure == Failure, Q.Failure == Failure {
    zip(p).zip(q).map { ($0.0.0, $0.0.1, $0.1) }
  }

  /// Emits the values of four publishers in groups; see `zip(_:)`.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ p: P, _ q: Q, _ r: R
  ) -> Map<Zip<Zip<Zip<Self, P>, Q>, R>, (Output, P.Output, Q.Output, R.Output)>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    zip(p).zip(q).zip(r).map { ($0.0.0.0, $0.0.0.1, $0.0.1, $0.1) }
  }
  /// Emits what the closure makes of each group of three values; see `zip(_:)`.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, Result>(
    _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> Result
  ) -> Map<Zip<Zip<Self, P>, Q>, Result> where P.Failure == Failure, Q.Failure == Failure {
    zip(p).zip(q).map { transform($0.0.0, $0.0.1, $0.1) }
  }

  /// Emits what the closure makes of each group of four values; see `zip(_:)`.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher, Result>(
    _ p: P, _ q: Q, _ r: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> Result
  ) -> Map<Zip<Zip<Zip<Self, P>, Q>, R>, Result>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    zip(p).zip(q).zip(r).map { transform($0.0.0.0, $0.0.0.1, $0.0.1, $0.1) }
  }
}
