import Diagnostics
import Values

/// The disturbances that a sweep tries, and the end that it demands.
package struct SweepSpec: Sendable {
  /// The kinds of disturbances.
  package enum Kind: String, Sendable, CaseIterable {
    case cut, lostRequest, lostAnswer, refuse, duplicate, late, swap
  }

  package var same: [Located<String>] = []
  package var never: (condition: ExpressionText, verb: Located<String>)?
  package var allowed: [Located<String>] = []
  /// Nil if all kinds are tried everywhere.
  package var disturbed: [(name: Located<String>, kinds: [Kind])]?
  package var settle: Microseconds?
  package var demandsExpect = false
  package var range: SourceRange

  package init(range: SourceRange) { self.range = range }
}
