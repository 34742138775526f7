import World

/// How a client comes back to a server it has lost, or could not reach.
public struct RetryPolicy: Sendable, Equatable {
  /// The most tries in a row, the first `connect` among them; nil for no end, 0 for just one.
  public var maxAttempts: Int?
  /// Microseconds before the first pause ends, unless the server says otherwise.
  public var initialDelay: Int64
  /// Microseconds a pause lasts at most, with chance as well; what the server says may be longer.
  public var maxDelay: Int64
  /// How much longer each pause is than the one before.
  public var multiplier: Double
  /// The share by which chance makes a pause shorter or longer.
  public var jitter: Double
  /// Statuses after which there is no other try; nil for the usual ones.
  public var nonRetryableStatuses: [Int]?

  /// A pause is never shorter, so that a server cannot make a client storm it.
  public static let shortestPause: Int64 = 1_000

  public init(
    maxAttempts: Int? = nil, initialDelay: Int64 = 1_000_000, maxDelay: Int64 = 60_000_000,
    multiplier: Double = 2, jitter: Double = 0, nonRetryableStatuses: [Int]? = nil
  ) {
    self.maxAttempts = maxAttempts
    self.initialDelay = initialDelay
    self.maxDelay = maxDelay
    self.multiplier = multiplier
    self.jitter = jitter
    self.nonRetryableStatuses = nonRetryableStatuses
  }

  /// Returns the microseconds of a pause, counted from 1 since the connection was last good or
  /// asked for.
  ///
  /// `unit` is the chance of this pause, from 0 up to 1. With chance as well no pause is longer
  /// than `maxDelay`.
  public func pause(_ number: Int, unit: Double) -> Int64 {
    length(of: .backoff(number), unit: unit)
  }

  /// Why a client waits before it connects again.
  enum Pause: Sendable, Equatable {
    /// By this policy; counted from 1 since the connection was last good or asked for.
    case backoff(Int)
    /// The server said how long, in microseconds.
    case advised(Int64)
  }

  func length(of pause: Pause, unit: Double) -> Int64 {
    let length =
      switch pause {
      case .backoff(let number):
        Backoff(initial: initialDelay, max: maxDelay, multiplier: multiplier, jitter: jitter)
          .pause(number, unit: unit)
      case .advised(let advice):
        Backoff(initial: advice, max: .max, jitter: jitter).pause(1, unit: unit)
      }
    return max(RetryPolicy.shortestPause, length)
  }

  /// Whether a status may be another one at the next try. What the client did wrong stays wrong,
  /// unless the server only had no time for it; 204 is how a server sends a client away.
  public func isWorthAnotherTry(_ status: Int) -> Bool {
    if let nonRetryableStatuses { return !nonRetryableStatuses.contains(status) }
    return status != 204 && (status >= 500 || [408, 425, 429].contains(status))
  }
}
