/// Returns what to write for an operator, a matcher or a step of another tool, as the text of a
/// help line; nil for a word that no known tool has.
package func helpForForeignWord(_ word: String) -> String? {
  ForeignOperators.help(for: word) ?? ForeignMatchers.help(for: word)
    ?? ForeignMatchers.markers[word].map { "write `\($0)`" } ?? ForeignSteps.help(for: word)
}
