/// The one value of some work that begins when the future is made; late subscribers get it too.
public final class Future<Output, Failure: Error>: Publisher {
  /// The function that the work calls with its result.
  public typealias Promise = (Result<Output, Failure>) -> Void

  @usableFromInline let state = FutureState<Output, Failure>()

  /// Begins the work, which keeps its promise at once or later; only the first result counts.
  @inlinable public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
    let state = self.state
    attemptToFulfill { result in state.fulfil(result) }
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let conduit = FutureConduit(state, subscriber)
    if state.result == nil { state.conduits.append(conduit) }
    subscriber.receive(subscription: conduit)
    conduit.deliver()
  }
}

@usableFromInline final class FutureState<Output, Failure: Error> {
  @usableFromInline var result: Result<Output, Failure>?
  @usableFromInline var conduits: [FutureWaiter] = []

  @inlinable init() {}

  @inlinable func fulfil(_ result: Result<Output, Failure>) {
    if self.result != nil { return }
    self.result = result
    let waiting = conduits
    conduits = []
    for conduit in waiting { conduit.deliver() }
  }

  @usableFromInline func remove(_ conduit: FutureWaiter) {
    conduits.removeAll { $0 === conduit }
  }
}

/// A subscriber of a future, whatever its type.
@usableFromInline protocol FutureWaiter: AnyObject {
  func deliver()
}

@usableFromInline final class FutureConduit<Downstream: Subscriber>: FutureWaiter, Subscription {
  @usableFromInline let downstream: Downstream
  @usableFromInline var state: FutureState<Downstream.Input, Downstream.Failure>?
  @usableFromInline var isWanted = false
  @usableFromInline var isCancelled = false

  @inlinable
  init(_ state: FutureState<Downstream.Input, Downstream.Failure>, _ downstream: Downstream) {
    self.state = state
    self.downstream = downstream
  }

  /// Passes on the result once there is one; a value only once it is wanted.
  @inlinable func deliver() {
    switch state?.result {
    case .success(let value) where isWanted:
      let kept = state
      state = nil
      _ = downstream.receive(value)
      if !isCancelled { downstream.receive(completion: .finished) }
      withExtendedLifetime(kept) {}
    case .failure(let error):
      state = nil
      downstream.receive(completion: .failure(error))
    case .success, nil: break
    }
  }

  @inlinable func request(_ demand: Demand) {
    demand.mustAsk()
    isWanted = true
    deliver()
  }

  @inlinable func cancel() {
    isCancelled = true
    let left = state
    state = nil
    left?.remove(self)
  }
}
