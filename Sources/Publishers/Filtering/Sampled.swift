/// Emits what came since the last signal, whenever another publisher signals.
@frozen
public struct Sampled<Upstream: Publisher, Signal: Publisher>: Operator
where Upstream.Failure == Signal.Failure {
  /// The values since the last signal; never an empty list.
  public typealias Output = [Upstream.Output]

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

  @inlinable init(upstream: Upstream, signal: Signal, kept: Kept) {
    self.upstream = upstream
    self.signal = signal
    self.kept = kept
  }

  // Upstream is subscribed to first: a value at the moment of a signal belongs to it.
  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let inner = Inner(subscriber, kept)
    subscriber.receive(subscription: inner)
    if !inner.isOver { upstream.attach(inner) }
    if !inner.link.isOver {
      inner.steer(by: signal) { completion in
        if case .failure = completion { inner.end(completion) }
      } onValue: { _ in
        inner.emit()
      }
    }
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Steered<S>, Subscriber {
    @usableFromInline let kept: Kept
    @usableFromInline var values: [Upstream.Output] = []
    /// True after the end of upstream, while the rest waits to be asked for.
    @usableFromInline var isFinishing = false

    @inlinable init(_ downstream: S, _ kept: Kept) {
      self.kept = kept
      super.init(downstream)
    }

    @inlinable override func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      subscription.request(.unlimited)
    }

    @inlinable func receive(_ input: Upstream.Output) -> Demand {
      guard link.isLive else { return .none }
      if case .newest = kept { values.removeAll(keepingCapacity: true) }
      values.append(input)
      return .none
    }

    @inlinable func emit() {
      guard !values.isEmpty, demand > .none, !isOver else { return }
      let all = values
      values = []
      deliver(all)
    }

    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      stopSteering()
      if case .finished = completion, case .all = kept, !values.isEmpty {
        isFinishing = true
        finishIfAsked()
      } else {
        values = []
        finish(completion)
      }
    }

    @inlinable func finishIfAsked() {
      guard isFinishing, demand > .none else { return }
      isFinishing = false
      emit()
      finish(.finished)
    }

    @inlinable override func request(_ demand: Demand) {
      demand.mustAsk()
      self.demand += demand
      finishIfAsked()
    }

    @inlinable override func cancel() {
      isFinishing = false
      values = []
      super.cancel()
    }
  }
}

extension Publisher {
  /// Emits the newest value whenever the other publisher emits, if a value has come since the last
  /// time. The end of the other publisher does not matter; its failure ends everything.
  @inlinable public func sample<Signal: Publisher>(
    by signal: Signal
  ) -> Map<Sampled<Self, Signal>, Output> where Signal.Failure == Failure {
    Sampled(upstream: self, signal: signal, kept: .newest).map { $0[0] }
  }

  /// Emits all values since the last time as a list, whenever the other publisher emits, and the
  /// rest at the end. No list is empty. The end of the other publisher does not matter; its failure
  /// ends everything.
  @inlinable public func collect<Signal: Publisher>(
    untilOutputFrom signal: Signal
  ) -> Sampled<Self, Signal> where Signal.Failure == Failure {
    Sampled(upstream: self, signal: signal, kept: .all)
  }
}
