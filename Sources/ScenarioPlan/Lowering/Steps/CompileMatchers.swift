import CEL
import ScenarioSpec
import Values

/// Lowering of matchers.
extension PlanCompiler {
  /// - Parameter place: Where the value that it matches occurs.
  func compile(_ matcher: MatcherSpec, at place: SecretPlace = .anywhere) -> MatcherPlan {
    let lowered = lower(matcher)
    let captures = plan.captures
    if captures.contains(where: \.isSecret), lowered.captures({ captures[$0].isSecret }) {
      plan.secretMatchers.append(SecretMatcherPlan(matcher: lowered, place: place))
    }
    return lowered
  }

  /// Says that the matchers of secrets from an index on are about the events of a source.
  func placeSecrets(from index: Int, at source: SourceID) {
    for place in plan.secretMatchers.indices.dropFirst(index) {
      plan.secretMatchers[place].place = .source(source)
    }
  }

  /// Compiles matchers that choose among events or requests, and do not demand one.
  func selecting<Result>(_ selects: Bool = true, _ compile: () -> Result) -> Result {
    let outer = matchersSelect
    matchersSelect = outer || selects
    defer { matchersSelect = outer }
    return compile()
  }

  private func lower(_ matcher: MatcherSpec) -> MatcherPlan {
    switch matcher.content {
    case .scalar(let data): MatcherPlan(.value(compile(data)), matcher.range)
    case .list(let elements): MatcherPlan(.list(lower(elements: elements)), matcher.range)
    case .map(let entries):
      MatcherPlan(
        .map(entries.map { ($0.key.value, lower($0.value, under: $0.key)) }), matcher.range)
    case .operators(let operators):
      MatcherPlan(.operators(lower(operators)), matcher.range)
    }
  }

  private func lower(_ entry: MatcherSpec, under key: Located<Value>) -> MatcherPlan {
    let lowered = about(shapes.value.member(key.value)) { lower(entry) }
    if lowered.acceptsAbsenceByNot {
      report(
        .changedReading(
          of: "`$not` of the entry `\(key.value.plainText)`", now: "fits if the entry is absent",
          before: "it did not", toKeepWrite: "{ $not: { $in: […, { $absent: true }] } }",
          at: entry.range))
    }
    return lowered
  }

  /// Compiles matchers of a list's elements.
  private func lower(elements: [MatcherSpec]) -> [MatcherPlan] {
    about(shapes.value.element) { elements.map { lower($0) } }
  }

  private func lower(_ operators: [OperatorSpec]) -> [OperatorPlan] {
    let isSecret = operators.contains { if case .secret(true) = $0.kind { true } else { false } }
    return operators.compactMap { spec in
      guard let kind = lowerKind(of: spec) else { return nil }
      if isSecret { markSecret(kind) }
      var plan = OperatorPlan(kind: kind, name: spec.name.value, range: spec.name.range)
      plan.selects = matchersSelect
      return plan
    }
  }

  private func markSecret(_ kind: OperatorPlan.Kind) {
    if case .capture(let id) = kind { plan.captures[id].isSecret = true }
    if case .regex(_, let groups) = kind {
      for group in groups { plan.captures[group.capture].isSecret = true }
    }
  }

  private func lowerKind(of spec: OperatorSpec) -> OperatorPlan.Kind? {
    switch spec.kind {
    case .any: .any
    case .absent: .absent
    case .type(let type): .type(type)
    case .data(let test, let data): .data(test, compile(data))
    case .inner(let test, let matcher):
      .inner(test, selecting(test.selects) { lower(matcher, in: test.object) })
    case .list(.oneOf, let matchers): .list(.oneOf, matchers.map { lower($0) })
    case .list(.anyOrder, let matchers): .list(.anyOrder, lower(elements: matchers))
    case .regex(let pattern): lowerRegex(pattern)
    case .where(let expression): compileWhere(expression).map { .where($0) }
    case .capture(let name): declareCapture(name).map { .capture($0) }
    case .secret, .example: nil
    case .schema(let data): compileSchema(data).map { .schema($0) }
    }
  }

  private func lower(_ matcher: MatcherSpec, in object: InnerTest.Object) -> MatcherPlan {
    switch object {
    case .value: lower(matcher)
    case .element: lower(elements: [matcher])[0]
    case .derived: about(.any) { lower(matcher) }
    }
  }

  /// A named group is a capture, as `$as` is.
  private func lowerRegex(_ text: Located<String>) -> OperatorPlan.Kind? {
    compilePattern(text).map { pattern in
      let groups = pattern.groupNames.compactMap { name, number in
        declareCapture(Located(name, text.range)).map {
          OperatorPlan.Group(number: number, capture: $0)
        }
      }
      return .regex(pattern, groups: groups)
    }
  }

  private func compilePattern(_ pattern: Located<String>) -> CELPattern? {
    switch CELPattern.compile(pattern.value) {
    case .success(let compiled): return compiled
    case .failure(let problem):
      report(.invalidPattern(pattern, problem: problem.message))
      return nil
    }
  }

  /// `value` and `event` are the emitted value; its fields are in scope where nothing on the stage
  /// has their name.
  private func compileWhere(_ expression: ExpressionText) -> ExpressionPlan? {
    aboutValue { compileCondition(expression) }
  }

  /// Declares a captured value for the steps that follow.
  func declareCapture(_ name: Located<String>) -> CaptureID? {
    if names.hides(unit.prefix + name.value) {
      report(.captureHidesStage(name))
      return nil
    }
    let id =
      scriptNames.captures[name.value]
      ?? plan.captures.append(CapturePlan(name: name.value, range: name.range))
    scriptNames.captures[name.value] = id
    scope.declare(name.value, slot: slot(.capture(id)))
    return id
  }
}

extension StageNames {
  /// Returns whether something on the stage has this name.
  func hides(_ name: String) -> Bool {
    sources[name] != nil || reactors[name] != nil || providers[name] != nil
  }
}

extension MatcherPlan {
  /// Goes through every expression in here, in the order it was written.
  func forEachExpression(_ body: (ExpressionPlan) -> Void) {
    switch content {
    case .value(let data): data.forEachExpression(body)
    case .list(let elements):
      for element in elements { element.forEachExpression(body) }
    case .map(let entries):
      for entry in entries { entry.matcher.forEachExpression(body) }
    case .operators(let operators):
      for part in operators { part.forEachExpression(body) }
    }
  }
}

extension OperatorPlan {
  fileprivate func forEachExpression(_ body: (ExpressionPlan) -> Void) {
    switch kind {
    case .any, .absent, .type, .regex, .capture, .schema: break
    case .data(_, let data): data.forEachExpression(body)
    case .inner(_, let matcher): matcher.forEachExpression(body)
    case .list(_, let matchers): for matcher in matchers { matcher.forEachExpression(body) }
    case .where(let expression): body(expression)
    }
  }
}
