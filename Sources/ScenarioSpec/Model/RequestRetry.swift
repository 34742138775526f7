import Values

/// When a request that failed is made again, and after how long.
package struct RequestRetry: Sendable, Equatable {
  /// Why a request got no answer.
  package enum Reason: String, Sendable, CaseIterable {
    case connectionLost, connectionFailed, offline, protocolError
  }

  /// With the first one.
  package var maxAttempts = 3
  package var initialDelay: Microseconds = 1_000_000
  package var multiplier = 2.0
  package var maxDelay: Microseconds = 60_000_000
  package var statuses: [Int] = [408, 429, 500, 502, 503, 504]
  package var reasons: [Reason] = [.connectionLost, .connectionFailed, .offline]
  /// The share of a pause that is left to chance.
  package var jitter = 0.0

  static let mostAttempts = 100

  package init() {}

  /// The pause after so many attempts have failed; `chance` is from 0 up to 1.
  package func pause(after attempts: Int, chance: Double) -> Microseconds {
    var pause = Double(initialDelay)
    // Attempts are few, and what is beyond the longest pause need not be worked out.
    for _ in 1..<max(1, attempts) where pause < Double(maxDelay) { pause *= multiplier }
    pause = min(pause, Double(maxDelay)) * (1 + jitter * (2 * chance - 1))
    // The longest durations are beyond what a floating-point number holds exactly.
    let bounded = min(pause, Double(maxDelay))
    return bounded < 0x1p62 ? Microseconds(bounded) : maxDelay
  }
}
