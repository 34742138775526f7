/// The subscribers of a subject, served in the order in which they subscribed.
@usableFromInline final class Fanout<Output, Failure: Error> {
  /// All subscribers, each in its place. While values are on their way none is taken out, so that
  /// each of them can be called without being retained.
  @exclusivity(unchecked) @usableFromInline var conduits: [Conduit<Output, Failure>] = []
  @exclusivity(unchecked) @usableFromInline var completion: Completion<Failure>?
  /// The number of sends that run, one inside the other.
  @exclusivity(unchecked) @usableFromInline var depth = 0
  @usableFromInline var overCount = 0
  /// Subscribers that left or ended while values were on their way.
  @usableFromInline var retired: [Conduit<Output, Failure>] = []
  /// Has the places of subscribers that left, so that they are freed before the places are.
  private lazy var nobody = Conduit<Output, Failure>(nil) { _, _ in }
  @usableFromInline var upstreams: [any Subscription] = []
  @usableFromInline var isWanted = false
  @usableFromInline let nested: NestedSends<Output, Failure>?

  @inlinable init(serialize: Bool) {
    nested = serialize ? NestedSends() : nil
  }

  deinit {
    for upstream in upstreams { upstream.cancel() }
  }

  @usableFromInline
  func attach(_ conduit: Conduit<Output, Failure>) {
    conduit.place = conduits.count
    conduits.append(conduit)
  }

  /// Passes a value to those that subscribed before it and do not end meanwhile.
  @inlinable func send(_ value: Output) {
    guard completion == nil else { return }
    depth += 1
    let end = conduits.count
    var at = 0
    while at < end, at < conduits.count {
      Unmanaged.passUnretained(conduits[at])._withUnsafeGuaranteedRef { $0.take($0, value) }
      at += 1
    }
    depth -= 1
    if depth == 0, !retired.isEmpty { sweep() }
  }

  @inlinable func send(completion: Completion<Failure>) {
    guard self.completion == nil else { return }
    self.completion = completion
    let ending = conduits
    if depth > 0 { retired += ending }
    conduits = []
    overCount = 0
    upstreams = []
    for conduit in ending { conduit.finish(completion) }
  }

  @usableFromInline
  func add(_ subscription: any Subscription) {
    upstreams.append(subscription)
    if isWanted { subscription.request(.unlimited) }
  }

  /// The first demand of any subscriber opens all upstreams.
  @usableFromInline
  func want() {
    if isWanted { return }
    isWanted = true
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  @usableFromInline
  func didEnd(_ conduit: Conduit<Output, Failure>) {
    if completion != nil { return }
    overCount += 1
    retired.append(conduit)
    if depth == 0 { sweep() }
  }

  /// Frees those that are over, and their places once they are more than the others.
  @usableFromInline
  func sweep() {
    let gone = retired
    retired = []
    if completion == nil {
      for conduit in gone { conduits[conduit.place] = nobody }
      if overCount * 2 > conduits.count { closeRanks() }
    }
    withExtendedLifetime(gone) {}
  }

  private func closeRanks() {
    conduits.removeAll { $0.isOver }
    for place in conduits.indices { conduits[place].place = place }
    overCount = 0
  }
}

/// Sends that came during another and wait for its end, when a subject serialises them.
@usableFromInline final class NestedSends<Output, Failure: Error> {
  @usableFromInline enum Event {
    case value(Output)
    case completion(Completion<Failure>)
  }

  @usableFromInline var waiting = Fifo<Event>()
  @usableFromInline var isSending = false

  @inlinable init() {}

  @inlinable func run(_ event: Event, _ send: (Event) -> Void) {
    waiting.append(event)
    if isSending { return }
    isSending = true
    while let next = waiting.popFirst() { send(next) }
    isSending = false
  }
}

/// One subscriber of a subject.
///
/// Values reach it through a body that is made where the subscriber's type is known: an overridden
/// method of a generic class would run code that is not compiled for its types.
@usableFromInline class Conduit<Output, Failure: Error>: Subscription {
  @exclusivity(unchecked) @usableFromInline final var fanout: Fanout<Output, Failure>?
  @exclusivity(unchecked) @usableFromInline final var demand = Demand.none
  @usableFromInline final let take: (Conduit, Output) -> Void
  @usableFromInline final var place = 0

  @inlinable init(_ fanout: Fanout<Output, Failure>?, take: @escaping (Conduit, Output) -> Void) {
    self.fanout = fanout
    self.take = take
  }

  @inlinable final var isOver: Bool { fanout == nil }

  @usableFromInline func finish(_ completion: Completion<Failure>) {}

  @usableFromInline func request(_ demand: Demand) {
    if demand == .none { return }
    self.demand += demand
    fanout?.want()
  }

  @usableFromInline func cancel() {
    let left = fanout
    fanout = nil
    left?.didEnd(self)
  }
}
