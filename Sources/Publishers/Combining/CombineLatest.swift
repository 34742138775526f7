/// Emits the latest values of both whenever either has a new one, once both have one; finishes
/// when both have.
@frozen
public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
  /// A value of each publisher.
  public typealias Output = (A.Output, B.Output)
  /// The failure of both publishers.
  public typealias Failure = A.Failure

  /// The publisher that is subscribed to first.
  public let a: A
  /// The publisher that is subscribed to second.
  public let b: B

  /// Creates the publisher that `combineLatest(_:)` returns.
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

  /// The state that both sides share. It demands all values of both; a value that arrives without
  /// demand from downstream replaces the value before it.
  @usableFromInline final class State<Downstream: Subscriber>: Subscription, PairReceiver
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline typealias InputA = A.Output
    @usableFromInline typealias InputB = B.Output
    @usableFromInline typealias Failure = A.Failure

    @usableFromInline let downstream: Downstream
    @usableFromInline var a: A.Output?
    @usableFromInline var b: B.Output?
    @usableFromInline var linkA = Link()
    @usableFromInline var linkB = Link()
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    @usableFromInline var hasNews = false
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable
    var demandAtStart: Demand { .unlimited }

    @inlinable
    func receiveA(_ input: A.Output) -> Demand {
      a = input
      didChange()
      return .none
    }

    @inlinable
    func receiveB(_ input: B.Output) -> Demand {
      b = input
      didChange()
      return .none
    }

    @inlinable
    func didChange() {
      if isOver || a == nil || b == nil { return }
      hasNews = true
      deliver()
      if linkA.isOver || linkB.isOver { finishIfDone() }
    }

    /// Delivers the latest values. Newer ones that arrive meanwhile follow if they are asked for.
    @inlinable
    func deliver() {
      while hasNews, demand > .none, let a, let b {
        hasNews = false
        demand -= 1
        let more = downstream.receive((a, b))
        if more > .none { demand += more }
      }
    }

    @inlinable
    func didEnd(_ completion: Completion<Failure>) {
      switch completion {
      case .finished: finishIfDone()
      case .failure:
        if isOver { return }
        cancel()
        downstream.receive(completion: completion)
      }
    }

    @inlinable
    func finishIfDone() {
      guard !isOver, linkA.isOver, linkB.isOver, !hasNews else { return }
      isOver = true
      downstream.receive(completion: .finished)
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      if isOver { return }
      self.demand += demand
      guard hasNews else { return }
      deliver()
      finishIfDone()
    }

    @inlinable
    func cancel() {
      isOver = true
      hasNews = false
      let (left, right) = (linkA.take(), linkB.take())
      left?.cancel()
      right?.cancel()
    }
  }
}

extension CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
  /// Emits the latest values of both publishers whenever one of them emits, once each has a value.
  /// Completes when both have; fails with the first failure. Both are asked for all their values;
  /// without demand only the latest waits.
  @inlinable
  public func combineLatest<P: Publisher>(_ other: P) -> CombineLatest<Self, P>
  where P.Failure == Failure {
    CombineLatest(self, other)
  }

  /// Emits what the closure makes of the latest values of both publishers; see `combineLatest(_:)`.
  @inlinable
  public func combineLatest<P: Publisher, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Map<CombineLatest<Self, P>, Result> where P.Failure == Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }

  /// Emits the latest values of three publishers; see `combineLatest(_:)`.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ p: P, _ q: Q
  ) -> Map<CombineLatest<CombineLatest<Self, P>, Q>, (Output, P.Output, Q.Output)>
  where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(p).combineLatest(q).map { ($0.0.0, $0.0.1, $0.1) }
  }

  /// Emits the latest values of four publishers; see `combineLatest(_:)`.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ p: P, _ q: Q, _ r: R
  ) -> Map<
    CombineLatest<CombineLatest<CombineLatest<Self, P>, Q>, R>,
    (Output, P.Output, Q.Output, R.Output)
  > where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    combineLatest(p).combineLatest(q).combineLatest(r).map {
      ($0.0.0.0, $0.0.0.1, $0.0.1, $0.1)
    }
  }
  /// Emits what the closure makes of the latest values of three publishers; see
  /// `combineLatest(_:)`.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, Result>(
    _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> Result
  ) -> Map<CombineLatest<CombineLatest<Self, P>, Q>, Result>
  where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(p).combineLatest(q).map { transform($0.0.0, $0.0.1, $0.1) }
  }

  /// Emits what the closure makes of the latest values of four publishers; see `combineLatest(_:)`.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, Result>(
    _ p: P, _ q: Q, _ r: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> Result
  ) -> Map<CombineLatest<CombineLatest<CombineLatest<Self, P>, Q>, R>, Result>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    combineLatest(p).combineLatest(q).combineLatest(r).map {
      transform($0.0.0.0, $0.0.0.1, $0.0.1, $0.1)
    }
  }
}
