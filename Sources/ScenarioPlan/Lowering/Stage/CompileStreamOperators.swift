import ScenarioSpec
import Values

/// The operators of streams.
extension PlanCompiler {
  func compile(_ spec: StreamOperatorSpec) -> StreamOperatorPlan? {
    let outer = followed
    followed = []
    defer { followed = outer + followed }
    guard let kind = compile(spec.kind) else {
      shapes.value = .any
      return nil
    }
    shapes.value = kind.shape(ofValuesFrom: shapes.value, spec.rule.emits)
    return StreamOperatorPlan(
      kind: kind, name: spec.name, sources: followed, follows: spec.rule.follows)
  }

  private func compile(_ kind: StreamOperator<Written>) -> StreamOperatorPlan.Kind? {
    switch kind {
    case .plain(let plain): .plain(plain)
    case .map(let rule): ofValue(rule).map { .map($0) }
    case .filter(let rule): condition(rule).map { .filter($0) }
    case .compactMap(let rule): ofValue(rule).map { .compactMap($0) }
    case .removeDuplicates(let rule): optional(rule) { .removeDuplicates(by: $0) }
    case .groupBy(let key, let operators): groups(key, operators)
    case .scan(let rule, let first): fold(rule, first) { .scan($0, initial: $1) }
    case .reduce(let rule, let first): fold(rule, first) { .reduce($0, initial: $1) }
    case .contains(let data): .contains(compile(data))
    case .allSatisfy(let rule): condition(rule).map { .allSatisfy($0) }
    case .first(let rule): optional(rule) { .first(where: $0) }
    case .prefix(let count): .prefix(count)
    case .keeping(let kept): compiled(kept).map { .keeping($0) }
    case .prefixWhile(let rule, let inclusive): prefixWhile(rule, inclusive)
    case .prefixUntil(let source): observedSource(source).map { .prefixUntil($0) }
    case .dropFirst(let count): .dropFirst(count)
    case .dropWhile(let rule): condition(rule).map { .dropWhile($0) }
    case .dropUntil(let source): observedSource(source).map { .dropUntil($0) }
    case .output(let place): .output(at: place)
    case .replaceEmpty(let data): .replaceEmpty(compile(data))
    case .collectUntil(let source): observedSource(source).map { .collectUntil($0) }
    case .collectBy(let count, let time): .collectBy(count: count, every: compile(time))
    case .debounce(let time, let flush): .debounce(compile(time), flush: flush)
    case .throttle(let time, let trailing): .throttle(compile(time), trailing)
    case .audit(let time): .audit(compile(time))
    case .sample(let signal): compiled(signal).map { .sample($0) }
    case .delay(let time): .delay(compile(time))
    case .timeout(let time, let end, let onlyFirst): timeout(time, end, onlyFirst)
    case .retry(let times): .retry(times)
    case .retryLater(let policy): .retryLater(RetryPolicyPlan(policy))
    case .catch(let source): observedSource(source).map { .catch($0) }
    case .replaceError(let data): .replaceError(ofError { compile(data) })
    case .mapError(let rule): ofError { compile(rule) }.map { .mapError($0) }
    case .prepend(let items): .prepend(items.map { compileInitial($0) })
    case .append(let items): .append(items.map { compileInitial($0) })
    case .prependStream(let source): observedSource(source).map { .prependStream($0) }
    case .appendStream(let source): observedSource(source).map { .appendStream($0) }
    case .merge(let inputs): .merge(compile(inputs))
    case .combineLatest(let inputs, let labels): .combineLatest(compile(inputs), labels: labels)
    case .zip(let inputs, let labels): .zip(compile(inputs), labels: labels)
    case .withLatest(let input): compile(input).map { .withLatest($0) }
    case .flatten(let calls, let call): compile(call).map { .flatten(calls, $0) }
    case .buffer(let size, let whenFull): .buffer(size: size, whenFull: whenFull)
    }
  }

  /// All operators of a group are compiled, so that each mistake among them is reported.
  private func groups(
    _ key: ExpressionText, _ operators: [StreamOperatorSpec]
  ) -> StreamOperatorPlan.Kind? {
    let compiled = inGroup { operators.compactMap { compile($0) } }
    guard let key = ofValue(key), compiled.count == operators.count else { return nil }
    return .groupBy(key, compiled)
  }

  /// Compiles the operators of a group: `key` is the key of the group. It is a value that they are
  /// made with, like a parameter of their stream.
  private func inGroup<Result>(_ body: () -> Result) -> Result {
    nested {
      let outer = (frame, streamFrame, shapes)
      defer { (frame, streamFrame, shapes) = outer }
      frame = streamFrame
      _ = declareLocal("key")
      streamFrame = frame
      return body()
    }
  }

  private func prefixWhile(
    _ rule: ExpressionText, _ inclusive: Bool
  ) -> StreamOperatorPlan.Kind? {
    condition(rule).map { .prefixWhile($0, inclusive: inclusive) }
  }

  private func timeout(
    _ time: DurationSpec, _ end: TimeoutEnd<Written>, _ onlyFirst: Bool
  ) -> StreamOperatorPlan.Kind? {
    compiled(end).map { .timeout(compile(time), $0, onlyFirst: onlyFirst) }
  }

