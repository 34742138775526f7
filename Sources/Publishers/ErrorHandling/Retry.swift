/// Subscribes to upstream again after a failure, up to a number of times.
@frozen
public struct Retry<Upstream: Publisher>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The number of times that it subscribes to upstream again.
  public let retries: Int

  /// Creates the publisher that `retry(_:)` returns.
  @inlinable public init(upstream: Upstream, retries: Int) {
    self.upstream = upstream
    self.retries = retries
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    RetryState(Relay(subscriber), upstream, retries).run()
  }

  /// The attempts; those that fail at once are repeated in a loop, not one inside the other.
  @usableFromInline final class RetryState<Downstream: Subscriber>
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let relay: Relay<Downstream>
    @usableFromInline let upstream: Upstream
    @usableFromInline var remaining: Int
    @usableFromInline var attempt = 0
    @usableFromInline var isDue = true
    @usableFromInline var isRunning = false

    @inlinable init(_ relay: Relay<Downstream>, _ upstream: Upstream, _ retries: Int) {
      self.relay = relay
      self.upstream = upstream
      remaining = retries
    }

    @inlinable func run() {
      if isRunning { return }
      isRunning = true
      while isDue, !relay.isOver {
        isDue = false
        attempt += 1
        upstream.attach(Inner(self, attempt))
      }
      isRunning = false
    }

    @inlinable func didFail(_ error: Failure) {
      guard remaining > 0 else { return relay.finish(.failure(error)) }
      remaining -= 1
      isDue = relay.change()
      // What the failed attempt can still say counts no more.
      attempt += 1
      run()
    }
  }

  @usableFromInline struct Inner<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Output, Downstream.Failure == Failure {
    @usableFromInline let state: RetryState<Downstream>
    @usableFromInline let attempt: Int

    @inlinable init(_ state: RetryState<Downstream>, _ attempt: Int) {
      self.state = state
      self.attempt = attempt
    }

    @inlinable func receive(subscription: any Subscription) {
      if attempt == state.attempt {
        state.relay.begin(subscription)
      } else {
        subscription.cancel()
      }
    }
    @inlinable func receive(_ input: Output) -> Demand {
      attempt == state.attempt ? state.relay.pass(input) : .none
    }
    @inlinable func receive(completion: Completion<Failure>) {
      guard attempt == state.attempt else { return }
      switch completion {
      case .finished: state.relay.finish(.finished)
      case .failure(let error): state.didFail(error)
      }
    }
  }
}

extension Retry: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Subscribes to this publisher again after a failure, at most `retries` times; the failure after
  /// that passes.
  @inlinable
  public func retry(_ retries: Int) -> Retry<Self> { Retry(upstream: self, retries: retries) }
}
