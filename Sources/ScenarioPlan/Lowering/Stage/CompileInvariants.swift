import CEL
import ScenarioSpec
import Values

/// Lowering of invariants.
extension PlanCompiler {
  func compile(_ invariant: InvariantSpec) {
    guard let kind = compileKind(of: invariant) else { return }
    plan.invariants.append(
      InvariantPlan(
        kind: kind, reads: reads(of: kind), verb: invariant.verb.value,
        verbRange: invariant.verb.range, range: invariant.range))
  }

  /// Compiles a condition that no disturbed run may bring about.
  func compileNever(_ condition: ExpressionText, _ verb: Located<String>) -> InvariantPlan? {
    compileCondition(condition).map {
      InvariantPlan(
        kind: .never($0), reads: reads(of: .never($0)), verb: verb.value, verbRange: verb.range,
        range: condition.range)
    }
  }

  func compile(_ completion: CompletionSpec) {
    let kind = InvariantPlan.Kind.complete(
      when: compileSelecting(completion.when), quiet: completion.quiet)
    plan.invariants.append(
      InvariantPlan(
        kind: kind, reads: reads(of: kind), verb: completion.verb.value,
        verbRange: completion.verb.range, range: completion.range))
  }

  private func compileKind(of invariant: InvariantSpec) -> InvariantPlan.Kind? {
    switch invariant.kind {
    case .always(let condition): return compileCondition(condition).map { .always($0) }
    case .never(let condition): return compileCondition(condition).map { .never($0) }
    case .leadsTo(let when, let then, let within):
      return .leadsTo(when: compileSelecting(when), then: compile(then), within: within?.value)
    case .precededBy(let when, let once, let within):
      let when = compileSelecting(when)
      return .precededBy(
        when: when, once: selecting { compile(once, keyedBy: when) }, within: within?.value)
    case .between(let when, let until, let forbidden):
      let (when, until) = (compileSelecting(when), compileSelecting(until))
      let rule = BetweenPlan.Rule.never(compileSelecting(forbidden))
      return .between(BetweenPlan(when: when, until: until, rule: rule))
    case .betweenAlways(let when, let until, let condition):
      let (when, until) = (compileSelecting(when), compileSelecting(until))
      return compileCondition(condition).map {
        .between(BetweenPlan(when: when, until: until, rule: .always($0)))
      }
    case .unchanged(let of, let condition, let when):
      return compileUnchanged(of, condition, compileSelecting(when))
    case .count(let when, let limits):
      let when = compileSelecting(when)
      return .count(
        EventCountPlan(
          when: when, key: when.captures, per: limits.per, atMost: limits.atMost,
          atLeast: limits.atLeast))
    }
  }

  private func compileUnchanged(
    _ of: ExpressionText, _ condition: ExpressionText, _ when: [SourceMatcherPlan]
  ) -> InvariantPlan.Kind? {
    let isAboutEvents = !when.isEmpty
    let shape = ValueShape.common(when.map { shapeOfEvents(of: $0.source) })
    let value = isAboutEvents ? about(shape) { ofValue(of) } : compile(of)
    let holds =
      isAboutEvents
      ? about(shape) { self.condition(condition) } : compileCondition(condition)
    guard let value, let holds else { return nil }
    return .unchanged(
      UnchangedPlan(of: value, condition: holds, when: when, key: when.captures))
  }

  private func compileSelecting(_ matchers: [SourceMatcherSpec]) -> [SourceMatcherPlan] {
    selecting { compile(matchers) }
  }

  private func compile(_ matchers: [SourceMatcherSpec]) -> [SourceMatcherPlan] {
    matchers.compactMap { spec in
      let secrets = plan.secretMatchers.count
      let matcher = compile(spec.matcher, of: spec.source)
      guard let source = observedSource(spec.source) else { return nil }
      placeSecrets(from: secrets, at: source)
      return SourceMatcherPlan(
        source: source, matcher: adapt(matcher, to: source), range: spec.source.range)
    }
  }

  /// Compiles matchers of events that share what `when` captured: they capture it as well, so that
  /// an event is found by its values and not by comparing all.
  private func compile(
    _ matchers: [SourceMatcherSpec], keyedBy when: [SourceMatcherPlan]
  ) -> [KeyedMatcherPlan] {
    let captured = when.captures
    return compile(matchers).map { matcher in
      var matcher = matcher
      matcher.matcher = matcher.matcher.capturing(captured) { capture(readBy: $0) }
      matcher.matcher.forEachExpression { expression in
        if let read = expression.readSlots.compactMap(capture(in:)).first(where: captured.contains)
        {
          report(.capturedInPart(plan.captures[read].name, expression))
        }
      }
      return KeyedMatcherPlan(
        matcher: matcher, key: captured.filter { id in matcher.matcher.captures { $0 == id } })
    }
  }

  /// Returns the capture that an expression is, if it is nothing else.
  private func capture(readBy expression: ExpressionPlan) -> CaptureID? {
    guard expression.readSlots.count == 1,
      expression.program.readAddresses == [expression.origin.text.filter { $0 != " " }]
    else { return nil }
    return capture(in: expression.readSlots[0])
  }

  private func capture(in slot: SlotID) -> CaptureID? {
    if case .capture(let id) = plan.slots[slot] { id } else { nil }
  }

  private func reads(of kind: InvariantPlan.Kind) -> [SlotID] {
    var slots: [SlotID] = []
    func add(_ slot: SlotID) {
      if !slots.contains(slot) { slots.append(slot) }
    }
    func add(_ expression: ExpressionPlan) {
      for slot in expression.readSlots where plan.slots[slot].isKnownToTheStageAlone { add(slot) }
    }
    for expression in kind.expressions { add(expression) }
    for matcher in kind.matchers { matcher.matcher.forEachExpression(add) }
    if case .between(let between) = kind, between.rule.condition != nil {
      for matcher in between.when + between.until { add(slot(.eventCount(matcher.source))) }
    }
    return slots.sorted()
  }
}

extension [SourceMatcherPlan] {
  /// The captures in these matchers, each once.
  fileprivate var captures: [CaptureID] {
    var found: [CaptureID] = []
    for entry in self {
      _ = entry.matcher.captures { id in
        if !found.contains(id) { found.append(id) }
        return false
      }
    }
    return found
  }
}

extension MatcherPlan {
  /// Returns the matcher with `$as` in place of each part that is one of these captures.
  fileprivate func capturing(
    _ captures: [CaptureID], _ capture: (ExpressionPlan) -> CaptureID?
  ) -> MatcherPlan {
    switch content {
    case .value(let data):
      guard case .expression(let expression) = data.content, let id = capture(expression),
        captures.contains(id)
      else { return self }
      let operation = OperatorPlan(
        kind: .capture(id), name: Key.asOperator.rawValue, range: range)
      return MatcherPlan(.operators([operation]), range)
    case .list(let elements):
      return MatcherPlan(.list(elements.map { $0.capturing(captures, capture) }), range)
    case .map(let entries):
      return MatcherPlan(
        .map(entries.map { ($0.key, $0.matcher.capturing(captures, capture)) }), range)
    case .operators: return self
    }
  }
}
