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
  /// What one match of a pattern costs an evaluation beyond the length of its text.
  static let stepsForMatch = 100
}
