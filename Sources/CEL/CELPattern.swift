/// A regular expression of `$regex`, with the text it was made from.
package struct CELPattern: Sendable {
  package let text: String
  private let pattern: Pattern

  private init(_ text: String, _ pattern: Pattern) {
    self.text = text
    self.pattern = pattern
  }

  /// The pattern, or why it is none.
  package static func compile(_ text: String) -> Result<CELPattern, CELFault> {
    Pattern.compile(text).map { CELPattern(text, $0) }
  }

  /// Whether the pattern is found anywhere in the text; a failure where that would take too long.
  package func search(_ text: String) -> Result<Bool, CELFault> {
    var meter = Meter()
    do {
      return .success(try pattern.matches(text, &meter))
    } catch {
      return .failure(error)
    }
  }

  /// As `search`, where a pattern that takes too long is one that is not found.
  package func matches(_ text: String) -> Bool {
    if case .success(true) = search(text) { true } else { false }
  }
}
