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
  @inlinable public init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let none: (A.Output?, B.Output?) = (nil, nil)
    let state = Latest(subscriber, sides: 2, none) { latest in
      if let a = latest.0, let b = latest.1 { (a, b) } else { nil }
    }
    subscriber.receive(subscription: state)
    state.attach(a, 0) { $0.0 = $1 }
    state.attach(b, 1) { $0.1 = $1 }
  }
}

extension CombineLatest: Equatable where A: Equatable, B: Equatable {}

/// Emits the latest values of many whenever one has a new one, once all have one; finishes when
/// all have. Of none at all it finishes at once.
@frozen
public struct CombineLatestMany<Source: Publisher>: Publisher {
  /// Lists of the publishers' values.
  public typealias Output = [Source.Output]
  /// The failure of the publishers.
  public typealias Failure = Source.Failure

  /// The publishers, in the order in which they are subscribed to.
  public let publishers: [Source]

  /// Creates a publisher of the latest values, in the order of the publishers.
  @inlinable public init(_ publishers: [Source]) { self.publishers = publishers }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let none = [Source.Output?](repeating: nil, count: publishers.count)
    let state = Latest(subscriber, sides: publishers.count, none) { latest in
      let values = latest.compactMap { $0 }
      return values.count == latest.count ? values : nil
    }
    subscriber.receive(subscription: state)
    state.finishIfDone()
    for (side, publisher) in publishers.enumerated() {
      state.attach(publisher, side) { $0[side] = $1 }
    }
  }
}

/// It demands all values of all sides; a value that arrives without demand from downstream replaces
/// the value before it.
@usableFromInline final class Latest<Downstream: Subscriber, Values>: Joining<Downstream, Values> {
  /// Joins the values; nil until each side has one.
  @usableFromInline let join: (Values) -> Downstream.Input?
  /// The changes since the last delivery.
  @exclusivity(unchecked) @usableFromInline var news: Downstream.Input?

  @inlinable init(
    _ downstream: Downstream, sides: Int, _ none: Values,
    join: @escaping (Values) -> Downstream.Input?
  ) {
    self.join = join
    super.init(downstream, sides: sides, none)
  }

  @inlinable override func didPut(_ side: Int) -> Demand {
    guard let joined = join(values) else { return .none }
    news = joined
    deliver()
    finishIfDone()
    return .none
  }

  /// Delivers the latest values. Newer ones that arrive meanwhile follow if they are asked for.
  @inlinable func deliver() {
    while demand > .none, let next = news {
      news = nil
      demand -= 1
      let more = downstream.receive(next)
      if more > .none { demand += more }
    }
  }

  @inlinable override func finishIfDone() {
    guard !isOver, news == nil, links.allSatisfy(\.isOver) else { return }
    isOver = true
    downstream.receive(completion: .finished)
  }

  @inlinable override func request(_ demand: Demand) {
    demand.mustAsk()
    if isOver { return }
    self.demand += demand
    guard news != nil else { return }
    deliver()
    finishIfDone()
  }

  @inlinable override func cancel() {
    news = nil
    super.cancel()
  }
}

extension Publisher {
  /// Emits the latest values of both publishers whenever one of them emits, once each has a value.
  /// Completes when both have; fails with the first failure. Both are asked for all their values;
  /// without demand only the latest waits.
  public func combineLatest<P>(_ other: P) -> CombineLatest<Self, P> { CombineLatest(self, other) }

  /// Emits what the closure makes of the latest values of both publishers; see `combineLatest(_:)`.
  public func combineLatest<P, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Map<CombineLatest<Self, P>, Result> {
    combineLatest(other).map { transform($0.0, $0.1) }
  }

  /// Emits the latest values of three publishers; see `combineLatest(_:)`.
  public func combineLatest<P, Q>(
    _ p: P, _ q: Q
  ) -> Map<CombineLatest<CombineLatest<Self, P>, Q>, (Output, P.Output, Q.Output)> {
    combineLatest(p, q) { ($0, $1, $2) }
  }

  /// Emits what the closure makes of the latest values of three publishers; see
  /// `combineLatest(_:)`.
  public func combineLatest<P, Q, Result>(
    _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> Result
  ) -> Map<CombineLatest<CombineLatest<Self, P>, Q>, Result> {
    combineLatest(p).combineLatest(q).map { transform($0.0.0, $0.0.1, $0.1) }
  }

  /// Emits the latest values of four publishers; see `combineLatest(_:)`.
  public func combineLatest<P, Q, R>(
    _ p: P, _ q: Q, _ r: R
  ) -> Map<
    CombineLatest<CombineLatest<CombineLatest<Self, P>, Q>, R>,
    (Output, P.Output, Q.Output, R.Output)
  > {
    combineLatest(p, q, r) { ($0, $1, $2, $3) }
  }

  /// Emits what the closure makes of the latest values of four publishers; see `combineLatest(_:)`.
  public func combineLatest<P, Q, R, Result>(
    _ p: P, _ q: Q, _ r: R, _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> Result
  ) -> Map<CombineLatest<CombineLatest<CombineLatest<Self, P>, Q>, R>, Result> {
    combineLatest(p).combineLatest(q).combineLatest(r)
      .map { transform($0.0.0.0, $0.0.0.1, $0.0.1, $0.1) }
  }
}
