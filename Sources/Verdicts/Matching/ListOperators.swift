import CEL
import ScenarioPlan
import Values

/// The operators that look into the elements of a list, and into text that is JSON.
extension Matcher {
  /// Holds every element against one matcher; an empty list matches.
  func mismatch(of value: Value, each matcher: MatcherPlan, _ plan: OperatorPlan) -> Mismatch? {
    guard case .list(let elements) = value else {
      return mismatch(of: value, ofKind: "a list", plan)
    }
    var undecided: Mismatch?
    for (index, element) in elements.enumerated() {
      guard let inner = mismatch(of: element, with: matcher) else { continue }
      guard mayStayOpen(inner) else { return inner.inside(.index(index)) }
      undecided = undecided ?? inner.inside(.index(index))
    }
    return undecided
  }

  /// Holds a list against matchers of which each has an element of its own.
  func mismatch(
    of value: Value, anyOrder matchers: [MatcherPlan], _ plan: OperatorPlan
  ) -> Mismatch? {
    guard case .list(let elements) = value else {
      return mismatch(of: value, ofKind: "a list", plan)
    }
    var undecided: Mismatch?
    guard let assignment = assign(matchers, to: elements, &undecided) else {
      let failure = EvaluationFailure(
        range: plan.range,
        message: "`$anyOrder` tries at most \(mostAnyOrderTries) pairs, and would need more",
        help: "give the entries constants that tell them apart, such as `{ id: 7 }`")
      return Mismatch(.evaluation(failure), plan.range, actual: value)
    }
    if let lost = matchers.indices.first(where: { assignment[$0] == nil }) {
      // With one element more or less, no result of an expression makes it match.
      if let undecided, elements.count == matchers.count { return undecided }
      let wants = slots.shown(matchers[lost])
      return Mismatch(.noElement(wants: wants), matchers[lost].range, actual: value)
    }
    guard elements.count == matchers.count else {
      let lengths = Mismatch.Reason.length(expected: matchers.count, actual: elements.count)
      return Mismatch(lengths, plan.range, actual: value)
    }
    // Once more and in the order written, for the captures of the final assignment alone.
    for (matcher, element) in zip(matchers, assignment) {
      if let element { _ = mismatch(of: elements[element], with: matcher) }
    }
    return nil
  }

  /// Returns an element for each matcher, as many as can have one; nil if too many pairs would
  /// have to be tried.
  private func assign(
    _ matchers: [MatcherPlan], to elements: [Value], _ undecided: inout Mismatch?
  ) -> [Int?]? {
    let index = CandidateIndex(count: matchers.count) { matchers[$0] }
    var fitting = [[Int]](repeating: [], count: matchers.count)
    var tries = 0
    for (place, element) in elements.enumerated() {
      let candidates = index.candidates(for: element)
      tries += candidates.count
      guard tries <= mostAnyOrderTries else { return nil }
      for matcher in candidates {
        let mismatch = mismatch(ofTried: element, with: matchers[matcher])
        if mismatch == nil { fitting[matcher].append(place) }
        if let mismatch, mayStayOpen(mismatch) { undecided = undecided ?? mismatch }
      }
    }
    var matching = BipartiteMatching(left: matchers.count, right: elements.count)
    for (place, fitting) in fitting.enumerated() { matching.connect(place, to: fitting) }
    return matching.assignment
  }

  private func mismatch(ofTried value: Value, with matcher: MatcherPlan) -> Mismatch? {
    let captured = slots.pendingCaptures.count
    defer { slots.dropCaptures(after: captured) }
    return mismatch(of: value, with: matcher)
  }

  /// Holds the value that a JSON text stands for; data that was already decoded is held as it is.
  func mismatch(of value: Value, json matcher: MatcherPlan, _ plan: OperatorPlan) -> Mismatch? {
    guard let inner = jsonValue(of: value) else {
      return Mismatch(.kind(expected: Mismatch.json), plan.range, actual: value)
    }
    return mismatch(of: inner, with: matcher)
  }

  func jsonValue(of value: Value) -> Value? {
    switch value {
    case .map, .list: return value
    case .string(let text):
      if case .success(let inner) = parseJSON(text) { return inner }
      return nil
    case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type,
      .optional:
      return nil
    }
  }

  func mismatch(
    of value: Value, affix: OperatorPlan.Affix, _ data: DataPlan, _ plan: OperatorPlan
  ) -> Mismatch? {
    guard let text = operatorText(of: value) else {
      return mismatch(of: value, ofKind: "text", plan)
    }
    switch slots.evaluate(data) {
    case .failure(let failure):
      return Mismatch(.evaluation(failure), failure.range, actual: value)
    case .success(let part):
      if affix.isFound(part.plainText, in: text) { return nil }
      return Mismatch(.operatorFailed(plan.name, wants: part), data.range, actual: value)
    }
  }

  /// Captures the named groups of a pattern that was found. A group that took no part is none.
  func capture(_ groups: [OperatorPlan.Group], of pattern: CELPattern, in text: String) {
    guard !groups.isEmpty, let found = pattern.groups(in: text) else { return }
    for group in groups {
      guard let part = group.number < found.count ? found[group.number] : nil else { continue }
      slots.pendingCaptures.append((group.capture, .string(part)))
    }
  }
}

/// More pairs of an element and a matcher make `$anyOrder` an error. Constants are looked up, so
/// that only the pairs that may match are counted.
let mostAnyOrderTries = 1_000_000

extension OperatorPlan.Affix {
  fileprivate func isFound(_ part: String, in text: String) -> Bool {
    switch self {
    case .start: text.utf8.starts(with: part.utf8)
    case .end: text.utf8.reversed().starts(with: part.utf8.reversed())
    }
  }
}
