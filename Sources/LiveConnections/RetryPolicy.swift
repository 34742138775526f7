import World

/// The policy of reconnecting to a server that was lost or could not be reached.
public struct RetryPolicy: Sendable, Equatable {
  /// False for a client that does not connect again by itself, as one without a policy.
  public var isEnabled = true
  /// The most attempts in a row, including the first `connect`; nil for no limit, 0 for just one.
  public var maxAttempts: Int?
  /// The first pause, unless the server sets it.
  public var initialDelay: Duration {
    get { .microseconds(firstPause) }
    set { firstPause = newValue.wholeMicroseconds }
  }
  /// The longest pause, with jitter as well, unless the server asks for more.
  public var maxDelay: Duration {
    get { .microseconds(longestPause) }
    set { longestPause = newValue.wholeMicroseconds }
  }
  /// The same in microseconds.
  package var firstPause: Int64
  package var longestPause: Int64
  /// The factor from one pause to the next.
  public var multiplier: Double
  /// The share by which a pause is randomly shorter or longer. What the server asks for is only
  /// made longer.
  public var jitter: Double
  /// The statuses that end the attempts; nil for the usual ones.
  public var nonRetryableStatuses: [Int]?

  /// The shortest pause in microseconds.
  package static let shortestPause: Int64 = 1_000

  package init(
    maxAttempts: Int? = nil, initialDelay: Int64 = 1_000_000, maxDelay: Int64 = 60_000_000,
    multiplier: Double = 2, jitter: Double = 0, nonRetryableStatuses: [Int]? = nil
  ) {
    self.maxAttempts = maxAttempts
    firstPause = initialDelay
    longestPause = maxDelay
    self.multiplier = multiplier
    self.jitter = jitter
    self.nonRetryableStatuses = nonRetryableStatuses
  }

  /// Makes a policy. The pauses begin with `initialDelay` and grow by the multiplier up to
  /// `maxDelay`.
  ///
  /// - Parameter enabled: False for a client that does not connect again by itself.
  @_disfavoredOverload
  public init(
    enabled: Bool = true, maxAttempts: Int? = nil, initialDelay: Duration = .seconds(1),
    maxDelay: Duration = .seconds(60), multiplier: Double = 2, jitter: Double = 0,
    nonRetryableStatuses: [Int]? = nil
  ) {
    self.init(
      maxAttempts: maxAttempts, initialDelay: initialDelay.wholeMicroseconds,
      maxDelay: maxDelay.wholeMicroseconds, multiplier: multiplier, jitter: jitter,
      nonRetryableStatuses: nonRetryableStatuses)
    isEnabled = enabled
  }

  /// The policy; nil if it is not enabled.
  package var ifEnabled: RetryPolicy? { isEnabled ? self : nil }

  /// Returns the microseconds of a pause.
  ///
  /// `unit` is the chance of this pause, from 0 up to 1.
  package func length(of pause: Pause, unit: Double) -> Int64 {
    let backoff = Backoff(
      initial: firstPause, max: longestPause, multiplier: multiplier, jitter: jitter)
    return max(RetryPolicy.shortestPause, backoff.length(of: pause, unit: unit))
  }

  /// Returns whether another attempt may get another status. An error of the client stays, unless
  /// the server only lacked time. With 204 a server asks the client to stop.
  public func isWorthAnotherTry(_ status: Int) -> Bool {
    if let nonRetryableStatuses { return !nonRetryableStatuses.contains(status) }
    return status != 204 && (status >= 500 || [408, 425, 429].contains(status))
  }

  /// Returns whether a server that closed a WebSocket with this code may accept another one. With
  /// 1000 it has nothing more to say, and a client that broke a rule would break it again.
  public func isWorthAnotherTry(closeCode: Int) -> Bool {
    if let nonRetryableStatuses { return !nonRetryableStatuses.contains(closeCode) }
    return ![1000, 1002, 1003, 1007, 1008, 1009, 1010].contains(closeCode)
  }
}

/// The attempts and pauses of a client so far, and whether it will try again.
struct RetryProgress: Sendable {
  let policy: RetryPolicy?
  /// The number of attempts since `connect`, or since the connection was lost.
  private var tries = 0
  /// The number of pauses since the connection was last good, or since `connect`.
  private var pauses = 0
  private(set) var isWaiting = false
  /// The server's reconnection time in microseconds, which holds until it sends another one.
  var advised: Int64?
  /// The pause after the refusal of the current attempt, in microseconds.
  var afterRefusal: Int64?

  init(_ policy: RetryPolicy?) { self.policy = policy }

  /// The owner asked for a connection, or there is one.
  mutating func startAfresh() { (tries, pauses) = (0, 0) }

  mutating func beginAttempt() {
    isWaiting = false
    tries += 1
    afterRefusal = nil
  }

  mutating func stopWaiting() { isWaiting = false }

  /// Begins to wait for another attempt; nil if there is none.
  mutating func beginPause() -> Pause? {
    guard let policy, mayTryAgain(policy) else { return nil }
    pauses += 1
    isWaiting = true
    return Pause(pauses, base: advised, least: afterRefusal)
  }

  private func mayTryAgain(_ policy: RetryPolicy) -> Bool {
    guard let most = policy.maxAttempts else { return true }
    return most > 0 && tries < most
  }
}

extension Duration {
  /// The whole microseconds, held in the range of the clock. Negative durations are zero.
  package var wholeMicroseconds: Int64 {
    let parts = components
    let (whole, isTooLong) = parts.seconds.multipliedReportingOverflow(by: 1_000_000)
    if isTooLong { return parts.seconds < 0 ? 0 : .max }
    let (sum, overflow) = whole.addingReportingOverflow(parts.attoseconds / 1_000_000_000_000)
    return overflow ? .max : max(sum, 0)
  }
}
