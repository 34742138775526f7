import ScenarioPlan
import Values
import World

/// Decides after each attempt of a request whether there is another one, and when.
struct RequestAttempts {
  /// The decision after an attempt.
  enum Decision: Equatable {
    case goOn(after: Microseconds)
    /// The last attempt's result is the request's result.
    case end
  }

  let policy: RequestRetryPlan
  private(set) var failed = 0

  init(_ policy: RequestRetryPlan) { self.policy = policy }

  /// An answer came with this status, and perhaps with the time to wait at least.
  mutating func answered(
    _ status: Int, retryAfter: Microseconds? = nil, chance: () -> Double
  ) -> Decision {
    decide(policy.statuses.contains(status), chance, least: retryAfter)
  }

  /// No answer came, for this reason.
  mutating func failed(_ reason: RequestRetryPlan.Reason, chance: () -> Double) -> Decision {
    decide(policy.reasons.contains(reason), chance)
  }

  /// Chance is asked only where it makes a difference.
  private mutating func decide(
    _ isWorthIt: Bool, _ chance: () -> Double, least: Microseconds? = nil
  ) -> Decision {
    failed += 1
    guard isWorthIt, failed < policy.maxAttempts else { return .end }
    let chance = policy.jitter > 0 ? chance() : 0.5
    return .goOn(after: policy.backoff.length(of: Pause(failed, least: least), unit: chance))
  }
}

extension RequestRetryPlan {
  var backoff: Backoff {
    Backoff(initial: initialDelay, max: maxDelay, multiplier: multiplier, jitter: jitter)
  }
}
