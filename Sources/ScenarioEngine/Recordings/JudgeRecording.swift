import Events
import ScenarioPlan
import Values

/// Holds a plan's assertions against recorded events, and returns the log of both.
///
/// Nothing is run: sources emit what the recording says, acting steps do nothing, and what is
/// derived from sources (computed nodes, streams) is derived again. A node that the recording has
/// events of is a source like any other.
///
/// - Parameter nextPiece: Reads or awaits the next events; nil at the end.
func judgeRecording(
  _ recording: Recording, by plan: ScenarioPlan, inputs: RunInputs, judge: any Judge,
  nextPiece: @escaping () -> Recording.Piece?
) -> EventLog {
  let recorded = recordedNodes(of: plan, in: recording)
  let initial = initialValues(of: recorded, of: plan, inputs: inputs, judge: judge)
  let parts = RunParts(
    SharedPlan(plan.reading(recorded)), role: .judged(recording, nextPiece: nextPiece),
    inputs: inputs, judge: judge)
  let run = ScenarioRun(parts)
  parts.loop.player = RecordingPlayer(recording, nextPiece: nextPiece)
  parts.loop.playChange = { [unowned run] in run.play($0) }
  return run.judge(startingWith: initial, derivesStreams: !recording.isOfThisScenario)
}

/// Returns the values at the start, as a stage of the scenario's own has them.
private func initialValues(
  of nodes: [NodeID], of plan: ScenarioPlan, inputs: RunInputs, judge: any Judge
) -> [(source: SourceID, value: Value)] {
  if nodes.isEmpty { return [] }
  let run = RunParts(SharedPlan(plan), inputs: inputs, judge: judge)
  run.emitter.buildStage { run.stage.build(run.emitter, run.supervisor) }
  defer { run.release() }
  return nodes.map { (plan.nodes[$0].source, run.stage.value(of: $0)) }
}

/// Returns the nodes that a recording has events of.
private func recordedNodes(of plan: ScenarioPlan, in recording: Recording) -> [NodeID] {
  if recording.isOfThisScenario { return plan.nodesWithEvents }
  return plan.nodes.indices.filter { recording.sources.contains(plan.nodes[$0].source) }
}

extension ScenarioPlan {
  /// The nodes that a recorded run has events of. Computed nodes that nothing follows have none.
  fileprivate var nodesWithEvents: [NodeID] {
    nodes.indices.filter { node in
      if case .computed = nodes[node].rule { observedNodes.contains(node) } else { true }
    }
  }

  /// Returns the plan with expressions that read the last events of these nodes, not the nodes.
  fileprivate func reading(_ nodes: [NodeID]) -> ScenarioPlan {
    changed { plan in
      for slot in plan.slots.indices {
        guard case .node(let node) = plan.slots[slot], nodes.contains(node) else { continue }
        plan.slots[slot] = .lastEvent(plan.nodes[node].source)
      }
      plan.findFollowedSources()
      plan.observedNodes.removeAll { nodes.contains($0) }
    }
  }
}

extension ScenarioRun {
  fileprivate func judge(
    startingWith values: [(source: SourceID, value: Value)], derivesStreams: Bool
  ) -> EventLog {
    if let facts = parts.loop.player?.facts { parts.recorder.record(.run(.tracePlayed(facts))) }
    buildDerivedStage(values, derivesStreams)
    parts.emitter.sampleInvariants()
    runScript(parts.plan.steps)
    parts.loop.playRest()
    noteStepsEnded()
    return close()
  }

  /// Lets the judge account for the events so far, once.
  private func noteStepsEnded() {
    guard !parts.supervisor.isStopped, parts.loop.player?.noteStepsEnded() == true else { return }
    parts.recorder.record(.run(.stepsEnded))
  }

  /// Makes what is derived from sources; nothing acts.
  private func buildDerivedStage(
    _ values: [(source: SourceID, value: Value)], _ derivesStreams: Bool
  ) {
    let streams = derivesStreams ? parts.streams : nil
    parts.emitter.follow(by: streams) { _, _ in }
    parts.emitter.buildStage {
      let secrets = parts.stage.evaluateVariables(parts.supervisor)
      if !secrets.isEmpty { parts.recorder.record(.run(.secretsKnown(secrets))) }
      parts.stage.build(parts.emitter, parts.supervisor)
      for (source, value) in values { parts.stage.setLastEvent(value, of: source) }
      streams?.start()
    }
    parts.loop.settle()
  }