  private func compiled(_ end: TimeoutEnd<Written>) -> StreamOperatorPlan.TimeoutEnd? {
    switch end {
    case .completion: .completion
    case .failure(let data): .failure(compile(data))
    case .fallback(let source): observedSource(source).map { .fallback($0) }
    }
  }

  private func compiled(_ kept: KeepingOperator<Written>) -> StreamOperatorPlan.Keeping? {
    switch kept {
    case .suffix(let count): .suffix(count)
    case .dropLast(let count): .dropLast(count)
    case .windowed(let length, let step): .windowed(length, step: step)
    case .removeDuplicates(let rule):
      aboutValue(local: ["before"]) { compileCondition(rule) }.map { .removeDuplicates(when: $0) }
    }
  }

  private func compiled(_ signal: Signal<Written>) -> StreamOperatorPlan.Signal? {
    switch signal {
    case .every(let time): .every(compile(time))
    case .source(let source): observedSource(source).map { .source($0) }
    }
  }

  // MARK: - expressions about a value

  func ofValue(_ rule: ExpressionText) -> ExpressionPlan? { aboutValue { compile(rule) } }

  func condition(_ rule: ExpressionText) -> ExpressionPlan? {
    aboutValue { compileCondition(rule) }
  }

  private func fold(
    _ rule: ExpressionText, _ initial: DataSpec?,
    _ make: (ExpressionPlan, DataPlan?) -> StreamOperatorPlan.Kind
  ) -> StreamOperatorPlan.Kind? {
    let initial = initial.map { compileInitial($0) }
    return aboutValue(local: ["result", "acc"]) { compile(rule) }.map { make($0, initial) }
  }

  private func ofError<Result>(_ body: () -> Result) -> Result {
    about(.any) { aboutValue(local: ["error"], body) }
  }

  /// A rule that may be left out; one that is broken takes the operator with it.
  private func optional(
    _ rule: ExpressionText?, _ make: (ExpressionPlan?) -> StreamOperatorPlan.Kind
  ) -> StreamOperatorPlan.Kind? {
    guard let rule else { return make(nil) }
    return ofValue(rule).map(make)
  }

  private func compile(_ time: DurationSpec?) -> DurationPlan? { time.map { compile($0) } }

  // MARK: - calls

  private func compile(_ called: CalledSpec) -> CallPlan? {
    switch called {
    case .one(let call): return compile(call)
    case .choice(let entries):
      let choices = entries.compactMap { compile($0) }
      guard choices.count == entries.count else { return nil }
      return CallPlan(target: .choice(choices), replaceError: nil)
    }
  }

  private func compile(_ entry: CallChoiceSpec) -> CallChoicePlan? {
    let call = compile(entry.call)
    guard let when = entry.when else { return call.map { CallChoicePlan(when: nil, call: $0) } }
    let condition = condition(when)
    guard let call, let condition else { return nil }
    return CallChoicePlan(when: condition, call: call)
  }

  private func compile(_ call: CallSpec) -> CallPlan? {
    let rescue = call.replaceError.map { data in ofError { compile(data) } }
    guard lookUpProvider(call.target.value) != nil else {
      return compileStreamCall(call, rescue)
    }
    guard let provider = findProvider(call.target) else { return nil }
    let asked = aboutValue { compileProviderCall(call, provider) }
    return CallPlan(target: .provider(asked), replaceError: rescue)
  }

  private func compileStreamCall(_ call: CallSpec, _ rescue: DataPlan?) -> CallPlan? {
    guard let source = lookUpSource(call.target.value) else {
      reportUnknown(
        call.target, "a provider or a stream",
        known: names.providers.names + plan.streams.map(\.name))
      return nil
    }
    guard case .stream(let id) = plan.sources[source].kind, !plan.streams[id].parameters.isEmpty
    else {
      reportUnwantedArguments(call)
      return observedSource(call.target).map {
        CallPlan(target: .source($0), replaceError: rescue)
      }
    }
    let parameters = plan.streams[id].parameters
    let given = aboutValue { compileArguments(of: call, for: parameters, .stream) }
    // Each parameter has a place, also if a mistake leaves it without a value.
    let arguments = parameters.map { parameter in
      given.first { $0.local == parameter.local }?.value
        ?? DataPlan(.constant(.null), call.target.range)
    }
    followed.append(source)
    let target = StreamCallPlan(stream: id, source: source, arguments: arguments)
    return CallPlan(target: .stream(target), replaceError: rescue)
  }

  private func reportUnwantedArguments(_ call: CallSpec) {
    for argument in call.with {
      report(.unknownName(argument.name, what: "a parameter of this stream", known: []))
    }
  }

  /// A single parameter without an argument takes the value itself.
  private func compileProviderCall(_ call: CallSpec, _ provider: ProviderID) -> ProviderCallPlan {
    let parameters = plan.providers[provider].parameters
    return ProviderCallPlan(
      provider: provider, arguments: compileArguments(of: call, for: parameters, .provider))
  }

  private func compileArguments(
    of call: CallSpec, for parameters: [(name: String, local: LocalID)], _ target: Key
  ) -> [(local: LocalID, value: DataPlan)] {
    guard call.with.isEmpty, parameters.count == 1, let local = parameters.first?.local else {
      return compileArguments(call.with, for: parameters, at: call.target, of: target)
    }
    let whole = compile(ExpressionText("value", call.target.range)).map {
      (local: local, value: DataPlan(.expression($0), call.target.range))
    }
    return whole.map { [$0] } ?? []
  }
}
