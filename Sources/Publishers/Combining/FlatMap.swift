/// Makes a publisher of each value and passes the values of all of them, a limited number at once.
@frozen
public struct FlatMap<Upstream: Publisher, NewPublisher: Publisher>: Operator
where Upstream.Failure == NewPublisher.Failure {
  /// The values of the publishers that are made.
  public typealias Output = NewPublisher.Output

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The number of publishers that may run at once.
  public let maxPublishers: Demand
  /// Makes a publisher of a value.
  public let transform: (Upstream.Output) -> NewPublisher

  /// Creates the publisher that `flatMap(maxPublishers:_:)` returns.
  @inlinable public init(
    upstream: Upstream, maxPublishers: Demand,
    transform: @escaping (Upstream.Output) -> NewPublisher
  ) {
    self.upstream = upstream
    self.maxPublishers = maxPublishers
    self.transform = transform
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let outer = Outer(subscriber, self)
    subscriber.receive(subscription: outer)
    if !outer.isOver { upstream.attach(outer) }
  }

  @usableFromInline final class Outer<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let publisher: FlatMap
    /// The inner ones in the order of their places; those in a free place have ended.
    @exclusivity(unchecked) @usableFromInline var inners: [Inner<S>] = []
    @exclusivity(unchecked) @usableFromInline var freePlaces: [Int] = []
    @exclusivity(unchecked) @usableFromInline var started = 0
    /// Values that were not asked for yet, or that arrived during the delivery of another one.
    @exclusivity(unchecked) @usableFromInline
    var waiting = Fifo<(inner: Inner<S>, value: Output)>()
    @exclusivity(unchecked) @usableFromInline var isDelivering = false
    /// True once each inner one is asked for all its values.
    @exclusivity(unchecked) @usableFromInline var asksForAll = false

    @inlinable init(_ downstream: S, _ publisher: FlatMap) {
      self.publisher = publisher
      super.init(downstream)
    }

    @inlinable override func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      if publisher.maxPublishers > .none { subscription.request(publisher.maxPublishers) }
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      if isOver { return .none }
      let made = publisher.transform(input)
      if isOver { return .none }
      made.attach(start())
      return .none
    }

    /// Gives an inner one its place. One that has ended is used again if nobody else holds it, so
    /// that a publisher of one value costs no object.
    @inlinable func start() -> Inner<S> {
      started += 1
      guard let place = freePlaces.popLast() else { return add() }
      if isKnownUniquelyReferenced(&inners[place]) {
        inners[place].begin(number: started)
        return inners[place]
      }
      let ended = inners[place]
      inners[place] = Inner(self, place, number: started)
      withExtendedLifetime(ended) {}
      return inners[place]
    }

    @inlinable func add() -> Inner<S> {
      let inner = Inner(self, inners.count, number: started)
      inners.append(inner)
      return inner
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      if case .failure = completion { end(completion) } else { finishIfDone() }
    }

    @inlinable func receive(_ input: Output, from inner: Inner<S>) -> Demand {
      if isOver { return .none }
      if asksForAll {
        _ = downstream.receive(input)
        return .none
      }
      if isDelivering || demand == .none {
        waiting.append((inner, input))
        return .none
      }
      isDelivering = true
      deliver(input)
      deliverWaiting()
      return isOver || asksForAll ? .none : .max(1)
    }

    /// Passes on what waits, as far as it is asked for. The inner ones are asked for all their
    /// values only when nothing waits: what they send at once would overtake it.
    @inlinable func deliverWaiting() {
      isDelivering = true
      while !isOver, demand > .none, let (inner, value) = waiting.popFirst() {
        deliver(value)
        if demand != .unlimited { inner.link.subscription?.request(.max(1)) }
      }
      isDelivering = false
      if !isOver, demand == .unlimited { askForAll() }
      finishIfDone()
    }

    @inlinable func didEnd(_ inner: Inner<S>, _ completion: Completion<Failure>) {
      if isOver { return }
      if case .failure = completion { return end(completion) }
      freePlaces.append(inner.place)
      finishIfDone()
      if !isOver, publisher.maxPublishers != .unlimited { link.subscription?.request(.max(1)) }
    }

    @inlinable func finishIfDone() {
      guard !isOver, !isDelivering, link.isOver, freePlaces.count == inners.count, waiting.isEmpty
      else { return }
      let ended = inners
      inners = []
      withExtendedLifetime(ended) {}
      finish(.finished)
    }

    @inlinable override func request(_ demand: Demand) {
      demand.mustAsk()
      if isOver { return }
      self.demand += demand
      if !isDelivering { deliverWaiting() }
    }

    @inlinable func inOrder() -> [Inner<S>] {
      inners.filter { !$0.link.isOver }.sorted { $0.number < $1.number }
    }

    @inlinable func askForAll() {
      if asksForAll { return }
      asksForAll = true
      for inner in inOrder() where !isOver { inner.link.subscription?.request(.unlimited) }
    }

    @inlinable override func cancel() {
      isOver = true
      let ending = inOrder()
      let (ended, values) = (inners, waiting)
      inners = []
      freePlaces = []
      waiting = Fifo()
      let upstream = link.take()
      for inner in ending { inner.link.take()?.cancel() }
      upstream?.cancel()
      withExtendedLifetime((ended, values)) {}
    }
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Subscriber {
    @usableFromInline let outer: Outer<S>
    @usableFromInline let place: Int
    @exclusivity(unchecked) @usableFromInline var number: Int
    @exclusivity(unchecked) @usableFromInline var link = Link()

    @inlinable init(_ outer: Outer<S>, _ place: Int, number: Int) {
      self.outer = outer
      self.place = place
      self.number = number
    }

    /// Waits in its place for another publisher, after one has ended.
    @inlinable func begin(number: Int) {
      self.number = number
      link = Link()
    }

    @inlinable func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      subscription.request(outer.asksForAll ? .unlimited : .max(1))
    }

    @inlinable func receive(_ input: Output) -> Demand { outer.receive(input, from: self) }

    @inlinable func receive(completion: Completion<Failure>) {
      if link.close() { outer.didEnd(self, completion) }
    }
  }
}

extension Publisher {
  /// Makes a publisher of each value and emits the values of all of them as they come. Completes
  /// when this publisher and all others have; fails with the first failure. At most `maxPublishers`
  /// run at once: another value is asked for when one of them completes.
  @inlinable public func flatMap<P>(
    maxPublishers: Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> FlatMap<Self, P> {
    FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Makes a publisher of each value and emits the values of all of them as they come. Completes
  /// when this publisher and all others have; fails with the first failure. At most `maxPublishers`
  /// run at once: another value is asked for when one of them completes.
  @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> FlatMap<MapError<Self, P.Failure>, P> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Makes a publisher of each value and emits the values of all of them as they come. Completes
  /// when this publisher and all others have; fails with the first failure. At most `maxPublishers`
  /// run at once: another value is asked for when one of them completes.
  @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> FlatMap<Self, P> where P.Failure == Never {
    FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
