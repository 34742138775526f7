import CEL
import ScenarioSpec
import Values

/// The pause between two tries of a `retry` without `every`, in microseconds.
private let pauseOfRetry: Microseconds = 1_000_000

/// Scripts and the steps in them.
extension PlanCompiler {
  func compileSteps() {
    beginScript()
    nested {
      frame = FrameBuilder()
      let script = compile(document.steps)
      plan.steps = FramePlan(script: script, localCount: frame.localCount)
      guard let finally = document.finally else { return }
      frame = FrameBuilder()
      let last = compile(finally)
      plan.finally = FramePlan(script: last, localCount: frame.localCount)
    }
  }

  /// Begins a script that may include files. They see the names known here, and later captures.
  func beginScript() {
    position.stepScope = scope
    position.firstCapture = plan.captures.endIndex
  }

  /// Steps that could not be compiled are left out; the complaint keeps the plan from being used.
  func compile(_ script: ScriptSpec) -> ScriptID {
    let steps = hasNames(script) ? withNames { compileEach(script) } : compileEach(script)
    return plan.scripts.append(ScriptPlan(steps: steps))
  }

  private func compileEach(_ script: ScriptSpec) -> [StepPlan] {
    script.steps.compactMap { compile($0) }
  }

  private func hasNames(_ script: ScriptSpec) -> Bool {
    script.steps.contains { if case .bind = $0.kind { true } else { false } }
  }

  /// Runs a part of the compilation whose names end with it. What it captures outlives it.
  private func withNames<Result>(_ body: () -> Result) -> Result {
    let outer = scope
    let captured = plan.captures.endIndex
    defer { replaceScope(with: outer, keepingCapturesFrom: captured) }
    return body()
  }

  /// Each name is known to the values behind it.
  private func compileBindings(
    _ bindings: [(name: Located<String>, value: ExpressionText)]
  ) -> StepPlanKind? {
    let compiled = bindings.compactMap { binding -> (local: LocalID, value: ExpressionPlan)? in
      let value = compile(binding.value)
      let local = declareLocal(binding.name.value, type: value?.program.type ?? .dyn)
      return value.map { (local, $0) }
    }
    return compiled.count == bindings.count ? .structure(.bind(compiled)) : nil
  }

  private func compile(_ step: StepSpec) -> StepPlan? {
    guard let kind = compileKind(of: step) else { return nil }
    return StepPlan(
      kind: kind, verb: step.verb.value, verbRange: step.verb.range, range: step.range)
  }

  private func compileKind(of step: StepSpec) -> StepPlanKind? {
    switch step.kind {
    case .set(let writes): .acting(.set(writes.compactMap(compileWrite)))
    case .transaction(let script): .acting(.transaction(compile(script)))
    case .send(let messages, let isAwaited):
      isAwaited
        ? .acting(.sendAndWait(messages.compactMap(compileAwait)))
        : .acting(.send(messages.compactMap(compileSend)))
    case .terminate(let targets): compileTermination(targets)
    case .network(let settings): .acting(.network(settings.compactMap { compile($0) }))
    case .suspend(let length, let timersAreDue): compileSuspension(step, length, timersAreDue)
    case .request(let exchange): compile(exchange, of: step)
    case .refresh(let list): compileRefresh(list)
    case .sql(let statements): .acting(.sql(statements.compactMap { compile($0) }))
    case .load(let loads): .acting(.load(loads.compactMap(compileLoad)))
    case .connect(let names): compile(connections: names).map { .acting(.connect($0)) }
    case .disconnect(let names): compile(connections: names).map { .acting(.disconnect($0)) }
    case .serve(let commands, let audience): compileServe(commands, to: audience)
    case .act(let act): .mock(.act(compile(act)))
    case .receive(let matcher): compileReceive(step, matcher)
    case .emit(let name, let payload): .action(.emit(compileEmit(name, payload)))
    case .fail(let error): .action(.fail(error.map { compile($0) }))
    case .respond(let answer): .mock(.respond(compile(answer)))
    case .wait(let duration): .structure(.wait(duration.map { compile($0) }))
    case .bind(let bindings): compileBindings(bindings)
    case .log(let value): .structure(.log(compile(value)))
    case .parallel(let branches): compileBranches(branches)
    case .repeat(let times, let body): compileLoop(times, body)
    case .while(let condition, let most, let body): compileLoop(condition, most, body)
    case .forEach(let name, let items, let body): compileLoop(name, items, body)
    case .if(let condition, let then, let other): compileChoice(condition, then, other)
    case .attempt(let body, let handler, let name): compileAttempt(body, handler, name)
    case .expect, .never, .check, .eventually, .snapshot:
      compileAssertion(step).map { .assertion(.assert($0)) }
    case .include(let include): compileInclude(include)
    case .retry(let retry, let body): compileRetry(step, retry, body)
    case .fails(let inner, let error): compileFails(step, inner, error)
    case .ignore(let sources): .assertion(.ignore(sources.compactMap(findSource)))
    }
  }

