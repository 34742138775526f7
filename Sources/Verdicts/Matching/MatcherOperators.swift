import CEL
import JSONSchemas
import ScenarioPlan
import TextSearch
import Values

extension Matcher {
  /// Returns the first mismatch among the operators of one map; nil if all hold.
  func mismatch(of value: Value, withAll operators: [OperatorPlan]) -> Mismatch? {
    var undecided: Mismatch?
    for each in operators {
      guard let mismatch = mismatch(of: value, with: each) else { continue }
      guard mayStayOpen(mismatch) else { return mismatch }
      undecided = undecided ?? mismatch
    }
    return undecided
  }

  private func mismatch(of value: Value, with plan: OperatorPlan) -> Mismatch? {
    switch plan.kind {
    case .any: return nil
    case .absent: return Mismatch(.unexpectedEntry, plan.range, actual: value)
    case .type(let type):
      if type.contains(value) { return nil }
      let wants = Value.string(type.rawValue)
      return Mismatch(.operatorFailed(plan.name, wants: wants), plan.range, actual: value)
    case .data(let test, let data): return mismatch(of: value, test, data, plan)
    case .inner(let test, let matcher): return mismatch(of: value, test, matcher, plan)
    case .list(.oneOf, let matchers): return mismatch(of: value, withOneOf: matchers, plan)
    case .list(.anyOrder, let matchers): return mismatch(of: value, anyOrder: matchers, plan)
    case .regex(let pattern, let groups): return mismatch(of: value, pattern, groups, plan)
    case .where(let expression): return mismatch(of: value, where: expression)
    case .capture(let capture):
      if case .digits(let text) = value {
        return mismatch(ofNumber: text, "captured", actual: value, at: plan.range)
      }
      slots.pendingCaptures.append((capture, value))
      return nil
    case .schema(let schema): return mismatch(of: value, schema, plan)
    }
  }

  private func mismatch(
    of value: Value, _ test: OperatorPlan.OfData, _ data: DataPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    switch test {
    case .exactly: mismatch(of: value, exactly: data, plan)
    case .compare(let comparison): mismatch(of: value, comparison, data, plan)
    case .affix(let affix): mismatch(of: value, affix: affix, data, plan)
    case .like: mismatch(of: value, like: data, plan)
    case .eachLike: mismatch(of: value, eachLike: data, plan)
    case .status: mismatch(of: value, status: data)
    }
  }

  private func mismatch(
    of value: Value, _ test: OperatorPlan.OfMatcher, _ matcher: MatcherPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    switch test {
    case .match: return mismatch(of: value, with: matcher)
    case .not: return mismatch(of: value, withNot: matcher, plan)
    case .each: return mismatch(of: value, each: matcher, plan)
    case .contains: return mismatch(of: value, contains: matcher, plan)
    case .size: return mismatch(of: value, size: matcher, plan)
    case .text:
      if case .bytes = value { return Mismatch(.kind(expected: "text"), plan.range, actual: value) }
      return mismatch(of: .string(textAsSent(value)), with: matcher)
    case .json: return mismatch(of: value, json: matcher, plan)
    }
  }

  private func mismatch(
    of value: Value, _ schema: JSONSchema, _ plan: OperatorPlan
  ) -> Mismatch? {
    guard !schema.isValid(value), let first = schema.validate(value).first else { return nil }
    return Mismatch(first, plan.range, actual: value)
  }

  /// `2xx` is text and no number, so it could not be meant otherwise.
  private func mismatch(of value: Value, status data: DataPlan) -> Mismatch? {
    guard case .success(.string(let text)) = slots.evaluate(data),
      let first = text.utf8.first, text.utf8.count == 3, text.lowercased().hasSuffix("xx"),
      case .int(let status) = value
    else { return mismatch(of: value, with: MatcherPlan(.value(data), data.range)) }
    if status / 100 == Int(first) - 0x30 { return nil }
    return Mismatch(.unequal(expected: .string(text)), data.range, actual: value)
  }

  private func mismatch(
    of value: Value, exactly data: DataPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    switch slots.evaluate(data) {
    case .failure(let failure):
      return Mismatch(.evaluation(failure), failure.range, actual: value)
    case .success(let expected):
      if let open = mismatch(comparing: value, with: expected, at: data.range) { return open }
      if expected == value { return nil }
      return Mismatch(.operatorFailed(plan.name, wants: expected), data.range, actual: value)
    }
  }

