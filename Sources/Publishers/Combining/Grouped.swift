/// Parts the values of a publisher by a key, and emits a publisher for each key that is new.
@frozen
public struct Grouped<Upstream: Publisher, Key: Hashable>: Operator {
  /// One group for each key.
  public typealias Output = KeyedGroup<Key, Upstream.Output, Upstream.Failure>

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes the key of a value.
  public let key: (Upstream.Output) -> Key

  /// Creates the publisher that `grouped(by:)` returns.
  @inlinable public init(upstream: Upstream, key: @escaping (Upstream.Output) -> Key) {
    self.upstream = upstream
    self.key = key
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, key))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Collector<S>, Subscriber {
    @usableFromInline let key: (Upstream.Output) -> Key
    @usableFromInline var places: [Key: Int] = [:]
    /// In the order in which their keys came first.
    @usableFromInline var groups: [Output] = []
    /// The groups that downstream has not asked for yet.
    @usableFromInline var waiting = Fifo<Output>()
    @usableFromInline var isEmitting = false
    /// The values that came from inside the delivery of another.
    @usableFromInline var inputs = Fifo<Upstream.Output>()
    @usableFromInline var isPassing = false
    /// The end of upstream, while groups wait.
    @usableFromInline var end: Completion<Failure>?
    /// True once the groups have got the end.
    @usableFromInline var areGroupsOver = false

    @inlinable init(_ downstream: S, _ key: @escaping (Upstream.Output) -> Key) {
      self.key = key
      super.init(downstream)
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      if isPassing {
        inputs.append(input)
        return .none
      }
      isPassing = true
      pass(input)
      while let next = inputs.popFirst() { pass(next) }
      isPassing = false
      if link.isOver { endGroups() }
      return .none
    }

    @inlinable func pass(_ input: Upstream.Output) {
      let key = self.key(input)
      if let place = places[key] {
        groups[place].send(input)
      } else {
        begin(key, with: input)
      }
    }

    /// Begins a group. Its first value waits in it until somebody has subscribed.
    @inlinable func begin(_ key: Key, with input: Upstream.Output) {
      let group = Output(key: key)
      places[key] = groups.count
      groups.append(group)
      group.send(input)
      waiting.append(group)
      emitWaiting()
    }

    @inlinable func emitWaiting() {
      if isEmitting { return }
      isEmitting = true
      while demand > .none, let group = waiting.popFirst() {
        deliver(group)
      }
      isEmitting = false
      finishIfDone()
    }

    @inlinable func finishIfDone() {
      guard let end, areGroupsOver, waiting.isEmpty, !isEmitting else { return }
      self.end = nil
      downstream.receive(completion: end)
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      end = completion
      if !isPassing { endGroups() }
    }

    @inlinable func endGroups() {
      guard let end else { return }
      let ended = groups
      (groups, places) = ([], [:])
      for group in ended { group.send(completion: end) }
      if case .failure = end { waiting.removeAll() }
      areGroupsOver = true
      finishIfDone()
    }

    @inlinable override func request(_ demand: Demand) {
      super.request(demand)
      emitWaiting()
    }

    @inlinable override func cancel() {
      end = nil
      demand = .none
      inputs.removeAll()
      waiting.removeAll()
      (groups, places) = ([], [:])
      super.cancel()
    }
  }
}

/// The values of one key, from the first of them on.
///
/// The first subscriber gets all values, and later ones what comes after they have subscribed. A
/// value that is not asked for yet waits. The group ends with the publisher that it was made from.
public final class KeyedGroup<Key: Hashable, Output, Failure: Error>: Publisher {
  /// The key of all its values.
  public let key: Key
  @usableFromInline var conduits: [GroupConduit<Output, Failure>] = []
  /// The values for the first subscriber; nil once there was one.
  @usableFromInline var first: [Output]? = []
  @usableFromInline var end: Completion<Failure>?

  @inlinable init(key: Key) { self.key = key }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let conduit = GroupConduit(AnySubscriber(subscriber), first ?? [], end)
    first = nil
    if end == nil { conduits.append(conduit) }
    conduit.begin()
  }

  @inlinable func send(_ value: Output) {
    if first != nil { first?.append(value) }
    guard !conduits.isEmpty else { return }
    if conduits.contains(where: \.isOver) { conduits.removeAll(where: \.isOver) }
    for conduit in conduits { conduit.offer(value) }
  }

  @inlinable func send(completion: Completion<Failure>) {
    end = completion
    let ended = conduits
    conduits = []
    for conduit in ended { conduit.finish(completion) }
  }
}

/// The way from a group to one subscriber.
@usableFromInline final class GroupConduit<Output, Failure: Error>: Subscription {
  @usableFromInline var downstream: AnySubscriber<Output, Failure>?
  @usableFromInline var demand = Demand.none
  @usableFromInline var waiting = Fifo<Output>()
  @usableFromInline var end: Completion<Failure>?
  @usableFromInline var isDelivering = false

  @inlinable init(
    _ downstream: AnySubscriber<Output, Failure>, _ first: [Output], _ end: Completion<Failure>?
  ) {
    self.downstream = downstream
    self.end = end
    for value in first { waiting.append(value) }
  }

  @inlinable var isOver: Bool { downstream == nil }

  @inlinable func begin() {
    downstream?.receive(subscription: self)
    deliverWaiting()
  }

  @inlinable func offer(_ value: Output) {
    if isOver { return }
    waiting.append(value)
    deliverWaiting()
  }

  @inlinable func finish(_ completion: Completion<Failure>) {
    end = completion
    deliverWaiting()
  }

  /// Passes on what is asked for. A value that arrives meanwhile waits for its turn.
  @inlinable func deliverWaiting() {
    if isDelivering { return }
    isDelivering = true
    while demand > .none, let downstream, let value = waiting.popFirst() {
      demand -= 1
      let more = downstream.receive(value)
      if more > .none { demand += more }
    }
    isDelivering = false
    guard let end, waiting.isEmpty, let downstream else { return }
    cancel()
    downstream.receive(completion: end)
  }

  @inlinable func request(_ demand: Demand) {
    demand.mustAsk()
    self.demand += demand
    deliverWaiting()
  }

  @inlinable func cancel() {
    downstream = nil
    end = nil
    waiting.removeAll()
  }
}

extension Publisher {
  /// Parts the values by a key: emits a group for each key that is new, with the key's values.
  ///
  /// `grouped { $0.symbol }.flatMap { $0.debounce(…) }` runs operators for each key by itself.
  /// The groups are kept until this publisher ends, so the keys should be limited in number. At
  /// the end the groups end first, in the order in which their keys came first. Cancelling stops
  /// all groups.
  @inlinable
  public func grouped<Key: Hashable>(by key: @escaping (Output) -> Key) -> Grouped<Self, Key> {
    Grouped(upstream: self, key: key)
  }
}
