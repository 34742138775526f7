import Events
import ScenarioPlan
import Values

/// `never`, `check`, `eventually` and `fails`.
extension AssertionState {
  mutating func begin(_ open: OpenAssertion, never entries: [NeverEntryPlan]) {
    open.isNever = true
    waitingNevers += 1
    let since = branches[open.step.branch].spanSequence
    open.firstEvent = since
    for entry in entries where open.state == .waiting {
      var first: EmissionBuffer.Emission?
      for emission in buffer.unaccounted(of: entry.source, since: since)
      where breaks(emission, entry, open) {
        first = emission
      }
      if let first { failBroken(open, entry, first) }
    }
  }

  /// A source has emitted what no expectation accounted for.
  mutating func nevers(see place: Int) {
    let emission = buffer.emissions[place]
    for branch in waitingBranches {
      guard let open = branches[branch].open, case .never(let entries, _) = kind(of: open) else {
        continue
      }
      for entry in entries where entry.source == emission.source && open.state == .waiting {
        if breaks(emission, entry, open) { failBroken(open, entry, emission) }
      }
    }
  }

  /// The opposite of an error is an error, and fails the step as well.
  private func breaks(
    _ emission: EmissionBuffer.Emission, _ entry: NeverEntryPlan, _ open: OpenAssertion
  ) -> Bool {
    guard let mismatch = mismatch(of: emission.value, with: entry, open) else { return true }
    return mismatch.negatedFailure != nil
  }

  private func mismatch(
    of value: Value, with entry: NeverEntryPlan, _ open: OpenAssertion
  ) -> Mismatch? {
    guard let matcher = entry.matcher else { return nil }
    defer { slots.pendingCaptures.removeAll(keepingCapacity: true) }
    return mismatch(of: value, with: matcher, in: open)
  }

  private mutating func failBroken(
    _ open: OpenAssertion, _ entry: NeverEntryPlan, _ emission: EmissionBuffer.Emission
  ) {
    if let failure = mismatch(of: emission.value, with: entry, open)?.negatedFailure {
      return fail(open, .check(ConditionReading(noValue: failure)), at: emission.time)
    }
    let forbidden = entry.matcher.map { shown($0, in: open) }
    fail(
      open, .broken(entry, forbidden: forbidden, event: emission.sequence), at: emission.time)
  }

  mutating func checked(
    _ assertion: AssertionID, _ step: StepReference, _ reads: [Value], _ event: Event
  ) {
    if branches.indices.contains(step.branch), plan.assertions.indices.contains(assertion),
      case .retry(let retry) = assertions[assertion].kind
    {
      return tried(retry, assertion, step, reads, event)
    }
    guard branches.indices.contains(step.branch), let open = branches[step.branch].open,
      open.assertion == assertion, open.state == .waiting
    else { return }
    open.inputSnapshot = reads
    load(open)
    switch kind(of: open) {
    case .check(let expressions): check(expressions, open, at: event.time)
    case .eventually(let expression):
      open.hasEvaluated = true
      if holds(expression) { close(open, .met) }
    case .expectMap, .expectList, .never, .retry, .fails, .receive, .answer, .snapshot: break
    }
  }

  /// Reports each condition that does not hold.
  private mutating func check(
    _ expressions: [ExpressionPlan], _ open: OpenAssertion, at time: Microseconds
  ) {
    for expression in expressions where !holds(expression) {
      let kind = Failure.Kind.check(readCondition(expression))
      switch open.state {
      case .waiting: fail(open, kind, at: time)
      case .failed, .failedSoftly: failures.append(failure(of: open, kind, at: time))
      case .met, .retried: return
      }
    }
    if open.state == .waiting { close(open, .met) }
  }

  func holds(_ expression: ExpressionPlan) -> Bool {
    if case .success(.bool(true)) = slots.evaluate(expression) { true } else { false }
  }

  /// Returns the values that an expression read. They are collected only when a report needs them.
  func readCondition(_ expression: ExpressionPlan) -> ConditionReading {
    let values = slots.valuesRead(by: expression)
    return ConditionReading(
      expression: expression.origin.range, result: slots.evaluate(expression), values: values,
      unequalTexts: expression.program.unequalTexts(slots))
  }

  mutating func attempted(
    _ assertion: AssertionID, _ step: StepReference, _ error: Value?, _ event: Event
  ) {
    guard branches.indices.contains(step.branch), plan.assertions.indices.contains(assertion),
      case .fails(let matcher) = assertions[assertion].kind
    else { return }
    let attempts = branches[step.branch].attempts
    let reads = attempts.last { $0.assertion == assertion }?.reads ?? []
    branches[step.branch].attempts.removeAll { $0.assertion == assertion }
    let open = OpenAssertion(
      assertion, step, at: event, base: branches[step.branch].base, inputSnapshot: reads)
    branches[step.branch].open = open
    judge(error, matcher, open, at: event.time)
  }