  /// Shows the judge the answer to a `request` step, as the run did.
  private func answer(_ place: String, _ recorded: JudgedExchange) {
    guard let resting = parts.loop.player?.resting.first(where: { $0.at == place }),
      let assertion = resting.answer
    else { return }
    let exchange = Exchange(recorded)
    parts.recorder.record(
      .assertion(.exchanged(assertion, resting.step, exchange, reads: recorded.reads)))
    switch parts.judge.status(in: resting.step.branch) {
    case .failed: parts.supervisor.stop()
    case .retried: resting.script.leaveTry()
    case .met, .pending: break
    }
  }

  /// Ends the try of a `retry` whose request got no answer, as the run did.
  private func failTry(_ place: String, _ error: Value, _ message: String) {
    guard let resting = parts.loop.player?.resting.first(where: { $0.at == place }),
      resting.script.decidesTries
    else { return }
    let exchange = Exchange(hops: [], began: parts.loop.now, ended: parts.loop.now)
    parts.recorder.record(
      .run(.failed(.requestFailed(resting.step, exchange, error: error, message: message))))
    resting.script.leaveTry()
    parts.loop.resumeResting()
  }

  fileprivate func play(_ change: ArraySlice<RecordedEvent>) {
    parts.emitter.change {
      for event in change where !parts.supervisor.isStopped { play(event) }
    }
    parts.emitter.sampleInvariants()
  }

  private func play(_ event: RecordedEvent) {
    if event.source != nil { parts.recorder.noteNext(line: event.line) }
    switch event.kind {
    case .emitted(let source, let value):
      if let cause = parts.loop.player?.cause(of: event) {
        parts.recorder.caused(by: cause) { _ = parts.emitter.emit(source, value) }
      } else {
        parts.emitter.emit(source, value)
      }
      // A recorded node has no other place for its value.
      if case .node = parts.plan.sources[source].kind {
        parts.stage.setLastEvent(value, of: source)
      }
    case .finished(let source, let error): parts.emitter.finish(source, error)
    case .subscribed(let source, let number):
      parts.recorder.record(.source(.subscribed(source, subscription: number)))
    case .unsubscribed(let source, let number):
      parts.recorder.record(.source(.unsubscribed(source, subscription: number)))
    case .opened(let place, let reads):
      parts.loop.resumeResting()
      if let script = parts.loop.player?.open(at: place, reads: reads) { parts.loop.resume(script) }
    case .rest: parts.loop.resumeResting()
    case .idle(let next):
      parts.loop.resumeResting()
      parts.recorder.record(.run(.idle(next: next)))
    case .exchanged(let place, let exchange):
      answer(place, exchange)
      parts.loop.resumeResting()
    case .requestFailed(let place, let error, let message): failTry(place, error, message)
    case .step(let place):
      parts.loop.resumeResting()
      if let waiting = parts.loop.player?.play(stepAt: place) { parts.loop.begin(waiting.step) }
    // What its steps led to is accounted for by nobody. A script that still waits takes its time.
    case .finallyBegan:
      parts.loop.resumeResting()
      if parts.loop.player?.isPastSteps == true { noteStepsEnded() }
    }
  }
}

extension ScriptRun {
  /// Takes an acting step of the scenario: its span begins where the recording has it.
  ///
  /// What `fails` holds is judged where it runs, and passed over here.
  func takePlayed(_ kind: StepPlanKind) -> Flow {
    guard kind.traits.isActing else { return .next }
    switch run.loop.player?.take(lastReference, kind, of: self) {
    case .begins:
      run.loop.begin(lastReference)
      return .waits
    case .waits: return .waits
    case .passes, nil: return .next
    }
  }
}

extension ScriptRun {
  /// Returns true if the script stands before an assertion that begins later in the recording: it
  /// takes the step then.
  func waitsForRecorded(_ step: StepPlan) -> Bool {
    guard case .assertion(.assert) = step.kind, let player = run.loop.player else { return false }
    return player.waits(at: step.verbRange, self)
  }
}

