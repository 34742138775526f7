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
  @inlinable public init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let state = Groups(subscriber, sides: 2, (Fifo<A.Output>(), Fifo<B.Output>())) { waiting in
      if let a = waiting.0.popFirst(), let b = waiting.1.popFirst() { (a, b) } else { nil }
    }
    subscriber.receive(subscription: state)
    state.attach(a, 0) { $0.0.append($1) }
    state.attach(b, 1) { $0.1.append($1) }
  }
}

extension Zip: Equatable where A: Equatable, B: Equatable {}

/// Groups the values of many in their order; finishes as soon as no further group can come. Of none
/// at all it finishes at once.
@frozen
public struct ZipMany<Source: Publisher>: Publisher {
  /// Lists of the publishers' values.
  public typealias Output = [Source.Output]
  /// The failure of the publishers.
  public typealias Failure = Source.Failure

  /// The publishers, in the order in which they are subscribed to.
  public let publishers: [Source]

  /// Creates a publisher of groups with one value of each publisher, in their order.
  @inlinable public init(_ publishers: [Source]) { self.publishers = publishers }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let none = [Fifo<Source.Output>](repeating: Fifo(), count: publishers.count)
    let state = Groups(subscriber, sides: publishers.count, none) { waiting in
      waiting.isEmpty ? nil : waiting.indices.compactMap { waiting[$0].popFirst() }
    }
    subscriber.receive(subscription: state)
    if publishers.isEmpty { state.finish() }
    for (side, publisher) in publishers.enumerated() {
      state.attach(publisher, side) { $0[side].append($1) }
    }
  }
}

/// Values that one side has more than the others wait.
@usableFromInline final class Groups<Downstream: Subscriber, Values>: Joining<Downstream, Values> {
  /// Takes the first value of each side, if each has one.
  @usableFromInline let take: (inout Values) -> Downstream.Input?
  /// The number of values of each side that wait.
  @usableFromInline var waiting: [Int]
  /// All that was ever asked for, for a side that is subscribed to later.
  @usableFromInline var asked = Demand.none

  @inlinable init(
    _ downstream: Downstream, sides: Int, _ none: Values,
    take: @escaping (inout Values) -> Downstream.Input?
  ) {
    self.take = take
    waiting = Array(repeating: 0, count: sides)
    super.init(downstream, sides: sides, none)
  }

  @usableFromInline override var demandAtStart: Demand { asked }

  @inlinable override func didPut(_ side: Int) -> Demand {
    waiting[side] += 1
    let more = group()
    ask(more, except: side)
    return more
  }

  /// Delivers what is complete, and gives what was asked for meanwhile.
  @inlinable func group() -> Demand {
    var total = Demand.none
    while !isOver, demand > .none, !waiting.contains(0), let group = take(&values) {
      for side in waiting.indices { waiting[side] -= 1 }
      demand -= 1
      let more = downstream.receive(group)
      demand += more
      asked += more
      total += more
    }
    finishIfDone()
    return total
  }

  @inlinable func ask(_ more: Demand, except asking: Int?) {
    if more == .none { return }
    for side in links.indices where side != asking { links[side].subscription?.request(more) }
  }

  @inlinable override func finishIfDone() {
    if links.indices.contains(where: { links[$0].isOver && waiting[$0] == 0 }) { finish() }
  }

  @inlinable func finish() {
    if isOver { return }
    cancel()
    downstream.receive(completion: .finished)
  }

  @inlinable override func fail(_ completion: Completion<Failure>) {
    isOver = true
    downstream.receive(completion: completion)
    cancel()
  }

  @inlinable override func request(_ demand: Demand) {
    demand.mustAsk()
    if isOver { return }
    self.demand += demand
    asked += demand
    ask(demand, except: nil)
    ask(group(), except: nil)
  }
}

extension Publisher {
  /// Emits the values of both publishers in pairs, the first with the first. Values that are ahead
  /// are kept. Completes as soon as no further pair can come; fails with the first failure.
  public func zip<P>(_ other: P) -> Zip<Self, P> { Zip(self, other) }

  /// Emits what the closure makes of each pair of values; see `zip(_:)`.
  public func zip<P, Result>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Result
  ) -> Map<Zip<Self, P>, Result> {
    zip(other).map { transform($0.0, $0.1) }
  }

  /// Emits the values of three publishers in groups; see `zip(_:)`.
  public func zip<P, Q>(
    _ p: P, _ q: Q
  ) -> Map<Zip<Zip<Self, P>, Q>, (Output, P.Output, Q.Output)> { zip(p, q) { ($0, $1, $2) } }

  /// Emits what the closure makes of each group of three values; see `zip(_:)`.
  public func zip<P, Q, Result>(
    _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> Result
  ) -> Map<Zip<Zip<Self, P>, Q>, Result> {
    zip(p).zip(q).map { transform($0.0.0, $0.0.1, $0.1) }
  }

  /// Emits the values of four publishers in groups; see `zip(_:)`.
  public func zip<P, Q, R>(
    _ p: P, _ q: Q, _ r: R
  ) -> Map<Zip<Zip<Zip<Self, P>, Q>, R>, (Output, P.Output, Q.Output, R.Output)> {
    zip(p, q, r) { ($0, $1, $2, $3) }
  }

  /// Emits what the closure makes of each group of four values; see `zip(_:)`.
  public func zip<P, Q, R, Result>(
    _ p: P, _ q: Q, _ r: R, _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> Result
  ) -> Map<Zip<Zip<Zip<Self, P>, Q>, R>, Result> {
    zip(p).zip(q).zip(r).map { transform($0.0.0.0, $0.0.0.1, $0.0.1, $0.1) }
  }
}
