/// How a client comes back to a server it has lost, or could not reach.
public struct RetryPolicy: Sendable, Equatable {
  /// The most tries in a row, the first `connect` among them; nil for no end, 0 for just one.
  public var maxAttempts: Int?
  /// Microseconds before the first pause ends, unless the server says otherwise.
  public var initialDelay: Int64
  /// Microseconds a pause lasts at most; what the server says may be longer.
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

  /// Microseconds of a pause, counted from 1 since the connection was last good or asked for.
  public func delay(ofPause pause: Int) -> Int64 {
    var delay = Double(initialDelay)
    // A hundred doublings are longer than any clock can count.
    for _ in 1..<min(max(pause, 1), 100) { delay *= multiplier }
    return max(RetryPolicy.shortestPause, min(maxDelay, microseconds(delay)))
  }

  /// The pause as chance leaves it; the share is from 0 up to 1.
  public func jittered(_ delay: Int64, by chance: Double) -> Int64 {
    let factor = 1 + jitter * (2 * chance - 1)
    return max(RetryPolicy.shortestPause, microseconds(Double(delay) * factor))
  }

  /// A number of any size, or none, as a time; what is no number is the longest.
  private func microseconds(_ number: Double) -> Int64 {
    number.isNaN ? .max : Int64(min(max(number, 0), 9e18))
  }

  /// Returns whether a status may be another one at the next try. What the client did wrong stays
  /// wrong, unless the server only had no time for it; 204 is how a server sends a client away.
  public func isWorthAnotherTry(_ status: Int) -> Bool {
    if let nonRetryableStatuses { return !nonRetryableStatuses.contains(status) }
    return status != 204 && (status >= 500 || [408, 425, 429].contains(status))
  }
}