  private mutating func judge(
    _ error: Value?, _ matcher: MatcherPlan?, _ open: OpenAssertion, at time: Microseconds
  ) {
    guard let error else { return fail(open, .stepSucceeded, at: time) }
    guard let matcher else { return close(open, .met) }
    if let mismatch = mismatch(of: error, with: matcher, in: open) {
      let expected = shown(matcher, in: open)
      let found = differences(mismatch, of: error, with: matcher, in: open)
      fail(open, .errorMismatch(found, error: error, expected: expected), at: time)
    } else {
      branches[open.step.branch].capture(slots.pendingCaptures)
      slots.pendingCaptures.removeAll(keepingCapacity: true)
      close(open, .met)
    }
  }

  func kind(of open: OpenAssertion) -> AssertionPlan.Kind {
    assertions[open.assertion].kind
  }
}

/// Waiting assertions at an instant in which nothing is left to do.
extension AssertionState {
  mutating func idle(next: Microseconds?, at time: Microseconds) {
    // A branch that goes on may do what others wait for, so those are judged at the next idle
    // event.
    if closeNevers(at: time) { return }
    let next = earlier(next, earlier(endOfNevers(), endOfSilence()))
    if next == nil, failDiagrams() { return }
    for branch in waitingBranches {
      guard let open = branches[branch].open, open.state == .waiting else { continue }
      switch kind(of: open) {
      case .expectMap(let sequences): idle(open, sequences, next, time)
      case .expectList(let entries): idle(open, entries, next, time)
      case .eventually(let expression): idle(open, expression, next, time)
      case .never, .check, .retry, .fails, .receive, .answer, .snapshot: break
      }
    }
  }

  private mutating func closeNevers(at time: Microseconds) -> Bool {
    guard waitingNevers > 0 else { return false }
    let before = waitingNevers
    for branch in waitingBranches {
      guard let open = branches[branch].open, case .never = kind(of: open) else { continue }
      if time >= end(ofNever: open) ?? time { close(open, .met) }
    }
    return waitingNevers < before
  }

  /// Returns the end of a `never` with `for`; nil for one that closes by itself.
  func end(ofNever open: OpenAssertion) -> Microseconds? {
    guard case .never(_, let duration) = kind(of: open) else { return nil }
    return duration.map { later(open.openedAt, by: $0) } ?? endOfSilence(ofNever: open)
  }

  /// Returns the time at which the first waiting `never` ends, so that its branch continues. That
  /// is an event in its own right.
  private func endOfNevers() -> Microseconds? {
    guard waitingNevers > 0 else { return nil }
    return waitingBranches.compactMap { branches[$0].open.flatMap { end(ofNever: $0) } }.min()
  }

  private mutating func idle(
    _ open: OpenAssertion, _ sequences: [SequencePlan], _ next: Microseconds?, _ time: Microseconds
  ) {
    if open.hasMarbles {
      lookAtMarbles(open, sequences, isNothingLeft: next == nil)
      if next == nil { failDiagrams(open) }
      failDiagrams(open, sequences, isDrained: true)
    }
    guard open.state == .waiting, let earliest = mapDeadline(open, sequences) else { return }
    if time >= earliest.limit.end {
      let late = awaited(open, earliest.chain, sequences)
      let others = awaited(open, sequences).filter { $0.source != late.source }
      fail(open, .timeout(late, earliest.limit, others: others), at: time)
    } else if next == nil {
      fail(open, .nothingLeft(awaited(open, sequences)), at: time)
    }
  }

  private mutating func idle(
    _ open: OpenAssertion, _ entries: [EntryPlan], _ next: Microseconds?, _ time: Microseconds
  ) {
    if realTime != nil { advance(open, entries) }
    guard open.state == .waiting, let earliest = listDeadline(open, entries) else { return }
    let isLate = time >= earliest.limit.end
    guard isLate || next == nil else { return }
    if isLate { open.group?.attention = earliest.member }
    let awaited = awaited(open, entries)
    fail(
      open, isLate ? .timeout(awaited, earliest.limit, others: []) : .nothingLeft([awaited]),
      at: time)
  }

  private mutating func idle(
    _ open: OpenAssertion, _ expression: ExpressionPlan, _ next: Microseconds?,
    _ time: Microseconds
  ) {
    let limit = conditionDeadline(open)
    guard time >= limit.end || next == nil else { return }
    load(open)
    let readCondition = open.hasEvaluated ? readCondition(expression) : nil
    fail(open, .eventually(readCondition, limit, nothingLeft: time < limit.end), at: time)
  }
}
