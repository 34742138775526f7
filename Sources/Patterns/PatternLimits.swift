/// What one pattern may take before it is refused; each limit is far above honest use.
package enum PatternLimits {
  /// Bytes of a pattern.
  package static let length = 10_000
  /// Backtracking steps of one match.
  package static let steps: UInt32 = 1_000_000
  /// Nested backtracking points of one match.
  package static let depth: UInt32 = 250_000
  /// Kibibytes one match may use to backtrack.
  package static let memory: UInt32 = 65_536
}
