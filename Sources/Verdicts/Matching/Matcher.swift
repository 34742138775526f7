import Diagnostics
import ScenarioPlan
import Values

/// Holds matchers against values.
///
/// Captures wait in `slots.pendingCaptures` until the caller accounts for the event or lets it go.
///
/// Recursion follows the matcher, whose depth the reader of the YAML text has bounded.
///
/// Inside `$not` there are three results, as in expressions: a part that surely differs decides for
/// all, wherever it is written, and only then a part without a value leaves the result open.
struct Matcher {
  let slots: JudgeSlots

  /// Returns the first part of a value that does not match; nil if the value matches.
  func mismatch(of value: Value, with matcher: MatcherPlan) -> Mismatch? {
    switch matcher.content {
    case .value(let data): mismatch(of: value, with: data)
    case .list(let elements):
      mismatch(of: value, withList: elements, at: matcher.range) { part, element in
        mismatch(of: part, with: element)
      }
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
      return mismatch(of: value, withList: elements, at: range) { part, element in
        mismatch(of: part, withValue: element, at: range)
      }
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      if let open = mismatch(comparing: value, with: expected, at: range) { return open }
      return expected == value ? nil : Mismatch(.unequal(expected: expected), range, actual: value)
    }
  }

  /// A number beyond 64 bits has no place among the numbers, so that nothing is decided by one.
  func mismatch(
    comparing value: Value, with expected: Value, at range: SourceRange
  ) -> Mismatch? {
    guard case .digits(let text) = value, TypeName.number.contains(expected) else { return nil }
    return mismatch(ofNumber: text, "compared", actual: value, at: range)
  }

  func mismatch(
    ofNumber text: String, _ use: String, actual: Value, at range: SourceRange
  ) -> Mismatch {
    let failure = EvaluationFailure(
      range: range, message: "\(text) is beyond 64 bits and cannot be \(use)",
      help: "match its text: `{ $where: string(value) == '\(text)' }`")
    return Mismatch(.evaluation(failure), range, actual: actual)
  }

  private func mismatch(
    of value: Value, withMap entries: ValueMap, at range: SourceRange
  ) -> Mismatch? {
    guard case .map(let actual) = value else {
      return Mismatch(.kind(expected: "a map"), range, actual: value)
    }
    for (key, expected) in entries {
      let inner = mismatch(ofEntry: key, in: actual, at: range) {
        mismatch(of: $0, withValue: expected, at: range)
      }
      if let inner { return inner }
    }
    return nil
  }

  private func mismatch(
    of value: Value, withMap entries: [MatcherPlan.Entry], at range: SourceRange
  ) -> Mismatch? {
    guard case .map(let actual) = value else {
      return Mismatch(.kind(expected: "a map"), range, actual: value)
    }
    if let payload = payload(of: value, namedIn: entries) {
      return mismatch(of: payload, with: entries[0].matcher)?.inside(.key("payload"))
    }
    var undecided: Mismatch?
    // By place, because a loop over pairs would copy each of them.
    for place in entries.indices {
      let range = entries[place].matcher.range
      let inner = mismatch(ofEntry: entries[place].key, in: actual, at: range) {
        mismatch(of: $0, with: entries[place].matcher)
      }
      if let inner, case .missingEntry = inner.reason, inner.path.isEmpty,
        entries[place].matcher.acceptsAbsence
      {
        continue
      }
      guard let inner else { continue }
      guard mayStayOpen(inner) else { return inner }
      undecided = undecided ?? inner
    }
    return undecided
  }

  /// True if another part may still decide.
  func mayStayOpen(_ mismatch: Mismatch) -> Bool {
    mismatch.isUndecided && (slots.negations > 0 || mismatch.isNegated)
  }

  /// The payload of a named event, where a single entry has the event's name for its key.
  func payload(of value: Value, namedIn entries: [MatcherPlan.Entry]) -> Value? {
    guard entries.count == 1, let event = NamedEvent(value),
      .string(event.name) == entries[0].key
    else { return nil }
    return event.payload
  }

  /// Looks an entry up and holds it against what is wanted under its key.
  @inline(__always)
  private func mismatch(
    ofEntry key: Value, in actual: ValueMap, at range: SourceRange, with match: (Value) -> Mismatch?
  ) -> Mismatch? {
    guard let part = actual[key] else {
      return Mismatch(.missingEntry(key), range, actual: .map(actual))
    }
    return match(part)?.inside(.key(key))
  }

  /// Holds each element against what is wanted at its place; the lengths must be the same.
  @inline(__always)
  private func mismatch<Wanted>(
    of value: Value, withList wanted: [Wanted], at range: SourceRange,
    _ match: (Value, Wanted) -> Mismatch?
  ) -> Mismatch? {
    guard case .list(let actual) = value else {
      return Mismatch(.kind(expected: "a list"), range, actual: value)
    }
    guard actual.count == wanted.count else {
      return Mismatch(.length(expected: wanted.count, actual: actual.count), range, actual: value)
    }
    var undecided: Mismatch?
    for index in wanted.indices {
      guard let inner = match(actual[index], wanted[index]) else { continue }
      guard mayStayOpen(inner) else { return inner.inside(.index(index)) }
      undecided = undecided ?? inner.inside(.index(index))
    }
    return undecided
  }
}
