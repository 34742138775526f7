/// The subscribers of a subject, served in the order in which they subscribed.
@usableFromInline final class Fanout<Output, Failure: Error> {
  /// All subscribers; those that are over are swept out when they are more than the others.
  @usableFromInline var conduits: [Conduit<Output, Failure>] = []
  @usableFromInline var overCount = 0
  @usableFromInline var completion: Completion<Failure>?
  @usableFromInline var upstreams: [any Subscription] = []
  @usableFromInline var isWanted = false
  @usableFromInline let nested: NestedSends<Output, Failure>?

  @inlinable
  init(serialize: Bool) {
    nested = serialize ? NestedSends() : nil
  }

  deinit {
    for upstream in upstreams { upstream.cancel() }
  }

  /// Those who subscribed before a value get it; those who end meanwhile do not.
  @inlinable
  func send(_ value: Output) {
    guard completion == nil else { return }
    for conduit in conduits { conduit.offer(value) }
  }

  @inlinable
  func send(completion: Completion<Failure>) {
    guard self.completion == nil else { return }
    self.completion = completion
    let ending = conduits
    conduits = []
    upstreams = []
    for conduit in ending { conduit.finish(completion) }
  }

  @usableFromInline func add(_ subscription: any Subscription) {
    upstreams.append(subscription)
    if isWanted { subscription.request(.unlimited) }
  }

  /// The first demand of any subscriber opens all upstreams.
  @usableFromInline func want() {
    if isWanted { return }
    isWanted = true
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  @usableFromInline func didEnd() {
    overCount += 1
    guard overCount * 2 > conduits.count else { return }
    conduits.removeAll { $0.isOver }
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

  @inlinable
  init() {}

  @inlinable
  func run(_ event: Event, _ send: (Event) -> Void) {
    waiting.append(event)
    if isSending { return }
    isSending = true
    while let next = waiting.popFirst() { send(next) }
    isSending = false
  }
}

/// One subscriber of a subject.
@usableFromInline class Conduit<Output, Failure: Error>: Subscription {
  @usableFromInline final var fanout: Fanout<Output, Failure>?
  @usableFromInline final var demand = Demand.none

  @inlinable
  init(_ fanout: Fanout<Output, Failure>) { self.fanout = fanout }

  @inlinable
  final var isOver: Bool { fanout == nil }

  @usableFromInline func offer(_ value: Output) {}
  @usableFromInline func finish(_ completion: Completion<Failure>) {}

  @usableFromInline func request(_ demand: Demand) {
    demand.mustAsk()
    self.demand += demand
    fanout?.want()
  }

  @usableFromInline func cancel() {
    let left = fanout
    fanout = nil
    left?.didEnd()
  }
}