  private func mismatch(
    of value: Value, _ pattern: CELPattern, _ groups: [OperatorPlan.Group], _ plan: OperatorPlan
  ) -> Mismatch? {
    guard let text = operatorText(of: value) else {
      return mismatch(of: value, ofKind: "text", plan)
    }
    switch pattern.search(text) {
    case .success(true):
      capture(groups, of: pattern, in: text)
      return nil
    case .success(false):
      let wants = Value.string(pattern.text)
      return Mismatch(.operatorFailed(plan.name, wants: wants), plan.range, actual: value)
    case .failure(let fault):
      let failure = EvaluationFailure(range: plan.range, message: fault.message)
      return Mismatch(.evaluation(failure), plan.range, actual: value)
    }
  }

  private func mismatch(
    of value: Value, withOneOf matchers: [MatcherPlan], _ plan: OperatorPlan
  ) -> Mismatch? {
    let captured = slots.pendingCaptures.count
    var undecided: Mismatch?
    for matcher in matchers {
      guard let mismatch = mismatch(of: value, with: matcher) else { return nil }
      if mayStayOpen(mismatch) { undecided = undecided ?? mismatch }
      slots.dropCaptures(after: captured)
    }
    if let undecided { return undecided }
    return Mismatch(
      .operatorFailed(plan.name, wants: .list(matchers.map { slots.shown($0) })), plan.range,
      actual: value)
  }

  private func mismatch(
    of value: Value, withNot matcher: MatcherPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    let captured = slots.pendingCaptures.count
    let incomparable = slots.incomparable.count
    slots.negations += 1
    let inner = mismatch(of: value, with: matcher)
    slots.negations -= 1
    slots.dropCaptures(after: captured)
    if var inner {
      guard inner.isUndecided else { return nil }
      inner.isNegated = true
      return inner
    }
    slots.incomparable.removeLast(slots.incomparable.count - incomparable)
    return Mismatch(
      .operatorFailed(plan.name, wants: slots.shown(matcher)), plan.range, actual: value)
  }

  private func mismatch(
    of value: Value, size matcher: MatcherPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    guard let size = size(of: value) else {
      return mismatch(of: value, ofKind: "a list, a map or text", plan)
    }
    guard let inner = mismatch(of: .int(size), with: matcher) else { return nil }
    if inner.isUndecided { return inner }
    let wants = slots.shown(matcher)
    return Mismatch(.operatorFailed(plan.name, wants: wants), matcher.range, actual: value)
  }

  private func mismatch(
    of value: Value, contains matcher: MatcherPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    if case .list(let elements) = value {
      let captured = slots.pendingCaptures.count
      var undecided: Mismatch?
      for element in elements {
        guard let mismatch = mismatch(of: element, with: matcher) else { return nil }
        if mayStayOpen(mismatch) { undecided = undecided ?? mismatch }
        slots.dropCaptures(after: captured)
      }
      if let undecided { return undecided }
    } else if case .bytes(let bytes) = value, case .value(let data) = matcher.content,
      case .success(.bytes(let part)) = slots.evaluate(data)
    {
      if bytes.contains(part) { return nil }
    } else if let text = operatorText(of: value) {
      guard case .value(let data) = matcher.content else {
        return mismatch(of: value, ofKind: "a list", plan)
      }
      switch slots.evaluate(data) {
      case .success(.string(let part)): if text.contains(part) { return nil }
      case .success: return mismatch(of: value, ofKind: "a list", plan)
      case .failure(let failure):
        return Mismatch(.evaluation(failure), failure.range, actual: value)
      }
    } else {
      return mismatch(of: value, ofKind: "a list or text", plan)
    }
    return Mismatch(
      .operatorFailed(plan.name, wants: slots.shown(matcher)), matcher.range, actual: value)
  }

  private func mismatch(
    of value: Value, like data: DataPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    switch slots.evaluate(data) {
    case .failure(let failure):
      return Mismatch(.evaluation(failure), failure.range, actual: value)
    case .success(let sample):
      if value.isLike(sample) { return nil }
      return Mismatch(.operatorFailed(plan.name, wants: sample), data.range, actual: value)
    }
  }

