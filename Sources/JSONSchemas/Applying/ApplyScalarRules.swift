import Diagnostics
import Values

extension SchemaRun {
  mutating func satisfiesConstants(_ node: SchemaNode, _ value: Value) -> Bool {
    var isGood = true
    for rule in node.constants {
      switch rule {
      case .equal(let wanted):
        if sameJSON(value, wanted) { continue }
        isGood = fail(node, "const") {
          "must be \(shown(wanted)), not \(shown(value))" + unseen([wanted], value)
        }
      case .oneOf(let wanted):
        if wanted.contains(where: { sameJSON(value, $0) }) { continue }
        isGood = fail(node, "enum") {
          "must be \(choice(wanted)), not \(shown(value))" + unseen(wanted, value)
        }
      }
      if !collects { return false }
    }
    return isGood
  }

  mutating func satisfiesNumberRules(_ node: SchemaNode, _ value: Value) -> Bool {
    var isGood = true
    for rule in node.numberRules where !rule.holds(value) {
      isGood = fail(node, rule.keyword) { "must be \(rule.text), not \(shown(value))" }
      if !collects { return false }
    }
    return isGood
  }

  mutating func satisfiesTextRules(_ node: SchemaNode, _ text: String) -> Bool {
    var isGood = true
    for rule in node.textRules {
      switch rule {
      case .minLength(let least):
        if hasScalars(text, atLeast: least) { continue }
        isGood = fail(node, "minLength") { lengthMessage(text, "least", least) }
      case .maxLength(let most):
        if most == .max || !hasScalars(text, atLeast: most + 1) { continue }
        isGood = fail(node, "maxLength") { lengthMessage(text, "most", most) }
      case .pattern(let pattern):
        guard let isFound = pattern.isFound(in: text) else {
          return abort(node, "pattern", "the pattern `\(pattern.text)` takes too long here")
        }
        if isFound { continue }
        isGood = fail(node, "pattern") {
          "must match `\(pattern.text)`, as \(shown(.string(text))) does not"
        }
      case .format(let format):
        guard let holds = format.holds(text) else {
          return abort(node, "format", "the format `\(format.rawValue)` takes too long here")
        }
        if holds { continue }
        isGood = fail(node, "format") {
          "must have the format `\(format.rawValue)`, as \(shown(.string(text))) does not"
        }
      }
      if !collects { return false }
    }
    return isGood
  }
}

extension NumberRule {
  fileprivate func holds(_ value: Value) -> Bool {
    switch self {
    case .minimum(let limit): order(of: value, limit)?.isAtLeast ?? false
    case .maximum(let limit): order(of: value, limit)?.isAtMost ?? false
    case .above(let limit): order(of: value, limit) == .after
    case .below(let limit): order(of: value, limit) == .before
    case .multipleOf(let step, let decimal): isMultiple(value, step, decimal)
    }
  }

  private func order(of value: Value, _ limit: Value) -> ValueOrder? {
    ValueOrder(numbers: value.comparable, limit.comparable)
  }

  private func isMultiple(_ value: Value, _ step: Value, _ decimal: DecimalNumber) -> Bool {
    if case .int(let number) = value, case .int(let whole) = step {
      return number.magnitude % whole.magnitude == 0
    }
    return DecimalNumber(value)?.isMultiple(of: decimal) ?? false
  }

  fileprivate var keyword: String {
    switch self {
    case .minimum: "minimum"
    case .maximum: "maximum"
    case .above: "exclusiveMinimum"
    case .below: "exclusiveMaximum"
    case .multipleOf: "multipleOf"
    }
  }

  fileprivate var text: String {
    switch self {
    case .minimum(let limit): "at least \(shown(limit))"
    case .maximum(let limit): "at most \(shown(limit))"
    case .above(let limit): "above \(shown(limit))"
    case .below(let limit): "below \(shown(limit))"
    case .multipleOf(let step, _): "a multiple of \(shown(step))"
    }
  }
}

extension Value {
  /// The number, or a double in place of digits: it says on which side of a limit they are.
  fileprivate var comparable: Value {
    if case .digits(let text) = self { .double(Double(text) ?? .infinity) } else { self }
  }
}

/// Returns whether a text has at least this many code points. It reads no further than needed,
/// since each takes one to four bytes.
private func hasScalars(_ text: String, atLeast count: Int) -> Bool {
  let bytes = text.utf8.count
  if bytes < count { return false }
  if bytes / 4 >= count { return true }
  return text.unicodeScalars.count >= count
}

/// Returns "a, b or c", shortened if there are many.
private func choice(_ values: [Value]) -> String {
  guard let last = values.last else { return "one of no values" }
  if values.count > 10 {
    return "one of " + values.prefix(8).map(shown).joined(separator: ", ") + ", …"
  }
  let first = values.dropLast().map(shown).joined(separator: ", ")
  return first.isEmpty ? shown(last) : first + " or " + shown(last)
}

/// Returns "1 element", "2 elements", "2 properties".
func plural(_ count: Int, _ word: String) -> String {
  if count == 1 { return "1 \(word)" }
  return "\(count) " + (word.hasSuffix("y") ? word.dropLast() + "ies" : word + "s")
}

private func lengthMessage(_ text: String, _ word: String, _ count: Int) -> String {
  "must have at \(word) \(plural(count, "character")), not \(text.unicodeScalars.count)"
}

/// Returns where a text first differs from one that looks like it; empty if there is no such text.
private func unseen(_ wanted: [Value], _ value: Value) -> String {
  guard case .string(let actual) = value else { return "" }
  let pairs = wanted.compactMap { wanted in
    if case .string(let expected) = wanted { (actual: actual, expected: expected) } else { nil }
  }
  return codePointDifference(among: pairs).map { "; " + $0 } ?? ""
}
