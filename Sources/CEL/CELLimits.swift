/// What one expression may take before it is refused; each limit is far above honest use.
package enum CELLimits {
  /// Bytes of text in one expression.
  package static let textLength = 100_000
  /// How deep parentheses, brackets, calls and chains of operators may nest.
  package static let nesting = 200
  /// Steps of one evaluation: loops pay for each turn, text and lists for their size.
  package static let steps = 10_000_000
  /// Bytes of a text or a byte string an expression makes.
  package static let textSize = 10_000_000
  /// Elements of a list or a map an expression makes.
  package static let elements = 1_000_000
  /// Backtracking steps of one pattern match.
  package static let patternSteps: UInt32 = 1_000_000
  /// Nested backtracking points of one pattern match.
  package static let patternDepth: UInt32 = 250_000
  /// Kibibytes one pattern match may use to backtrack.
  package static let patternMemory: UInt32 = 65_536
  /// What one match costs an evaluation beyond the length of its text.
  static let stepsForMatch = 100
  /// Bytes of a pattern.
  package static let patternLength = 10_000
}
