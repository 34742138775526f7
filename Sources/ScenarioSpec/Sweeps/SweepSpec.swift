import Diagnostics
import Values
import World

/// The disturbances that a sweep tries, and the end that it demands.
package struct SweepSpec: Sendable {
  package typealias Kind = DisturbanceKind

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
