import Diagnostics
import Events
import ScenarioPlan
import Values
import World

/// The implementation of each step.
extension ScriptRun {
  func perform(_ step: StepPlan) -> Flow {
    switch step.kind {
    case .acting(let acting): perform(acting, step)
    case .structure(let structure): perform(structure, step)
    case .assertion(let assertion): perform(assertion, step)
    case .mock(let mock): perform(mock, step)
    case .action(let outcome): perform(outcome, step)
    }
  }

  private func perform(_ acting: ActingStep, _ step: StepPlan) -> Flow {
    switch acting {
    case .set(let writes): owned { set(writes) }
    case .transaction(let script): owned { transaction(script) }
    case .send(let messages): send(messages, step)
    case .sendAndWait(let messages): sendAndWait(messages, step)
    case .terminate(let targets): terminate(targets, step)
    case .connect(let connections): connect(connections, step)
    case .disconnect(let connections): disconnect(connections)
    case .serve(let commands, let audience): serve(commands, to: audience, step)
    case .network(let settings): network(settings)
    case .suspend(let length, let timersAreDue): suspend(length, timersAreDue)
    case .request(let exchange): request(exchange, step)
    case .refresh(let list): refresh(list)
    case .sql(let statements): sql(statements, step)
    case .load(let loads): load(loads)
    }
  }

  private func perform(_ structure: StructureStep, _ step: StepPlan) -> Flow {
    switch structure {
    case .wait(let duration): wait(duration)
    case .bind(let bindings): bind(bindings)
    case .log(let value): log(value, step)
    case .parallel(let branches): isMainScript ? parallel(branches) : sideBySide(branches)
    case .repeat(let times, let body, let turn): loop(times, body, turn, step)
    case .while(let loop): begin(turn: 1, of: loop, step)
    case .forEach(let local, let items, let body, let turn): loop(local, items, body, turn, step)
    case .if(let condition, let then, let other): choose(condition, then, other)
    case .attempt(let body, let handler, let error): attempt(body, handler, error)
    case .include(let include): self.include(include, step)
    }
  }

  private func perform(_ assertion: AssertionStep, _ step: StepPlan) -> Flow {
    switch assertion {
    case .assert(let assertion): assert(assertion)
    case .retry(let assertion, let body): retry(assertion, body, step)
    case .fails(let assertion, let script): expectFailure(assertion, script)
    case .ignore(let sources): ignore(sources)
    }
  }

  private func perform(_ mock: MockStep, _ step: StepPlan) -> Flow {
    switch mock {
    case .respond(let answer): respond(answer, step)
    case .act(let act): self.act(act, step)
    case .receive(let assertion): receive(assertion, step)
    }
  }

  private func perform(_ outcome: ActionStep, _ step: StepPlan) -> Flow {
    switch outcome {
    case .emit(let event): owned { emit(event) }
    case .fail(let error): failStep(error, step)
    }
  }

  // MARK: - acting

