/// Pauses between attempts: each is `multiplier` times as long as the one before, and none is
/// longer than `max`.
///
/// The cap comes last, after chance: `max` then bounds each pause and not only its mean.
package struct Backoff: Sendable, Equatable {
  /// The first pause, in microseconds.
  package var initial: Int64
  /// The longest pause, in microseconds.
  package var max: Int64
  package var multiplier: Double
  /// The share by which chance makes a pause shorter or longer.
  package var jitter: Double

  package init(initial: Int64, max: Int64, multiplier: Double = 1, jitter: Double = 0) {
    self.initial = initial
    self.max = max
    self.multiplier = multiplier
    self.jitter = jitter
  }

  /// Returns the microseconds to wait after so many failed attempts.
  ///
  /// `unit` is the chance of this pause, from 0 up to 1; 0.5 leaves the pause as it is. The result
  /// is from 0 to `max`, also for numbers without sense: what is no number is treated as infinite.
  package func pause(_ attempt: Int, unit: Double) -> Int64 {
    bounded(grown(attempt) * (1 + jitter * (2 * unit - 1)))
  }

  /// Multiplies one by one, because powers round differently; what is beyond `max` grows no more.
  private func grown(_ attempt: Int) -> Double {
    let longest = Double(max)
    var pause = Double(initial)
    for _ in 1..<Swift.max(attempt, 1) {
      let next = pause * multiplier
      guard pause < longest, next != pause else { break }
      pause = next
    }
    return Swift.min(pause, longest)
  }

  /// The largest times are beyond what a floating-point number holds exactly, so that they are
  /// compared before they are converted.
  private func bounded(_ pause: Double) -> Int64 {
    pause < Double(max) ? Int64(Swift.max(pause, 0)) : Swift.max(max, 0)
  }
}
