import Publishers
import ScenarioPlan
import Values
import World

/// Streams that begin again after a pause.
extension LiveStreams {
  /// Subscribes again after each failure, until the attempts in a row are used up.
  ///
  /// The last failure goes through `retry` as a value, which is the one thing that it lets pass.
  func retry(_ chain: ValuePublisher, _ policy: RetryPolicyPlan) -> ValuePublisher {
    Deferred { [unowned self] in
      let attempts = StreamAttempts(policy) { [unowned self] in
        run.suppliers.providers.retryChance(of: "of streams")
      }
      return Deferred { [unowned self] in attempt(chain, attempts) }
        .retry(Int.max)
        .tryMap { result throws(StreamFailure) in try result.get() }
    }.eraseToAnyPublisher()
  }

  private func attempt(
    _ chain: ValuePublisher, _ attempts: StreamAttempts
  ) -> AnyPublisher<Result<Value, StreamFailure>, StreamFailure> {
    let pause = attempts.begin()
    let begun = pause.map { silence($0).append(chain).eraseToAnyPublisher() } ?? chain
    return begun.map { value in
      attempts.succeed()
      return .success(value)
    }.catch { failure -> AnyPublisher<Result<Value, StreamFailure>, StreamFailure> in
      if attempts.areLeft { return Fail(error: failure).eraseToAnyPublisher() }
      return Just(.failure(failure)).setFailureType(to: StreamFailure.self).eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }

  private func silence(_ length: Microseconds) -> ValuePublisher {
    TimelinePublisher<Value, StreamFailure, RunScheduler>(
      moments: [(at: length, event: .finished)], scheduler: scheduler
    ).eraseToAnyPublisher()
  }
}

/// The attempts in a row of one subscription.
private final class StreamAttempts {
  private let policy: RetryPolicyPlan
  private let chance: () -> Double
  private var count = 0

  init(_ policy: RetryPolicyPlan, chance: @escaping () -> Double) {
    self.policy = policy
    self.chance = chance
  }

  var areLeft: Bool { policy.maxAttempts.map { count < $0 } ?? true }

  /// Counts an attempt. Returns the pause before it; nil for the very first.
  func begin() -> Microseconds? {
    count += 1
    guard count > 1 else { return nil }
    let backoff = Backoff(
      initial: policy.initialDelay, max: policy.maxDelay, multiplier: policy.multiplier,
      jitter: policy.jitter)
    return backoff.length(of: Pause(count - 1), unit: policy.jitter > 0 ? chance() : 0.5)
  }

  /// Notes a value: the next failure is the first one in a row.
  func succeed() { count = 1 }
}