  private func set(_ writes: [SetPlan]) -> Flow {
    var nodes: [(node: NodeID, value: Value)] = []
    var messages: [(ActionID, Value)] = []
    for write in writes {
      switch evaluate(write.value, in: self) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(let value):
        let before = write.path.isEmpty ? nil : nodes.last { $0.node == write.node }?.value
        let current = before ?? run.stage.value(of: write.node)
        switch write.written(value, into: current, in: self) {
        case .failure(let failure): return .fails(scriptFailure(failure))
        case .success(let value):
          switch write.target {
          case .node(let node): nodes.append((node, value))
          case .binding(let action, let keeps):
            if keeps { nodes.append((write.node, value)) }
            messages.append((action, value))
          }
        }
      }
    }
    write(nodes)
    for (action, payload) in messages { run.actions.send(action, payload) }
    return .next
  }

  /// Writes nodes as one change. What an object plays, the object sets: it gets the value later in
  /// this instant.
  private func write(_ nodes: [(node: NodeID, value: Value)]) {
    guard let subjects = run.subjects else {
      if !nodes.isEmpty { run.emitter.write(nodes) }
      return
    }
    let own = nodes.filter { !subjects.plays($0.node) }
    if !own.isEmpty { run.emitter.write(own) }
    for (node, value) in nodes where subjects.plays(node) {
      _ = run.loop.after(0, phase: .source) { subjects.take(value, for: node) }
    }
  }

  /// Steps inside see what they write; others see it when all of it is done, or none of it.
  private func transaction(_ script: ScriptID) -> Flow {
    var failure: ScriptFailure?
    do {
      try run.emitter.change {
        try run.stage.graph.transaction {
          let inside = ScriptRun(
            run, frame: FramePlan(script: script, localCount: 0),
            role: .transaction(branch: branch),
            locals: locals)
          inside.onEnd = { outcome in if case .failed(let why) = outcome { failure = why } }
          inside.resume()
          locals = inside.locals
          if failure != nil { throw TransactionFailed() }
        }
      }
    } catch {}
    return failure.map { .fails($0) } ?? .next
  }

  private struct TransactionFailed: Error {}

  private func send(_ messages: [SendPlan], _ step: StepPlan) -> Flow {
    for message in messages {
      switch evaluated(message.payload, else: .null) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(let payload):
        if let failure = send(payload, to: message.target, step) { return .fails(failure) }
        if hasEnded { return .waits }
      }
    }
    return .next
  }

  private func send(
    _ payload: Value, to target: SendPlan.Target, _ step: StepPlan
  ) -> ScriptFailure? {
    switch target {
    case .action(let action): run.actions.send(action, payload)
    case .subject(let stream): run.streams?.send(payload, to: stream)
    case .connection(let connection): return send(payload, to: connection, step)
    case .program(let program): return send(payload, to: program, step)
    }
    return nil
  }

  private func terminate(_ targets: [TerminationPlan], _ step: StepPlan) -> Flow {
    var programs: [ProgramID] = []
    for target in targets {
      switch target {
      case .reactor(let reactor): run.actions.endLifecycle(of: reactor)
      case .subject(let stream): run.streams?.finish(stream)
      case .connection(let connection): run.suppliers.clients.terminate(connection)
      case .program(let program): programs.append(program)
      }
    }
    return programs.isEmpty ? .next : end(programs, step)
  }

  private func emit(_ event: EmitPlan) -> Flow {
    switch evaluated(event.payload, else: .null) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(let payload):
      let value = Value.map(
        ValueMap(distinct: [("name", .string(event.name)), ("payload", payload)]))
      for source in event.sources { run.emitter.emit(source, value) }
      return .next
    }
  }

  private func failStep(_ data: DataPlan?, _ step: StepPlan) -> Flow {
    switch evaluated(data, else: "failed") {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(let error):
      let problem = RunProblem.actionFailed(action, error: error, range: step.verbRange)
      return .fails(ScriptFailure(error: error, problem: problem))
    }
  }

  /// The value of data that may have been left out.
  private func evaluated(
    _ data: DataPlan?, else missing: Value
  ) -> Result<Value, EvaluationFailure> {
    data.map { evaluate($0, in: self) } ?? .success(missing)
  }

  // MARK: - structure

  private func loop(
    _ times: DataPlan, _ body: ScriptID, _ turn: LocalID?, _ step: StepPlan
  ) -> Flow {
    switch evaluate(times, in: self) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(.int(let count)) where count >= 0:
      guard count > 0 else { return .next }
      number(turn: 1, turn)
      enter(body, .repeating(turn: 1, of: count, number: turn))
      return .next
    case .success(let value):
      let found = value.display(maxLength: 60)
      return .fails(cannot(step, "`repeat` takes a whole number from 0, not \(found)"))
    }
  }

  private func loop(
    _ local: LocalID, _ items: DataPlan, _ body: ScriptID, _ turn: LocalID?, _ step: StepPlan
  ) -> Flow {
    switch evaluate(items, in: self) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(.list(let items)):
      guard let first = items.first else { return .next }
      locals[local.index] = first
      number(turn: 1, turn)
      enter(body, .forEach(local, items: items, turn: 1, number: turn))
      return .next
    case .success(let value):
      return .fails(cannot(step, "`forEach` goes through a list, not \(value.kindName)"))
    }
  }

  private func bind(_ bindings: [(local: LocalID, value: ExpressionPlan)]) -> Flow {
    for binding in bindings {
      switch evaluate(binding.value, in: self) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(let value): locals[binding.local.index] = value
      }
    }
    return .next
  }

  private func log(_ data: DataPlan, _ step: StepPlan) -> Flow {
    switch evaluate(data, in: self) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(let value):
      let place = StepReference(
        verb: step.verb, range: step.verbRange, branch: branch, turns: turns, includes: includes)
      run.recorder.record(.script(.logged(place, value)))
    }
    return .next
  }

  private func choose(_ condition: ExpressionPlan, _ then: ScriptID, _ other: ScriptID?) -> Flow {
    switch evaluateCondition(condition, in: self) {
    case .failure(let failure): return .fails(scriptFailure(failure))
    case .success(true): enter(then)
    case .success(false): if let other { enter(other) }
    }
    return .next
  }

  private func include(_ include: IncludePlan, _ step: StepPlan) -> Flow {
    for argument in include.arguments {
      switch evaluate(argument.value, in: self) {
      case .failure(let failure): return .fails(scriptFailure(failure))
      case .success(let value):
        guard let fitting = argument.kind.fit(value) else {
          let found = "\(argument.kind.phrase), not \(value.display(maxLength: 60))"
          return .fails(cannot(step, "`\(argument.name)` takes \(found)"))
        }
        locals[argument.local.index] = fitting
      }
    }
    enter(include.script, .included(at: include.range))
    return .next
  }

  private func attempt(_ body: ScriptID, _ handler: ScriptID?, _ error: LocalID) -> Flow {
    enter(body, .attempt(handler: handler, error: error))
    return .next
  }

  /// Each branch runs as a script of its own; the step is over when all of them are.
  private func parallel(_ branches: [ScriptID]) -> Flow {
    var open = branches.count
    let first = run.supervisor.addBranches(open)
    run.recorder.record(.script(.branched(from: branch, first: first, count: open)))
    for (number, body) in branches.enumerated() {
      let script = ScriptRun(
        run, frame: FramePlan(script: body, localCount: 0),
        role: .steps(branch: first.advanced(by: number)), locals: locals, turns: turns,
        includes: includes)
      script.onEnd = { [self] outcome in
        open -= 1
        if case .failed(let failure) = outcome { run.supervisor.fail(failure.problem) }
        guard open == 0 else { return }
        run.recorder.record(.script(.branchesJoined(into: branch)))
        run.loop.after(0, phase: .assertion) { self.resume() }
      }
      run.loop.after(0, phase: .assertion) { script.resume() }
    }
    return .waits
  }

  /// Runs branches in parallel. In an action or an endpoint, the branches end with the script
  /// around them, and the first one that fails ends the others.
  private func sideBySide(_ branches: [ScriptID]) -> Flow {
    children = branches.map {
      ScriptRun(
        run, frame: FramePlan(script: $0, localCount: 0), role: role, locals: locals,
        includes: includes)
    }
    onCancel = { [unowned self] in cancelChildren() }
    for child in children {
      child.onEnd = { [unowned self, unowned child] outcome in
        // What fails may end the script around it and free both.
        let (around, ended) = (self, child)
        withExtendedLifetime((around, ended)) { around.end(of: ended, outcome) }
      }
      run.loop.after(0, phase: .source) { child.resume() }
    }
    return .waits
  }

  private func end(of child: ScriptRun, _ outcome: Outcome) {
    children.removeAll { $0 === child }
    if case .failed(let failure) = outcome {
      cancelChildren()
      fail(failure)
    }
    guard children.isEmpty else { return }
    onCancel = nil
    run.loop.after(0, phase: .source) { self.resume() }
  }

  private func cancelChildren() {
    let cancelled = children
    children = []
    for child in cancelled {
      child.onEnd = nil
      child.cancel()
    }
  }

  private func ignore(_ sources: [SourceID]) -> Flow {
    run.recorder.record(.assertion(.ignored(sources)))
    if !run.plan.isForgotten.isEmpty, !run.isServing {
      for source in sources where run.plan.isForgotten[source] {
        run.recorder.forget(source, of: run.plan)
      }
    }
    return .next
  }

  // MARK: - failing

  func scriptFailure(_ failure: EvaluationFailure) -> ScriptFailure {
    ScriptFailure(failure, at: isMainScript ? lastReference : nil)
  }

  /// The failure of a step, shown at a part of it if that is known.
  func cannot(_ step: StepPlan, _ message: String, at part: SourceRange? = nil) -> ScriptFailure {
    var reference =
      isMainScript
      ? lastReference
      : StepReference(
        verb: step.verb, range: step.verbRange, branch: .main, turns: [], includes: includes)
    if let part { reference.range = part }
    return ScriptFailure(
      error: ["message": .string(message)], problem: .stepFailed(reference, message: message))
  }
}
