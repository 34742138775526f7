import Diagnostics
import Values

/// The wording for texts that a report does not show.
extension FailureWriter {
  /// Where the texts differ of which both sides are hidden: their names may be the same, and would
  /// not say that the texts are not.
  func hiddenFacts(_ differences: Differences) -> [Diagnostic.Fact] {
    let lines = differences.listed.compactMap { each -> String? in
      guard case .unequal(let expected) = each.reason,
        let place = names.hiddenDifference(each.actual, expected)
      else { return nil }
      return (each.path.isEmpty ? "" : each.pathText + ": ") + "the texts \(place)"
    }
    return lines.isEmpty ? [] : [.init("hidden", lines.joined(separator: "\n"))]
  }

  /// The same of the values that a condition has read, if two of them are hidden.
  func hiddenFacts(_ values: [(name: String, value: Value)]) -> [Diagnostic.Fact] {
    let hidden = values.filter { names.isHidden($0.value) }
    guard hidden.count == 2,
      let place = names.hiddenDifference(hidden[0].value, hidden[1].value)
    else { return [] }
    return [.init("hidden", "`\(hidden[0].name)` and `\(hidden[1].name)` \(place)")]
  }
}

extension EventNames {
  /// Returns whether a value is a text of which not all is shown.
  fileprivate func isHidden(_ value: Value) -> Bool {
    guard case .string(let text) = value else { return false }
    return masked(text) != text
  }

  /// Returns from which character on two hidden texts differ; nil if one of them is shown.
  fileprivate func hiddenDifference(_ one: Value, _ other: Value) -> String? {
    guard isHidden(one), isHidden(other), case .string(let one) = one,
      case .string(let other) = other, !one.unicodeScalars.elementsEqual(other.unicodeScalars)
    else { return nil }
    let shared = zip(one.unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
    return "differ from character \(shared + 1) on"
  }
}