  func followsRule(_ node: NodeID) -> Bool {
    switch plan.nodes[node].rule {
    case .computed, .latest, .model: true
    case .stored: false
    }
  }

  /// The node, if it is a reactor's field and this is not one of the reactor's own scripts.
  func fieldOutsideItsReactor(_ node: NodeID) -> NodePlan? {
    guard !names.reactors.names.isEmpty else { return nil }
    let field = plan.nodes[node]
    guard let reactor = reactor(ofField: field.name), owner != .reactor(reactor) else { return nil }
    return field
  }

  /// The reactor whose name is all that stands before a dot in the name of a field.
  private func reactor(ofField name: String) -> ReactorID? {
    var place = name.startIndex
    while let dot = name[place...].utf8.firstIndex(of: UInt8(ascii: ".")) {
      if let reactor = names.reactors[String(name[..<dot])] { return reactor }
      place = name.utf8.index(after: dot)
    }
    return nil
  }

  private func compileSend(_ message: (target: Located<String>, payload: DataSpec?)) -> SendPlan? {
    let payload = message.payload.map { compile($0) }
    if let data = message.payload { warnOfExpression(in: data) }
    if let stream = subject(named: message.target) {
      return SendPlan(target: .subject(stream), payload: payload, range: message.target.range)
    }
    if let connection = lookUpConnection(message.target.value) {
      guard isWebSocket(connection) else {
        report(.sendsToEventStream(message.target))
        return nil
      }
      return SendPlan(
        target: .connection(connection), payload: payload, range: message.target.range)
    }
    if let program = lookUpProgram(message.target.value) {
      return SendPlan(target: .program(program), payload: payload, range: message.target.range)
    }
    if names.actions.names.isEmpty, !names.programs.names.isEmpty {
      reportUnknownProgram(message.target)
      return nil
    }
    guard let action = findAction(message.target) else { return nil }
    checkPayload(message.payload, of: action, at: message.target)
    return SendPlan(target: .action(action), payload: payload, range: message.target.range)
  }

  private func compileAwait(
    _ message: (target: Located<String>, payload: DataSpec?)
  ) -> AwaitPlan? {
    guard let send = compileSend(message) else { return nil }
    switch send.target {
    case .action(let action):
      return AwaitPlan(action: action, payload: send.payload, range: send.range)
    case .subject: report(.awaitsNoAction(message.target, "a stream"))
    case .connection: report(.awaitsNoAction(message.target, "a connection"))
    case .program: report(.awaitsNoAction(message.target, "a program"))
    }
    return nil
  }

  /// A payload that is written out must have what the action's parameters need.
  func checkPayload(_ payload: DataSpec?, of action: ActionID, at target: Located<String>) {
    let parameters = plan.actions[action].parameters.map(\.name)
    guard !parameters.isEmpty else { return }
    guard let payload else {
      report(.missingParameters(parameters, of: parameters, in: target))
      return
    }
    let missing = parametersMissing(from: payload, of: parameters)
    if !missing.isEmpty {
      report(.missingParameters(missing, of: parameters, in: target))
    }
  }

  /// A single parameter takes the whole payload where that has no entry of its name.
  private func parametersMissing(from payload: DataSpec, of parameters: [String]) -> [String] {
    if parameters.count == 1 { return [] }
    let keys: [Value]
    switch payload.content {
    case .expression, .keyedMap, .example: return []
    case .map(let entries): keys = entries.map(\.key.value)
    case .literal(.map(let map)): keys = map.keys
    case .literal, .text, .list: keys = []
    }
    return parameters.filter { !keys.contains(.string($0)) }
  }

  /// A call of a provider with its parameters, all of which must be given.
  func compileCall(
    _ with: [NamedData], for provider: ProviderID, at place: Located<String>
  ) -> ProviderCallPlan {
    ProviderCallPlan(
      provider: provider,
      arguments: compileArguments(with, for: plan.providers[provider].parameters, at: place))
  }

  /// Values for all parameters of what is called.
  func compileArguments(
    _ with: [NamedData], for locals: [(name: String, local: LocalID)], at place: Located<String>,
    of target: Key = .provider
  ) -> [(local: LocalID, value: DataPlan)] {
    let parameters = locals.map(\.name)
    var arguments: [(local: LocalID, value: DataPlan)] = []
    for argument in with {
      guard let local = locals.first(where: { $0.name == argument.name.value })?.local else {
        let what = "a parameter of this \(target.rawValue)"
        report(.unknownName(argument.name, what: what, known: parameters))
        continue
      }
      arguments.append((local, compile(argument.value)))
    }
    let given = with.map(\.name.value)
    let missing = parameters.filter { !given.contains($0) }
    if !missing.isEmpty {
      report(.missingParameters(missing, of: parameters, inCallOf: place, target))
    }
    return arguments
  }