  /// An empty list is no sample of anything, so it does not match.
  private func mismatch(
    of value: Value, eachLike data: DataPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    guard case .list(let elements) = value else {
      return Mismatch(.kind(expected: "a list"), plan.range, actual: value)
    }
    for (index, element) in elements.enumerated() {
      if let inner = mismatch(of: element, like: data, plan) { return inner.inside(.index(index)) }
    }
    if !elements.isEmpty { return nil }
    return Mismatch(
      .operatorFailed(plan.name, wants: slots.shown(data)), plan.range, actual: value)
  }

  private func mismatch(of value: Value, where expression: ExpressionPlan) -> Mismatch? {
    let outer = slots.matched
    slots.matched = value
    defer { slots.matched = outer }
    switch slots.evaluate(expression) {
    case .success(.bool(true)): return nil
    case .success(let other):
      return Mismatch(.notTrue(other), expression.origin.range, actual: value)
    case .failure(let failure):
      return Mismatch(.evaluation(failure), failure.range, actual: value)
    }
  }

  /// The mismatch of a value of a kind that an operator is not for.
  func mismatch(of value: Value, ofKind kind: String, _ plan: OperatorPlan) -> Mismatch {
    slots.noteIncomparable(value, plan)
    return Mismatch(.kind(expected: kind), plan.range, actual: value)
  }

  private func mismatch(
    of value: Value, _ comparison: OperatorPlan.Comparison, _ data: DataPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    switch slots.evaluate(data) {
    case .failure(let failure):
      return Mismatch(.evaluation(failure), failure.range, actual: value)
    case .success(let bound):
      if let open = mismatch(comparing: value, with: bound, at: data.range) { return open }
      guard let order = order(of: value, bound) else {
        slots.noteIncomparable(value, plan)
        return Mismatch(.incomparable(plan.name, wants: bound), plan.range, actual: value)
      }
      if order.holds(comparison) { return nil }
      return Mismatch(.operatorFailed(plan.name, wants: bound), plan.range, actual: value)
    }
  }
}

/// Returns the number of a value's elements, entries or characters, counted as in expressions.
private func size(of value: Value) -> Int? {
  switch value {
  case .list(let elements): elements.count
  case .map(let map): map.count
  case .string(let text): text.unicodeScalars.count
  case .bytes(let bytes): bytes.count
  case .null, .bool, .int, .uint, .double, .digits, .timestamp, .duration, .type, .optional: nil
  }
}

extension Value {
  /// Returns whether the value has the type of a sample, and so have its parts. An empty list is a
  /// sample of all lists.
  fileprivate func isLike(_ sample: Value) -> Bool {
    switch (sample, self) {
    case (.int, _), (.uint, _), (.double, _), (.digits, _): TypeName.number.contains(self)
    case (.null, _), (.bool, .bool), (.string, .string), (.bytes, .bytes),
      (.timestamp, .timestamp), (.duration, .duration), (.type, .type), (.optional, .optional):
      true
    case (.list(let samples), .list(let elements)):
      samples.isEmpty
        || samples.count == elements.count && zip(elements, samples).allSatisfy { $0.isLike($1) }
    case (.map(let samples), .map(let entries)):
      samples.allSatisfy { key, sample in entries[key].map { $0.isLike(sample) } ?? false }
    case (.bool, _), (.string, _), (.bytes, _), (.list, _), (.map, _), (.timestamp, _),
      (.duration, _), (.type, _), (.optional, _):
      false
    }
  }
}

/// The order of a value and a bound; a bound of text is read as a time where the value is one.
private func order(of value: Value, _ bound: Value) -> ValueOrder? {
  switch (value, bound) {
  case (.timestamp, .string(let text)), (.duration, .string(let text)):
    timeValue(text, like: value).flatMap { ValueOrder(value, $0) }
  default: ValueOrder(value, bound)
  }
}

extension ValueOrder {
  fileprivate func holds(_ comparison: OperatorPlan.Comparison) -> Bool {
    switch comparison {
    case .greaterThan: self == .after
    case .atLeast: isAtLeast
    case .lessThan: self == .before
    case .atMost: isAtMost
    }
  }
}
