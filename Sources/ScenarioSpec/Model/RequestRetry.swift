import Values

/// The conditions and delays with which a failed request is sent again.
package struct RequestRetry: Sendable, Equatable {
  /// Why a request got no answer.
  package enum Reason: String, Sendable, CaseIterable {
    case connectionLost, connectionFailed, offline, timeout, protocolError
  }

  /// With the first one.
  package var maxAttempts = 3
  package var initialDelay: Microseconds = 1_000_000
  package var multiplier = 2.0
  package var maxDelay: Microseconds = 60_000_000
  package var statuses: [Int] = [408, 429, 500, 502, 503, 504]
  package var reasons: [Reason] = [.connectionLost, .connectionFailed, .offline, .timeout]
  /// The share of a pause that is left to chance.
  package var jitter = 0.0

  static let mostAttempts = 100

  package init() {}
}