extension ScriptRun {
  /// Returns what an assertion read in the run that is judged again; nil if it is not known, or if
  /// the assertion reads again later.
  ///
  /// A recording has the events of sources. It does not have lists, connections and computed nodes
  /// that nothing observes.
  func recordedReadings(of assertion: AssertionID) -> [Value]? {
    guard let reads = run.loop.player?.takeReads(at: lastReference.range) else { return nil }
    let plan = run.shared.plan.assertions[assertion]
    guard reads.count == plan.reads.count else { return nil }
    switch plan.evaluation {
    case .once, .nothing: return reads
    case .repeated, .snapshot: return nil
    }
  }
}

extension RunLoop {
  fileprivate func begin(_ step: StepReference) {
    let event = recorder.caused(by: nil) { recorder.record(.script(.stepBegan(step))) }
    player?.note(step, begunBy: event)
  }
}

/// Judging: time passes as the recording says, and never by itself.
extension RunLoop {
  /// Moves to the next change, or to a deadline before it, or finds the recording at its end.
  func takeNextTurn(of script: ScriptRun, playing player: RecordingPlayer) {
    let next = nextMoment(player)
    // A step has no consequences after its instant, but for an answer.
    if next ?? .max > now, resumeDrained() { return }
    // A run of the scenario has recorded when nothing was left to do. Of any other trace, all that
    // it has at this instant belongs together.
    let isRecorded = player.hasSteps && (next ?? .max) <= supervisor.earliestDeadline ?? .max
    if next != now, next == nil || !isRecorded { recorder.record(.run(.idle(next: next))) }
    if askJudge() { return }
    let limit = supervisor.earliestDeadline
    if let next, next <= limit ?? .max { return playOn(to: next) }
    if next == nil, endTrace() { return }
    if let limit {
      scheduler.advance(to: limit)
      return
    }
    guard let waiting = player.waiting.first else { return stopEndlessWait(script) }
    supervisor.fail(
      .stepFailed(waiting.step, message: "the trace ends before this step began"))
  }

  /// Lets scripts go on whose steps are over; false if there were none.
  @discardableResult
  func resumeResting() -> Bool {
    let scripts = player?.takeResting() ?? []
    for script in scripts { resume(script) }
    return !scripts.isEmpty
  }

  /// Lets scripts go on whose steps ended with this instant; false if there were none.
  private func resumeDrained() -> Bool {
    let scripts = player?.takeDrained() ?? []
    for script in scripts { resume(script) }
    return !scripts.isEmpty
  }

  /// Plays what is left once the script has ended.
  func playRest() {
    player?.isPastSteps = true
    while !supervisor.isStopped, let player {
      if runNextJob(upTo: now) { continue }
      guard let next = nextMoment(player) else {
        _ = endTrace()
        return
      }
      playOn(to: next)
    }
  }

  /// Returns when something happens next, in the recording or in what is derived from it.
  private func nextMoment(_ player: RecordingPlayer) -> Microseconds? {
    guard let recorded = player.nextTime(after: now) else { return scheduler.nextDue }
    return scheduler.nextDue.map { min($0, recorded) } ?? recorded
  }

  private func playOn(to next: Microseconds) {
    guard player?.nextTime(after: now) == next else {
      runNextJob(upTo: next)
      return
    }
    scheduler.advance(to: next)
    playChange(player?.takeChange() ?? [])
    supervisor.reevaluate { resume($0) }
  }

  /// Shows the judge the end, once; returns whether that let a script go on or ended the run.
  private func endTrace() -> Bool {
    if resumeResting() { return true }
    guard player?.noteEnd() == true else { return false }
    if let facts = player?.facts, player?.wasCompleted == true {
      recorder.record(.run(.tracePlayed(facts)))
    }
    recorder.record(.run(.traceEnded))
    return askJudge() || supervisor.isStopped
  }
}

extension StepPlanKind {
  /// True if the step does something: a recording has what followed.
  var isPlayed: Bool {
    switch self {
    case .acting, .assertion(.fails), .action(.emit): true
    case .structure, .assertion, .mock, .action(.fail): false
    }
  }
}

extension Exchange {
  fileprivate init(_ recorded: JudgedExchange) {
    let hops = recorded.hops.map { recorded in
      let request = recorded.request
      var hop = Exchange.Hop(
        endpoint: recorded.endpoint,
        request: Exchange.Request(
          method: request.method, target: request.target, headers: request.headers.fields,
          body: request.body))
      hop.response = recorded.response.map { Exchange.Response($0) }
      return hop
    }
    self.init(hops: hops, began: recorded.began, ended: recorded.ended)
  }
}
