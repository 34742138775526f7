/// Groups the values of many in their order; finishes as soon as no further group can come. Of none
/// at all it finishes at once.
@frozen
public struct ZipMany<Upstream: Publisher>: Publisher {
  /// Lists of upstream's values.
  public typealias Output = [Upstream.Output]
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publishers, in the order in which they are subscribed to.
  public let publishers: [Upstream]

  /// Creates a publisher of groups with one value of each publisher, in their order.
  @inlinable
  public init(_ publishers: [Upstream]) { self.publishers = publishers }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let state = State(subscriber, sides: publishers.count)
    subscriber.receive(subscription: state)
    if publishers.isEmpty { state.finish() }
    for (index, publisher) in publishers.enumerated() where !state.isOver {
      publisher.attach(NumberedSide(state, index))
    }
  }

  /// The state that all sides share. Values that one side has more than the others wait.
  @usableFromInline final class State<Downstream: Subscriber>: Subscription, SideReceiver
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline let downstream: Downstream
    @usableFromInline var links: [Link]
    @usableFromInline var waiting: [Fifo<Upstream.Output>]
    /// The number of sides that have no waiting value.
    @usableFromInline var missing: Int
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    /// All that was ever asked for, for a side that is subscribed to later.
    @usableFromInline var asked = Demand.none
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream, sides: Int) {
      self.downstream = downstream
      links = Array(repeating: Link(), count: sides)
      waiting = Array(repeating: Fifo(), count: sides)
      // A group of none is never complete: none at all would yield it without end.
      missing = Swift.max(sides, 1)
    }

    @inlinable
    func receive(_ subscription: any Subscription, _ side: Int) {
      guard !isOver, links[side].accept(subscription) else { return subscription.cancel() }
      if asked > .none { subscription.request(asked) }
    }

    @inlinable
    func receive(_ input: Upstream.Output, _ side: Int) -> Demand {
      guard !isOver, links[side].isLive else { return .none }
      if waiting[side].isEmpty { missing -= 1 }
      waiting[side].append(input)
      let more = group()
      ask(more, except: side)
      return more
    }

    /// Delivers what is complete, and gives what was asked for meanwhile.
    @inlinable
    func group() -> Demand {
      var total = Demand.none
      while !isOver, demand > .none, missing == 0 {
        demand -= 1
        let more = downstream.receive(takeGroup())
        demand += more
        asked += more
        total += more
        finishIfDone()
      }
      return total
    }

    @inlinable
    func takeGroup() -> Output {
      var taken: Output = []
      taken.reserveCapacity(waiting.count)
      for side in waiting.indices {
        if let value = waiting[side].popFirst() { taken.append(value) }
        if waiting[side].isEmpty { missing += 1 }
      }
      return taken
    }

    @inlinable
    func ask(_ more: Demand, except asking: Int?) {
      if more == .none { return }
      for side in links.indices where side != asking { links[side].subscription?.request(more) }
    }

    @inlinable
    func receive(_ completion: Completion<Failure>, _ side: Int) {
      guard !isOver, links[side].close() else { return }
      switch completion {
      case .finished: finishIfDone()
      case .failure:
        isOver = true
        downstream.receive(completion: completion)
        cancel()
      }
    }

    @inlinable
    func finishIfDone() {
      if isOver || missing == 0 { return }
      if links.indices.contains(where: { links[$0].isOver && waiting[$0].isEmpty }) { finish() }
    }

    @inlinable
    func finish() {
      if isOver { return }
      cancel()
      downstream.receive(completion: .finished)
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      if isOver { return }
      self.demand += demand
      asked += demand
      ask(demand, except: nil)
      ask(group(), except: nil)
    }

    @inlinable
    func cancel() {
      isOver = true
      for side in links.indices { links[side].take()?.cancel() }
      for side in waiting.indices { waiting[side].removeAll() }
    }
  }
}