  private func compileEmit(_ name: Located<String>, _ payload: DataSpec?) -> EmitPlan {
    warnOfSubject(name, payload)
    var sources: [SourceID] = []
    if case .reactor(let id) = owner { sources.append(plan.reactors[id].events) }
    sources += eventSources
    return EmitPlan(name: name.value, payload: payload.map { compile($0) }, sources: sources)
  }

  /// The sources of this unit's named events: its own, those of the components around it, and that
  /// of the run.
  private var eventSources: [SourceID] {
    var parts = unit.prefix.split(separator: ".")
    var sources: [SourceID] = []
    while true {
      let name = (parts + ["events"]).joined(separator: ".")
      if let source = names.sources[name] { sources.append(source) }
      if parts.popLast() == nil { return sources }
    }
  }

  private func compileLoop(
    _ name: Located<String>, _ items: DataSpec, _ body: ScriptSpec
  ) -> StepPlanKind {
    let items = compile(items)
    return withNames {
      let turn = name.value == "turn" ? nil : declareTurn()
      let local = declareLocal(name.value)
      return .structure(.forEach(local, items, compileTurn(body, numbered: turn), turn: turn))
    }
  }

  private func compileLoop(_ times: DataSpec, _ body: ScriptSpec) -> StepPlanKind {
    let times = compile(times)
    return withNames {
      let turn = declareTurn()
      return .structure(.repeat(times, compileTurn(body, numbered: turn), turn: turn))
    }
  }

  /// Compiles a `while`; its condition may use what its steps capture.
  private func compileLoop(
    _ condition: ExpressionText, _ most: Int?, _ spec: ScriptSpec
  ) -> StepPlanKind? {
    var turn: LocalID?
    let body = withNames {
      turn = declareTurn()
      return compileTurn(spec, numbered: turn)
    }
    // What was never captured is null here, as before the first turn.
    let compiled = compileCondition(condition)?.takingMissingAsNull
    if compiled != nil { warnOfNames(in: spec, of: condition) }
    return compiled.map {
      .structure(
        .while(
          WhilePlan(
            condition: $0, body: body, turn: turn, most: most ?? PlanLimit.turnsOfWhile)))
    }
  }

  /// Warns of names that each turn makes again: the condition reads those outside, which stay.
  private func warnOfNames(in body: ScriptSpec, of condition: ExpressionText) {
    let words = condition.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    for case .bind(let bindings) in body.steps.map(\.kind) {
      for name in bindings.map(\.name) where words.contains(Substring(name.value)) {
        report(.letInLoop(name))
      }
    }
  }

  private func compileTurn(_ body: ScriptSpec, numbered turn: LocalID?) -> ScriptID {
    let outer = position.isInNumberedLoop
    defer { position.isInNumberedLoop = outer }
    position.isInNumberedLoop = turn != nil
    return compile(body)
  }

  /// Declares `turn` in a loop, unless the scenario itself has something of this name.
  private func declareTurn() -> LocalID? {
    guard position.isInNumberedLoop || !scope.knows("turn") else { return nil }
    return declareLocal("turn", type: .int)
  }

  private func compileChoice(
    _ condition: ExpressionText, _ then: ScriptSpec, _ other: ScriptSpec?
  ) -> StepPlanKind? {
    // What was never captured is null here, so that a script can ask for it.
    let compiled = compileCondition(condition)?.takingMissingAsNull
    let then = compile(then)
    let other = other.map { compile($0) }
    return compiled.map { .structure(.if($0, then: then, else: other)) }
  }

  private func compileAttempt(
    _ body: ScriptSpec, _ handler: ScriptSpec?, _ name: Located<String>?
  ) -> StepPlanKind {
    let body = compile(body)
    let outer = scope
    defer { scope = outer }
    let error = declareLocal(name?.value ?? "error")
    return .structure(
      .attempt(body, catch: handler.map { compile($0) }, error: error))
  }

  /// Compiles a `retry`; its conditions may use what its steps capture.
  private func compileRetry(
    _ step: StepSpec, _ retry: RetrySpec, _ body: ScriptSpec
  ) -> StepPlanKind? {
    let script = compile(body)
    let until = retry.until.flatMap { compileCondition($0) }
    var failIf = retry.failIf.flatMap { compileCondition($0) }
    if retry.until != nil, until == nil { return nil }
    // A try that failed may have captured less, which is null for `failIf`.
    if until == nil { failIf = failIf?.takingMissingAsNull }
    let kind = AssertionPlan.Kind.retry(
      RetryPlan(until: until, failIf: failIf, every: retry.every?.value ?? pauseOfRetry))
    let assertion = addAssertion(kind, within: retry.timeout?.value, of: step)
    return .assertion(.retry(assertion, script))
  }

  private func compileFails(
    _ step: StepSpec, _ inner: StepSpec, _ error: MatcherSpec?
  ) -> StepPlanKind? {
    let script = compile(ScriptSpec(range: inner.range, steps: [inner]))
    let matcher = error.map { compile($0) }
    let assertion = addAssertion(.fails(matcher), within: nil, of: step)
    return .assertion(.fails(assertion, step: script))
  }
}
