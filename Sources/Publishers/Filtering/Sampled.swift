/// Emits what came since the last signal, whenever another publisher signals.
@frozen
public struct Sampled<Upstream: Publisher, Signal: Publisher>: Publisher
where Upstream.Failure == Signal.Failure {
  /// The values since the last signal; never an empty list.
  public typealias Output = [Upstream.Output]
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The values that are kept for the next signal.
  @frozen
  @usableFromInline enum Kept {
    /// All of them, and those that are left at the end are emitted.
    case all
    /// The newest; it is dropped at the end.
    case newest
  }

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The publisher whose values are the signals.
  public let signal: Signal
  @usableFromInline let kept: Kept

  @inlinable
  init(upstream: Upstream, signal: Signal, kept: Kept) {
    self.upstream = upstream
    self.signal = signal
    self.kept = kept
  }

  // Upstream is subscribed to first: a value at the moment of a signal belongs to it.
  /// Attaches a subscriber, which receives its subscription first.
  @inlinable
  public func attach<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let inner = Inner(subscriber, kept)
    subscriber.receive(subscription: inner)
    if !inner.isCancelled { upstream.attach(inner) }
    if !inner.link.isOver { signal.attach(SignalSide(inner)) }
  }

  @usableFromInline final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let downstream: Downstream
    @usableFromInline let kept: Kept
    @exclusivity(unchecked) @usableFromInline var link = Link()
    @usableFromInline var signalLink = Link()
    @exclusivity(unchecked) @usableFromInline var demand = Demand.none
    @usableFromInline var values: [Upstream.Output] = []
    @usableFromInline var isCancelled = false
    /// True after the end of upstream, while the rest waits to be asked for.
    @usableFromInline var isFinishing = false

    @inlinable
    init(_ downstream: Downstream, _ kept: Kept) {
      self.downstream = downstream
      self.kept = kept
    }

    @inlinable
    func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      if case .newest = kept { values.removeAll(keepingCapacity: true) }
      values.append(input)
      return .none
    }

    @inlinable
    func emit() {
      guard !values.isEmpty, demand > .none, !isCancelled else { return }
      let all = values
      values = []
      demand -= 1
      let more = downstream.receive(all)
      if more > .none { demand += more }
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      signalLink.take()?.cancel()
      if case .finished = completion, case .all = kept, !values.isEmpty {
        isFinishing = true
        finishIfAsked()
      } else {
        values = []
        downstream.receive(completion: completion)
      }
    }

    @inlinable
    func finishIfAsked() {
      guard isFinishing, demand > .none else { return }
      isFinishing = false
      emit()
      if !isCancelled { downstream.receive(completion: .finished) }
    }

    @inlinable
    func signalDidEnd(_ completion: Completion<Failure>) {
      guard signalLink.close(), !link.isOver, case .failure = completion else { return }
      link.take()?.cancel()
      values = []
      downstream.receive(completion: completion)
    }

    @inlinable
    func request(_ demand: Demand) {
      demand.mustAsk()
      self.demand += demand
      finishIfAsked()
    }

    @inlinable
    func cancel() {
      isCancelled = true
      isFinishing = false
      values = []
      let (upstream, signal) = (link.take(), signalLink.take())
      signal?.cancel()
      upstream?.cancel()
    }
  }

  @usableFromInline struct SignalSide<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let inner: Inner<Downstream>

    @inlinable
    init(_ inner: Inner<Downstream>) { self.inner = inner }

    @inlinable
    func receive(subscription: any Subscription) {
      guard inner.signalLink.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }
    @inlinable
    func receive(_ input: Signal.Output) -> Demand {
      if inner.signalLink.isLive { inner.emit() }
      return .none
    }
    @inlinable
    func receive(completion: Completion<Failure>) { inner.signalDidEnd(completion) }
  }
}

extension Publisher {
  /// Emits the newest value whenever the other publisher emits, if a value has come since the last
  /// time. The end of the other publisher does not matter; its failure ends everything.
  @inlinable
  public func sample<Signal: Publisher>(
    by signal: Signal
  ) -> Map<Sampled<Self, Signal>, Output> where Signal.Failure == Failure {
    Sampled(upstream: self, signal: signal, kept: .newest).map { $0[0] }
  }

  /// Emits all values since the last time as a list, whenever the other publisher emits, and the
  /// rest at the end. No list is empty. The end of the other publisher does not matter; its failure
  /// ends everything.
  @inlinable
  public func collect<Signal: Publisher>(
    untilOutputFrom signal: Signal
  ) -> Sampled<Self, Signal> where Signal.Failure == Failure {
    Sampled(upstream: self, signal: signal, kept: .all)
  }
}
