/// The policy of reconnecting to a server that was lost or could not be reached.
public struct RetryPolicy: Sendable, Equatable {
  /// The most attempts in a row, including the first `connect`; nil for no limit, 0 for just one.
  public var maxAttempts: Int?
  /// The first pause in microseconds, unless the server sets it.
  public var initialDelay: Int64
  /// The longest pause in microseconds; the server may set a longer one.
  public var maxDelay: Int64
  /// The factor from one pause to the next.
  public var multiplier: Double
  /// The share by which a pause is randomly shorter or longer.
  public var jitter: Double
  /// The statuses that end the attempts; nil for the usual ones.
  public var nonRetryableStatuses: [Int]?

  /// The shortest pause in microseconds, so that a server cannot make a client flood it.
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

  /// Returns the length of a pause in microseconds. Pauses count from 1 since the connection was
  /// last good, or since `connect`.
  public func delay(ofPause pause: Int) -> Int64 {
    var delay = Double(initialDelay)
    // A hundred doublings exceed any clock.
    for _ in 1..<min(max(pause, 1), 100) { delay *= multiplier }
    return max(RetryPolicy.shortestPause, min(maxDelay, microseconds(delay)))
  }

  /// Returns the pause with jitter; `chance` is from 0 up to 1.
  public func jittered(_ delay: Int64, by chance: Double) -> Int64 {
    let factor = 1 + jitter * (2 * chance - 1)
    return max(RetryPolicy.shortestPause, microseconds(Double(delay) * factor))
  }

  /// Returns a number as a time; infinite and invalid ones become the longest time.
  private func microseconds(_ number: Double) -> Int64 {
    number.isNaN ? .max : Int64(min(max(number, 0), 9e18))
  }

  /// Returns whether another attempt may get another status. An error of the client stays, unless
  /// the server only lacked time. With 204 a server asks the client to stop.
  public func isWorthAnotherTry(_ status: Int) -> Bool {
    if let nonRetryableStatuses { return !nonRetryableStatuses.contains(status) }
    return status != 204 && (status >= 500 || [408, 425, 429].contains(status))
  }
}
