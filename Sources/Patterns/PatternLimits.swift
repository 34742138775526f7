/// The limits of one pattern; each is far above honest use.
package enum PatternLimits {
  /// Bytes of a pattern.
  package static let length = 10_000
  /// Backtracking steps of one match.
  package static let steps: UInt32 = 1_000_000
  /// Nested backtracking points of one match.
  package static let depth: UInt32 = 250_000
  /// Kibibytes that one match may use for backtracking.
  package static let memory: UInt32 = 65_536
}
