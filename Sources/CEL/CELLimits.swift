/// The limits of one expression; each is far above honest use.
package enum CELLimits {
  /// Bytes of text in one expression.
  package static let textLength = 100_000
  /// The nesting depth of parentheses, brackets, calls and chains of operators.
  package static let nesting = 200
  /// Steps of one evaluation. Loops pay for each turn, text and lists for their size.
  package static let steps = 10_000_000
  /// Bytes of a text or a byte string that an expression makes.
  package static let textSize = 10_000_000
  /// Elements of a list or a map that an expression makes.
  package static let elements = 1_000_000
  /// The steps that one match of a pattern costs beyond the length of its text.
  static let stepsForMatch = 100
}
