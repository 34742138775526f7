/// Holds a value, gives it to each new subscriber, and passes on every new one.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline let fanout: Fanout<Output, Failure>
  @exclusivity(unchecked) @usableFromInline var current: Output

  /// Creates a subject with its first value. With `serialize`, a send inside a delivery waits.
  @inlinable public init(_ value: Output, serialize: Bool = false) {
    current = value
    fanout = Fanout(serialize: serialize)
    // The value follows an upstream from the beginning, whether or not anybody subscribes.
    fanout.isWanted = true
  }

  /// The value; setting it is sending it. After the end it is only stored.
  @inlinable public var value: Output {
    get { current }
    set { if fanout.completion == nil { send(newValue) } else { store(newValue) } }
  }

  /// Stores a value and passes it to all subscribers; ignored after the end.
  @inlinable public func send(_ value: Output) {
    if fanout.nested == nil { deliver(value) } else { queue(.value(value)) }
  }

  /// Ends all subscribers; the value stays as it is.
  @inlinable public func send(completion: Completion<Failure>) {
    if fanout.nested == nil {
      fanout.send(completion: completion)
    } else {
      queue(.completion(completion))
    }
  }

  /// Connects an upstream and asks it for everything at once.
  @inlinable public func send(subscription: any Subscription) { fanout.add(subscription) }

  @inlinable func deliver(_ value: Output) {
    guard fanout.completion == nil else { return }
    store(value)
    fanout.send(value)
  }

  /// Passes the new value while the old one can still be read.
  @usableFromInline func willSet(_ value: Output) {
    fanout.send(value)
    store(value)
  }

  // The old value is freed when the new one is in its place: freeing may run code that looks at it.
  @inlinable func store(_ value: Output) {
    let old = current
    current = value
    withExtendedLifetime(old) {}
  }

  @usableFromInline func queue(_ event: NestedSends<Output, Failure>.Event) {
    fanout.nested?.run(event) { event in
      switch event {
      case .value(let value): deliver(value)
      case .completion(let completion): fanout.send(completion: completion)
      }
    }
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    if let completion = fanout.completion {
      subscriber.receive(subscription: EmptySubscription.shared)
      return subscriber.receive(completion: completion)
    }
    let conduit = CurrentValueConduit(self, subscriber)
    fanout.attach(conduit)
    subscriber.receive(subscription: conduit)
  }
}

/// A subscriber of a subject with a value: what it could not take, it gets in its latest form.
@usableFromInline
final class CurrentValueConduit<Downstream: Subscriber>: Conduit<
  Downstream.Input, Downstream.Failure
>
{
  @usableFromInline typealias Source = CurrentValueSubject<Downstream.Input, Downstream.Failure>

  @usableFromInline let downstream: Downstream
  @exclusivity(unchecked) @usableFromInline var source: Source?
  @exclusivity(unchecked) @usableFromInline var isUpToDate = false

  @inlinable init(_ source: Source, _ downstream: Downstream) {
    self.source = source
    self.downstream = downstream
    super.init(source.fanout) { conduit, value in
      unsafeDowncast(conduit, to: CurrentValueConduit<Downstream>.self).offer(value)
    }
  }

  @inlinable func offer(_ value: Downstream.Input) {
    if isOver { return }
    isUpToDate = demand > .none
    if isUpToDate { deliver(value) }
    catchUp()
  }

  @inlinable func deliver(_ value: Downstream.Input) {
    demand -= 1
    let more = downstream.receive(value)
    if more > .none { demand += more }
  }

  /// Delivers the present value, unless the subscriber has it or does not ask for it.
  @inlinable func catchUp() {
    while !isUpToDate, demand > .none, let source {
      isUpToDate = true
      deliver(source.current)
    }
  }

  @inlinable override func request(_ demand: Demand) {
    super.request(demand)
    catchUp()
  }

  @inlinable override func finish(_ completion: Completion<Downstream.Failure>) {
    if isOver { return }
    fanout = nil
    source = nil
    downstream.receive(completion: completion)
  }

  @inlinable override func cancel() {
    source = nil
    super.cancel()
  }
}
