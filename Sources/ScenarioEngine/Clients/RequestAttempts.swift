import LiveConnections
import Protocols
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

  /// An answer came with this status, and perhaps with the seconds to wait. The policy caps them.
  mutating func answered(
    _ status: Int, retryAfter: Int64? = nil, chance: () -> Double
  ) -> Decision {
    let decision = decide(policy.statuses.contains(status), chance)
    guard let retryAfter, case .goOn = decision else { return decision }
    return .goOn(after: min(retryAfter * 1_000_000, policy.maxDelay))
  }

  /// No answer came, for this reason.
  mutating func failed(_ reason: RequestRetryPlan.Reason, chance: () -> Double) -> Decision {
    decide(policy.reasons.contains(reason), chance)
  }

  /// Chance is asked only where it makes a difference.
  private mutating func decide(_ isWorthIt: Bool, _ chance: () -> Double) -> Decision {
    failed += 1
    guard isWorthIt, failed < policy.maxAttempts else { return .end }
    let chance = policy.jitter > 0 ? chance() : 0.5
    return .goOn(after: policy.backoff.pause(failed, unit: chance))
  }
}

extension RequestRetryPlan {
  var backoff: Backoff {
    Backoff(initial: initialDelay, max: maxDelay, multiplier: multiplier, jitter: jitter)
  }
}

extension ExchangeFailure {
  /// Why there was no answer, in the word that errors and retry policies have for it.
  var reason: RequestRetryPlan.Reason {
    let failure =
      switch self {
      case .protocolProblem(let problem): ConnectionFailure(problem)
      case .connection(let failure): ConnectionFailure(failure)
      }
    return RequestRetryPlan.Reason(rawValue: failure.reason) ?? .protocolError
  }
}
