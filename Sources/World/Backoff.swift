/// A pause of a client before another attempt: how many there were, and what the server asked for.
package struct Pause: Sendable, Equatable {
  /// Counted from 1 since the client was last served, or last asked to connect.
  package var number: Int
  /// The reconnection time of an event stream (`retry:`) in microseconds: it takes the place of the
  /// policy's first pause until the server sends another one.
  package var base: Int64?
  /// The microseconds that a refusal asked for (`Retry-After`): the least for this one pause.
  package var least: Int64?

  package init(_ number: Int, base: Int64? = nil, least: Int64? = nil) {
    self.number = number
    self.base = base
    self.least = least
  }
}

/// The pauses of every client that tries again: each is `multiplier` times as long as the one
/// before, and none is longer than `max`, or than the server asked for if that is more.
///
/// The cap comes last, after chance: `max` then bounds each pause and not only its mean. Chance
/// only lengthens what a server asked for: clients that come sooner are what it wanted to avoid.
package struct Backoff: Sendable, Equatable {
  /// The first pause, in microseconds.
  package var initial: Int64
  /// The longest pause, in microseconds.
  package var max: Int64
  package var multiplier: Double
  /// The share by which chance makes a pause shorter or longer.
  package var jitter: Double

  /// The shortest pause that `retry:` can set, unless the policy begins with a shorter one.
  /// Otherwise a server that ends each stream would be flooded.
  package static let shortestBase: Int64 = 100_000

  package init(initial: Int64, max: Int64, multiplier: Double = 1, jitter: Double = 0) {
    self.initial = initial
    self.max = max
    self.multiplier = multiplier
    self.jitter = jitter
  }

  /// Returns the microseconds of a pause.
  ///
  /// `unit` is the chance of this pause, from 0 up to 1; without advice, 0.5 leaves the pause as it
  /// is. The result is at least what the server asked for, and never negative, also for numbers
  /// without sense: what is no number is treated as infinite.
  package func length(of pause: Pause, unit: Double) -> Int64 {
    let base = pause.base.map { Swift.max($0, min(Backoff.shortestBase, initial, max)) }
    let asked = Swift.max(base ?? 0, pause.least ?? 0)
    let longest = Swift.max(max, asked)
    let mean = grown(pause.number, from: base ?? initial, upTo: Swift.max(max, base ?? max))
    let own = mean * (1 + jitter * (base == nil ? 2 * unit - 1 : unit))
    let least = Double(pause.least ?? 0) * (1 + jitter * unit)
    return Swift.max(asked, bounded(own, longest), bounded(least, longest))
  }

  /// Multiplies one by one, because powers round differently; what is beyond the longest grows no
  /// more.
  private func grown(_ number: Int, from first: Int64, upTo longest: Int64) -> Double {
    let longest = Double(longest)
    var pause = Double(first)
    for _ in 1..<Swift.max(number, 1) {
      let next = pause * multiplier
      guard pause < longest, next != pause else { break }
      pause = next
    }
    return Swift.min(pause, longest)
  }

  /// The largest times are beyond what a floating-point number holds exactly, so that they are
  /// compared before they are converted.
  private func bounded(_ pause: Double, _ longest: Int64) -> Int64 {
    pause < Double(longest) ? Int64(Swift.max(pause, 0)) : Swift.max(longest, 0)
  }
}
