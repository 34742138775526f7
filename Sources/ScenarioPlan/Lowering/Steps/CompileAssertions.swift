import ScenarioSpec
import Values

/// Lowering of assertions: what must be seen, must hold, or must not.
extension PlanCompiler {
  func compileAssertion(_ step: StepSpec) -> AssertionID? {
    switch step.kind {
    case .expect(let expect): compile(expect, of: step)
    case .never(let never): compile(never, of: step)
    case .check(let conditions):
      addAssertion(.check(conditions.compactMap(compileCondition)), within: nil, of: step)
    case .eventually(let condition, let within):
      compileCondition(condition).map {
        addAssertion(.eventually($0), within: within?.value, of: step)
      }
    case .snapshot(let name, let value): compileSnapshot(name, value, of: step)
    case .set, .transaction, .send, .terminate, .connect, .disconnect, .serve, .act, .receive,
      .network, .suspend, .request, .refresh, .sql, .load, .emit, .fail, .respond, .wait, .bind,
      .log,
      .parallel, .repeat, .while, .forEach, .if, .attempt, .include, .retry, .fails, .ignore:
      nil
    }
  }

  func addAssertion(
    _ kind: AssertionPlan.Kind, within: Microseconds?, of step: StepSpec,
    hasExpressions: Bool = true
  ) -> AssertionID {
    plan.assertions.append(
      AssertionPlan(
        kind: kind, within: within, reads: hasExpressions ? reads(of: kind) : [],
        verb: step.verb.value, verbRange: step.verb.range, range: step.range, isSoft: step.isSoft))
  }

  private func compile(_ expect: ExpectSpec, of step: StepSpec) -> AssertionID? {
    let kind: AssertionPlan.Kind
    let expressionsBefore = expressionCount
    switch expect.form {
    case .map(let sequences): kind = .expectMap(sequences.compactMap(compileSequence))
    case .list(let entries): kind = .expectList(entries.compactMap { compile($0) })
    }
    return addAssertion(
      kind, within: expect.within?.value, of: step,
      hasExpressions: expressionCount > expressionsBefore)
  }

  private func compileSequence(
    _ sequence: (source: Located<String>, sequence: SequenceSpec)
  ) -> SequencePlan? {
    let form = compile(sequence.sequence, of: sequence.source)
    guard let source = observedSource(sequence.source) else { return nil }
    if case .events(let matchers) = sequence.sequence {
      for matcher in matchers { checkStateWords(matcher, of: source) }
    }
    if case .marble(_, .some) = form { logSubscriptions(of: source, at: sequence.source) }
    return SequencePlan(
      source: source, range: sequence.source.range, form: adapt(form, to: source))
  }

  private func compile(
    _ sequence: SequenceSpec, of source: Located<String>
  ) -> SequencePlan.Form {
    switch sequence {
    case .events(let matchers): .events(matchers.map { compile($0, of: source) })
    case .marble(let marble, let subscriptions):
      .marble(marble.map { $0.map { self.compile($0) } }, subscriptions: subscriptions)
    }
  }

  private func logSubscriptions(of source: SourceID, at name: Located<String>) {
    guard case .stream(let stream) = plan.sources[source].kind else {
      return report(.subscriptionsOfNoStream(name))
    }
    plan.streams[stream].logsSubscriptions = true
  }

  private func adapt(_ form: SequencePlan.Form, to source: SourceID) -> SequencePlan.Form {
    switch form {
    case .events(let matchers): .events(matchers.map { adapt($0, to: source) })
    case .marble: form
    }
  }

  private func compile(_ entry: EntrySpec) -> EntryPlan? {
    switch entry {
    case .event(let event): return compile(event).map { .event($0) }
    case .anyOrder(let entries, let range):
      return .anyOrder(
        entries.compactMap { entry in
          guard case .event(let event) = entry else { return nil }
          return compile(event)
        }, range: range)
    }
  }

  private func compile(_ entry: EventEntrySpec) -> EventEntryPlan? {
    let secrets = plan.secretMatchers.count
    let matcher = selecting(entry.skips) { compile(entry.matcher, of: entry.source) }
    let since = entry.since.flatMap(findMark)
    let mark = entry.mark.map { scriptNames.addMark($0.value) }
    guard let source = findSource(entry.source) else { return nil }
    placeSecrets(from: secrets, at: source)
    checkStateWords(entry.matcher, of: source)
    observe(source)
    return EventEntryPlan(
      source: source, matcher: adapt(matcher, to: source), after: entry.after?.value,
      within: entry.within?.value,
      skips: entry.skips, since: since, mark: mark, times: entry.times?.value ?? 1,
      sourceRange: entry.source.range, range: entry.range)
  }

