/// A regular expression, looked for anywhere in a text.
package struct CELPattern: Sendable {
  /// As it was written.
  package let text: String
  private let pattern: Pattern

  /// The compiled pattern, or what is wrong with it.
  package static func compile(_ text: String) -> Result<CELPattern, CELFault> {
    Pattern.compile(text).map { CELPattern(text: text, pattern: $0) }
  }

  /// Whether the text holds the pattern; a text that takes too long counts as not matching.
  package func matches(_ text: String) -> Bool {
    var meter = Meter()
    return (try? pattern.matches(text, &meter)) ?? false
  }
}
