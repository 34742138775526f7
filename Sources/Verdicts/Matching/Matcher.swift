import CEL
import Diagnostics
import ScenarioPlan
import Values

/// Holds matchers against values.
///
/// Captures wait in `slots.pendingCaptures` until the caller accounts for the event or lets it go.
///
/// Recursion follows the matcher, whose depth the reader of the YAML text has bounded.
struct Matcher {
  let slots: JudgeSlots

  /// Whether a value is as the matcher says; nil, or the first part that is not.
  func mismatch(of value: Value, with matcher: MatcherPlan) -> Mismatch? {
    switch matcher.content {
    case .value(let data): mismatch(of: value, with: data)
    case .list(let elements): mismatch(of: value, withList: elements, at: matcher.range)
    case .map(let entries): mismatch(of: value, withMap: entries, at: matcher.range)
    case .operators(let operators): mismatch(of: value, withAll: operators)
    }
  }

  private func mismatch(of value: Value, with data: DataPlan) -> Mismatch? {
    if case .constant(let expected) = data.content {
      if case .string(let text) = expected, case .string(let actual) = value, text == actual {
        return nil
      }
      return mismatch(of: value, withValue: expected, at: data.range)
    }
    switch slots.evaluate(data) {
    case .success(let expected):
      return mismatch(of: value, withValue: expected, at: data.range)
    case .failure(let failure):
      return Mismatch(.evaluation(failure), failure.range, actual: value)
    }
  }

  /// Maps and lists that an expression gave match as written ones do: entry by entry.
  func mismatch(
    of value: Value, withValue expected: Value, at range: SourceRange
  ) -> Mismatch? {
    switch expected {
    case .string(let text):
      return isText(text, value)
        ? nil : Mismatch(.unequal(expected: expected), range, actual: value)
    case .map(let entries):
      return mismatch(of: value, withMap: entries, at: range)
    case .list(let elements):
      return mismatch(of: value, withList: elements, at: range)
    case .null, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .type, .optional:
      return expected == value ? nil : Mismatch(.unequal(expected: expected), range, actual: value)
    }
  }

  private func mismatch(
    of value: Value, withMap entries: ValueMap, at range: SourceRange
  ) -> Mismatch? {
    guard case .map(let actual) = value else {
      return Mismatch(.kind(expected: "a map"), range, actual: value)
    }
    for (key, expected) in entries {
      guard let part = actual[key] else {
        return Mismatch(.missingEntry(key), range, actual: value)
      }
      if let inner = mismatch(of: part, withValue: expected, at: range) {
        return inner.inside(.key(key))
      }
    }
    return nil
  }

  private func mismatch(
    of value: Value, withList elements: [Value], at range: SourceRange
  ) -> Mismatch? {
    guard case .list(let actual) = value else {
      return Mismatch(.kind(expected: "a list"), range, actual: value)
    }
    guard actual.count == elements.count else {
      return Mismatch(
        .length(expected: elements.count, actual: actual.count), range, actual: value)
    }
    for (index, element) in elements.enumerated() {
      if let inner = mismatch(of: actual[index], withValue: element, at: range) {
        return inner.inside(.index(index))
      }
    }
    return nil
  }

  private func mismatch(
    of value: Value, withMap entries: [(key: Value, matcher: MatcherPlan)], at range: SourceRange
  ) -> Mismatch? {
    guard case .map(let actual) = value else {
      return Mismatch(.kind(expected: "a map"), range, actual: value)
    }
    if entries.count == 1, actual.count == 2, let event = NamedEvent(value),
      .string(event.name) == entries[0].key
    {
      return mismatch(of: event.payload, with: entries[0].matcher)?.inside(.key("payload"))
    }
    // By place, because a loop over pairs would copy each of them.
    for place in entries.indices {
      guard let part = actual[entries[place].key] else {
        let missing = Mismatch.Reason.missingEntry(entries[place].key)
        return Mismatch(missing, entries[place].matcher.range, actual: value)
      }
      if let inner = mismatch(of: part, with: entries[place].matcher) {
        return inner.inside(.key(entries[place].key))
      }
    }
    return nil
  }

  private func mismatch(
    of value: Value, withList elements: [MatcherPlan], at range: SourceRange
  ) -> Mismatch? {
    guard case .list(let actual) = value else {
      return Mismatch(.kind(expected: "a list"), range, actual: value)
    }
    guard actual.count == elements.count else {
      return Mismatch(
        .length(expected: elements.count, actual: actual.count), range, actual: value)
    }
    for (index, element) in elements.enumerated() {
      if let inner = mismatch(of: actual[index], with: element) {
        return inner.inside(.index(index))
      }
    }
    return nil
  }
}