  /// Compiles the matcher of a source's events. Those of an endpoint are requests.
  func compile(_ matcher: MatcherSpec, of source: Located<String>) -> MatcherPlan {
    guard let id = lookUpSource(source.value) else { return compile(matcher) }
    let isOfRequests = if case .endpoint = plan.sources[id].kind { true } else { false }
    return about(shapeOfEvents(of: id)) { compile(isOfRequests ? matcher.ofRequest : matcher) }
  }

  func adapt(_ matcher: MatcherPlan, to source: SourceID) -> MatcherPlan {
    switch plan.sources[source].kind {
    case .endpoint: matcher.matchingRequests()
    case .program(_, .exit): matcher.matchingExits()
    case .node, .reactorEvents, .componentEvents, .allEvents, .stream, .connection,
      .connectivity, .program, .declared:
      matcher
    }
  }

  private func findMark(_ name: Located<String>) -> MarkID? {
    if let known = scriptNames.mark(name.value) { return known }
    report(
      .unknownName(name, what: "a mark set by an earlier entry", known: scriptNames.markNames))
    return nil
  }

  private func compile(_ never: NeverSpec, of step: StepSpec) -> AssertionID? {
    var entries: [NeverEntryPlan] = []
    for entry in never.sources {
      let secrets = plan.secretMatchers.count
      let matcher = entry.matcher.map { matcher in
        selecting { compile(matcher, of: entry.source) }
      }
      guard let source = findSource(entry.source) else { continue }
      placeSecrets(from: secrets, at: source)
      if let matcher = entry.matcher { checkStateWords(matcher, of: source) }
      observe(source)
      entries.append(
        NeverEntryPlan(
          source: source, matcher: matcher.map { adapt($0, to: source) },
          range: entry.source.range))
    }
    let kind = AssertionPlan.Kind.never(entries, duration: never.duration?.value)
    return addAssertion(kind, within: nil, of: step)
  }

  /// The slots whose values have to be logged for the assertion to be judged.
  private func reads(of kind: AssertionPlan.Kind) -> [SlotID] {
    var slots: [SlotID] = []
    forEachExpression(of: kind) { expression in
      for slot in expression.readSlots where !slots.contains(slot) {
        if plan.slots[slot].isKnownToTheStageAlone { slots.append(slot) }
      }
    }
    return slots.sorted()
  }

  private func forEachExpression(
    of kind: AssertionPlan.Kind, _ body: (ExpressionPlan) -> Void
  ) {
    switch kind {
    case .expectMap(let sequences):
      for sequence in sequences { sequence.form.forEachExpression(body) }
    case .expectList(let entries):
      for entry in entries { entry.forEachExpression(body) }
    case .never(let entries, _):
      for entry in entries { entry.matcher?.forEachExpression(body) }
    case .check(let expressions): for expression in expressions { body(expression) }
    case .eventually(let expression): body(expression)
    case .retry(let retry):
      if let until = retry.until { body(until) }
      if let failIf = retry.failIf { body(failIf) }
    case .fails(let matcher): matcher?.forEachExpression(body)
    case .receive(let matcher): matcher.forEachExpression(body)
    case .answer(let expected): expected.matcher?.forEachExpression(body)
    case .snapshot: break
    }
  }
}

extension SequencePlan.Form {
  fileprivate func forEachExpression(_ body: (ExpressionPlan) -> Void) {
    switch self {
    case .events(let matchers): for matcher in matchers { matcher.forEachExpression(body) }
    case .marble(let marble, _):
      for moment in marble?.moments ?? [] {
        switch moment.kind {
        case .value(let matcher): matcher.forEachExpression(body)
        case .failure(let matcher): matcher?.forEachExpression(body)
        case .completion: break
        }
      }
    }
  }
}

extension EntryPlan {
  fileprivate func forEachExpression(_ body: (ExpressionPlan) -> Void) {
    switch self {
    case .event(let event): event.matcher.forEachExpression(body)
    case .anyOrder(let entries, _):
      for entry in entries { entry.matcher.forEachExpression(body) }
    }
  }
}

extension SlotPlan {
  /// True if only the stage knows the value, so that it must be logged. The judge itself knows
  /// captures and the value under match.
  var isKnownToTheStageAlone: Bool {
    switch self {
    case .capture, .matched: false
    case .node, .variable, .column, .local, .now, .eventCount, .events, .lastEvent, .recomputes,
      .address, .port, .temp, .drawn:
      true
    }
  }
}
