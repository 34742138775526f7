/// Emits the latest values of many whenever one has a new one, once all have one; finishes when
/// all have. Of none at all it finishes at once.
@frozen
public struct CombineLatestMany<Upstream: Publisher>: Publisher {
  /// Lists of upstream's values.
  public typealias Output = [Upstream.Output]
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publishers, in the order in which they are subscribed to.
  public let publishers: [Upstream]

  /// Creates a publisher of the latest values, in the order of the publishers.
  @inlinable
  public init(_ publishers: [Upstream]) { self.publishers = publishers }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let state = State(subscriber, sides: publishers.count)
    subscriber.receive(subscription: state)
    state.finishIfDone()
    for (index, publisher) in publishers.enumerated() where !state.isOver {
      publisher.attach(NumberedSide(state, index))
    }
  }

  /// The state that all sides share. It demands all values of all sides; a value that arrives
  /// without demand from downstream replaces the value before it.
  @usableFromInline final class State<Downstream: Subscriber>: Subscription, SideReceiver
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline let downstream: Downstream
    @usableFromInline var links: [Link]
    /// The first values, until each side has one.
    @usableFromInline var first: [Upstream.Output?]
    /// The latest values, once each side has one.
    @usableFromInline var latest: Output = []
    @usableFromInline var missing: Int
    @usableFromInline var unfinished: Int
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    @exclusivity(unchecked) @usableFromInline var hasNews = false
    @exclusivity(unchecked) @usableFromInline var isOver = false

    @inlinable
    init(_ downstream: Downstream, sides: Int) {
      self.downstream = downstream
      links = Array(repeating: Link(), count: sides)
      first = Array(repeating: nil, count: sides)
      missing = sides
      unfinished = sides
    }

    @inlinable
    func receive(_ subscription: any Subscription, _ side: Int) {
      guard !isOver, links[side].accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    @inlinable
    func receive(_ input: Upstream.Output, _ side: Int) -> Demand {
      guard !isOver, links[side].isLive else { return .none }
      if missing == 0 {
        latest[side] = input
      } else if !isCompleted(by: input, side) {
        return .none
      }
      hasNews = true
      deliver()
      finishIfDone()
      return .none
    }

    /// Takes one of the first values; true if now each side has one.
    @usableFromInline func isCompleted(by input: Upstream.Output, _ side: Int) -> Bool {
      if first[side] == nil { missing -= 1 }
      first[side] = input
      if missing > 0 { return false }
      latest = first.compactMap { $0 }
      first = []
      return true
    }

    /// Delivers the latest values. Newer ones that arrive meanwhile follow if they are asked for.
    @inlinable
    func deliver() {
      while hasNews, demand > .none {
        hasNews = false
        demand -= 1
        let more = downstream.receive(latest)
        if more > .none { demand += more }
      }
    }

    @inlinable
    func receive(_ completion: Completion<Failure>, _ side: Int) {
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
      guard !isOver, unfinished == 0, !hasNews else { return }
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
      for side in links.indices { links[side].take()?.cancel() }
    }
  }
}
