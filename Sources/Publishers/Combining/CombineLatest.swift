/// Yields the latest values of both whenever either has a new one, once both have one; finishes
/// when both have.
@frozen
public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
  public typealias Output = (A.Output, B.Output)
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
    let state = State(subscriber)
    subscriber.receive(subscription: state)
    if !state.isOver { a.receive(subscriber: SideA(state)) }
    if !state.isOver { b.receive(subscriber: SideB(state)) }
  }

  /// Where both come together. Everything is wanted from both; what comes while nothing is asked
  /// for replaces what was there.
  @usableFromInline final class State<Downstream: Subscriber>: Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
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
    func didChange() {
      if isOver || a == nil || b == nil { return }
      hasNews = true
      deliver()
    }

    @inlinable
    func deliver() {
      guard hasNews, demand > .none, let a, let b else { return }
      hasNews = false
      demand -= 1
      let more = downstream.receive((a, b))
      if more > .none { demand += more }
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

  @usableFromInline struct SideA<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let state: State<Downstream>

    @inlinable
    init(_ state: State<Downstream>) { self.state = state }

    @inlinable
    func receive(subscription: any Subscription) {
      guard state.linkA.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }
    @inlinable
    func receive(_ input: A.Output) -> Demand {
      state.a = input
      state.didChange()
      return .none
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      if state.linkA.close() { state.didEnd(completion) }
    }
  }

  @usableFromInline struct SideB<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let state: State<Downstream>

    @inlinable
    init(_ state: State<Downstream>) { self.state = state }

    @inlinable
    func receive(subscription: any Subscription) {
      guard state.linkB.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }
    @inlinable
    func receive(_ input: B.Output) -> Demand {
      state.b = input
      state.didChange()
      return .none
    }
    @inlinable
    func receive(completion: Completion<Failure>) {
      if state.linkB.close() { state.didEnd(completion) }
    }
  }
}

extension Publisher {
  @inlinable
  public func combineLatest<P: Publisher>(_ other: P) -> CombineLatest<Self, P>
  where P.Failure == Failure {
    CombineLatest(self, other)
  }

  @inlinable
  public func combineLatest<P: Publisher, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Map<CombineLatest<Self, P>, Result> where P.Failure == Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }

  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ p: P, _ q: Q
  ) -> Map<CombineLatest<CombineLatest<Self, P>, Q>, (Output, P.Output, Q.Output)>
  where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(p).combineLatest(q).map { ($0.0.0, $0.0.1, $0.1) }
  }

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
}
