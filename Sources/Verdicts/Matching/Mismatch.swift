import Diagnostics
import JSONSchemas
import ScenarioPlan
import Values

/// A part of a matcher that did not hold, and the part of the value that it was compared with.
///
/// Nothing is put into words here: most mismatches are never shown, as where `skip` passes over
/// events or `$in` tries one alternative after the other.
package struct Mismatch: Sendable {
  /// The kind that `$json` expects of a text.
  static let json = "JSON"

  /// A step of the path to a part of a value.
  package enum PathStep: Sendable {
    case key(Value)
    case index(Int)
  }

  /// The actual and the expected number of elements.
  package struct Lengths: Sendable {
    package var expected: Int
    package var actual: Int
  }

  /// The reason why a part does not match.
  package indirect enum Reason: Sendable {
    /// The values differ.
    case unequal(expected: Value)
    /// A map has no entry of this key; `expected` is its expected value, if known.
    case missingEntry(Value, expected: Value? = nil)
    /// An entry that `$exactly` has no place for; the path leads to it.
    case unexpectedEntry
    /// A list has more or fewer elements.
    case length(expected: Int, actual: Int)
    /// A list lacks so many elements from here on, the first of them this one.
    case missingElements(Int, expected: Value, Lengths)
    /// The number of extra elements, starting at this index.
    case unexpectedElements(Int, Lengths)
    /// The value is of a kind that the matcher is not for, such as a list.
    case kind(expected: String)
    /// An operator did not hold; `wants` is what it requires, as a scenario writes it.
    case operatorFailed(String, wants: Value)
    /// A list has no element left for this matcher of `$anyOrder`.
    case noElement(wants: Value)
    /// A comparison of values that have no order between them.
    case incomparable(String, wants: Value)
    /// `$where` gave something else than true.
    case notTrue(Value)
    case evaluation(EvaluationFailure)
    /// A rule of a schema that part of a value breaks, the part, and the keyword.
    case schemaBroken(String, value: String, keyword: String)
  }

  /// From the outermost part inwards.
  package var path: [PathStep]
  /// The part of the matcher that failed.
  package var range: SourceRange
  package var actual: Value
  package var reason: Reason
  /// True if the part without a value lies inside `$not`: the opposite of an error is an error.
  var isNegated = false

  init(_ reason: Reason, _ range: SourceRange, actual: Value) {
    path = []
    self.range = range
    self.actual = actual
    self.reason = reason
  }

  init(_ violation: SchemaViolation, _ range: SourceRange, actual: Value) {
    let reason = Reason.schemaBroken(
      violation.message, value: violation.instancePath, keyword: violation.schemaPath)
    self.init(reason, range, actual: actual)
  }

  /// True if an expression has no value, so that nobody knows whether the part matches.
  var isUndecided: Bool { if case .evaluation = reason { true } else { false } }

  /// The reason why a matcher with `$not` is neither held nor broken.
  var negatedFailure: EvaluationFailure? {
    if isNegated, case .evaluation(let failure) = reason { failure } else { nil }
  }

  /// True if a list has another length, which is easily overlooked in the values.
  var isOfLength: Bool {
    switch reason {
    case .length, .missingElements, .unexpectedElements: true
    case .unequal, .missingEntry, .unexpectedEntry, .kind, .operatorFailed, .noElement,
      .incomparable, .notTrue, .evaluation, .schemaBroken:
      false
    }
  }

  func inside(_ step: PathStep) -> Mismatch {
    var outer = self
    outer.path.insert(step, at: 0)
    return outer
  }

  /// The path as written after the name of a source: `.data.price`, `[2]`; empty for the whole
  /// value.
  package var pathText: String { Mismatch.text(ofPath: path) }

  static func text(ofPath path: [PathStep]) -> String {
    path.reduce(into: "") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(.string(let key)) where isName(key): text += "." + key
      case .key(let key): text += "[\(key.display)]"
      }
    }
  }
}

private func isName(_ text: String) -> Bool {
  guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
  return text.utf8.allSatisfy {
    $0 == 95 || (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
  }
}
