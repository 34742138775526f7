import Diagnostics
import Events
import ScenarioPlan
import Values
import World

/// Runs a plan to its end in a world, which is the run's own, and returns everything that happened.
///
/// The judge sees each event as it is logged and decides when the script may go on.
package func runScenario(
  _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, in world: RunWorld = .simulated(),
  observer: (any RunObserver)? = nil
) -> EventLog {
  ScenarioRun(plan, inputs: inputs, judge: judge, world: world, observer: observer).run()
}

/// One run of a scenario: its parts, each with one job, and the live objects that they drive.
///
/// Everything happens on one thread, one job of the scheduler after the other.
final class ScenarioRun {
  let shared: SharedPlan
  var plan: ScenarioPlan { shared.plan }
  let inputs: RunInputs
  let judge: any Judge
  let world: RunWorld
  /// The recorder of events and their causes.
  let recorder: EventRecorder
  /// The limits of the run, and how much of them is used.
  let budget: RunBudget
  /// The state of the scripts, and the decision which of them run.
  let supervisor: ScriptSupervisor
  /// The queue of jobs, and the clock.
  let loop: RunLoop
  let stage: Stage
  let emitter: SourceEmitter
  /// The addresses of the endpoints.
  let endpoints = EndpointDirectory()
  let causes: ConnectionCauses
  let conditions: NetworkConditions
  let connections: Connections
  /// The taps on connections; nil if nobody records the run.
  let taps: TrafficTaps?
  let messages: MessageMaker
  private(set) lazy var client = ScenarioClient(
    stage, loop, recorder, supervisor, connections, endpoints)
  /// Nil if nothing on the stage follows anything.
  private(set) var streams: LiveStreams?
  let databases: LiveDatabases
  let providers: Providers
  let lists: LiveLists
  let clients: LiveClients
  private(set) lazy var actions = ActionRuns(shared, loop, supervisor, ScriptMaker(self))
  let progress: ScriptProgress
  /// The origin of all random numbers, by the name of their use.
  let chance: SeededRandom
  /// The player of a trace; nil if nothing is replayed.
  private(set) var director: ReplayDirector?

  init(
    _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, world: RunWorld = .simulated(),
    observer: (any RunObserver)? = nil, replaying replay: Replay? = nil
  ) {
    self.world = world
    shared = SharedPlan(plan)
    self.inputs = inputs
    self.judge = judge
    budget = RunBudget(
      isEndless: inputs.serving == .untilInterrupted || inputs.playsRecording,
      logLimit: inputs.logLimit ?? Limits.bytesInLog)
    recorder = EventRecorder(
      inputs.emptyLog, shownTo: judge, at: world.scheduler, within: budget,
      watchesInvariants: plan.hasFollowers,
      isUnasked: inputs.serving == nil ? plan.isUnasked : [])
    supervisor = ScriptSupervisor(
      recorder, budget, judge, isEndless: inputs.serving == .untilInterrupted,
      isInterrupted: inputs.isInterrupted, isOutOfTime: inputs.isOutOfTime)
    loop = RunLoop(
      in: world, recorder, supervisor, budget, isServing: inputs.serving != nil)
    progress = ScriptProgress(plan)
    stage = Stage(shared, row: inputs.row, judge, in: world)
    emitter = SourceEmitter(plan, recorder, supervisor, stage)
    chance = SeededRandom(seed: UInt64(bitPattern: Int64(inputs.seed)))
    causes = ConnectionCauses(recorder, isServing: inputs.serving != nil)
    conditions = NetworkConditions(
      plan, line: inputs.line, loop, recorder, causes, stage, emitter, chance,
      isReplayed: replay != nil)
    taps = observer.map { [loop, recorder, causes, endpoints] in
      TrafficTaps(
        $0, plan, loop, recorder, causes, endpoints, notesNumbers: replay != nil)
    }
    connections = Connections(plan, loop, causes, conditions, endpoints, taps)
    emitter.onSettled = taps.map { taps in { taps.changeSettled() } }
    if world.wall != nil { stage.onNow = taps.map { taps in { taps.observe(now: $0) } } }
    messages = MessageMaker(plan, readFile: inputs.readFile, chance)
    clients = LiveClients(connections, messages, stage, emitter, supervisor, chance)
    databases = LiveDatabases(loop, stage, emitter, supervisor, chance)
    providers = Providers(
      loop, connections, messages, databases, emitter, stage, supervisor,
      readFile: inputs.readFile, chance)
    lists = LiveLists(stage, emitter, providers)
    recorder.onBrokenInvariant = { [unowned supervisor] in supervisor.stopAtInvariant() }
    recorder.onLimit = { [unowned self] in supervisor.reach($0, lastSources: lastSources) }
    loop.lookForChanges = { [unowned databases] in databases.lookForChanges() }
    if let replay { prepare(replay) }
    if plan.hasFollowers { makeStreams() }
  }

  private func makeStreams() {
    let streams = LiveStreams(self)
    self.streams = streams
    providers.streams = streams
  }

  private func prepare(_ replay: Replay) {
    let director = ReplayDirector(replay.trace, replay.guide, plan, loop)
    self.director = director
    loop.director = director
    taps?.onSent = { [unowned director] in director.count(at: $0) }
    guard !replay.trace.isVirtual else { return }
    stage.recordedNow = { replay.guide.takeCalendarTime() }
    stage.onNow = taps.map { taps in { taps.observe(now: $0) } }
  }

  func run() -> EventLog {
    buildStage()
    runSteps()
    runFinally()
    return end()
  }

  func buildStage() {
    if plan.connections.count > Limits.connectionsAtOnce { supervisor.fail(.tooManyConnections) }
    if loop.isInRealTime { recorder.record(.run(.inRealTime)) }
    emitter.follow(by: streams) { [unowned self] in actions.send($0, $1) }
    emitter.buildStage {
      let secrets = stage.evaluateVariables(supervisor)
      if !secrets.isEmpty { recorder.record(.run(.secretsKnown(secrets))) }
      databases.open()
      stage.build(emitter, supervisor)
      startServers()
      streams?.start()
      lists.start(loading: !isServing)
      clients.start()
    }
    loop.settle()
    emitter.sampleInvariants()
  }

  /// Clients may connect as soon as the stage is built.
  private func startServers() {
    if let reach = world.reach { return endpoints.fill(.remotes(makeRemotes(reach))) }
    if let director, !isServing { return play(director) }
    let environment = MockEnvironment(
      loop, recorder, supervisor, stage, emitter, causes, messages, judge, ScriptMaker(self),
      inputs, taps)
    endpoints.fill(
      .mocks(PerID(plan.endpoints.withIDs.map { MockServer(environment, $0, $1) })))
  }

  private func makeRemotes(
    _ reach: @escaping (String, String) -> Result<RemotePlace, UnusableURL>
  ) -> RemoteEndpoints {
    let checker = DriftChecker(
      plan, loop, recorder, supervisor, stage, messages, judge, ScriptMaker(self), endpoints)
    return RemoteEndpoints(
      shared, loop, recorder, supervisor, emitter, causes, world.ignoresDrift ? nil : checker,
      url: initialValue, reach: reach)
  }

  func runSteps() {
    runScript(plan.steps)
    if !supervisor.isStopped {
      recorder.record(.run(.stepsEnded))
    } else if !supervisor.isInterrupted {
      endpoints.remotes?.driftChecker?.noteWhatDidNotCome()
    }
  }

  /// Runs `finally` regardless of the end of the steps. Its assertions see only its own events.
  func runFinally() {
    guard let finally = plan.finally, director?.guide.isOver != true else { return }
    if supervisor.isInstantEndless { loop.leaveEndlessInstant() }
    supervisor.beginFinally()
    recorder.record(.run(.finallyBegan))
    runScript(finally)
  }

  func runScript(_ frame: FramePlan) {
    let script = ScriptRun(self, frame: frame, role: .steps(branch: .main))
    script.onEnd = { [unowned supervisor] outcome in
      if case .failed(let failure) = outcome { supervisor.fail(failure.problem) }
    }
    loop.run(script)
  }

  /// Logs how the run stands at its end, frees everything, and returns the log.
  func end() -> EventLog {
    loop.noteLag()
    notePendingOperations()
    return close()
  }

  func close() -> EventLog {
    recorder.record(.run(.ended(unused: unusedParts)))
    invalidate()
    return recorder.log
  }

  /// Adds to the log what nobody has ended, where there is any: connections that stay, requests
  /// without an answer, and those that are about to be tried again.
  private func notePendingOperations() {
    let ours = clients.pendingOperations + connections.pendingOperations
    let ends = ours + (isServing ? endpoints.mocks.flatMap(\.pendingOperations) : [])
    if !ends.isEmpty { recorder.record(.run(.pendingAtEnd(ends))) }
  }

  /// Breaks the circles between jobs, scripts and the run, so that all is freed.
  func invalidate() {
    recorder.close()
    taps?.close()
    lists.invalidate()
    clients.invalidate()
    streams?.invalidate()
    databases.invalidate()
    conditions.forgetConnections()
    world.scheduler.discardAll()
    world.network.discardAll()
    world.wall?.end()
    stage.invalidate()
    endpoints.invalidate()
    connections.invalidate()
    actions.invalidate()
    supervisor.invalidate()
    emitter.invalidate()
    loop.invalidate()
    director?.invalidate()
    // Who was let go of may have left something to be done.
    world.scheduler.discardAll()
  }

  /// The names of what emitted lately, each once.
  private func lastSources() -> [String] {
    var names: [String] = []
    for event in recorder.log.events.suffix(20) {
      guard case .source(.emitted(let source, _)) = event.kind else { continue }
      let name = plan.sources[source].name
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}

/// The parts of a run that streams use.
extension ScenarioRun {
  var scheduler: Scheduler { loop.scheduler }
  var log: EventLog { recorder.log }
  var cause: EventID? { recorder.cause }
  var isStopped: Bool { supervisor.isStopped }
  var isBuildingStage: Bool { emitter.isBuildingStage }
  var isFinished: PerID<SourcePlan, Bool> { emitter.isFinished }

  func caused<Result>(by cause: EventID?, _ body: () throws -> Result) rethrows -> Result {
    try recorder.caused(by: cause, body)
  }

  func note(_ kind: consuming Event.Kind) { recorder.record(kind) }
  func fail(_ problem: RunProblem) { supervisor.fail(problem) }
  func mayWork(_ count: Int) -> Bool { supervisor.mayWork(count, at: loop.now) }
  func emit(_ source: SourceID, _ value: Value) { emitter.emit(source, value) }
  func finish(_ source: SourceID, _ error: Value?) { emitter.finish(source, error) }
  func write(_ writes: [(node: NodeID, value: Value)]) { emitter.write(writes) }

  func change<Result>(_ body: () throws -> Result) rethrows -> Result {
    try emitter.change(body)
  }

  @discardableResult
  func after(
    _ delay: Microseconds, phase: Scheduler.Phase, _ job: @escaping () -> Void
  ) -> Scheduler.TimerID {
    loop.after(delay, phase: phase, job)
  }

  func value(of slot: SlotID, locals: [Value], branch: BranchID) -> Value {
    stage.value(of: slot, locals: locals, branch: branch)
  }

  /// Evaluates data outside of any script.
  func initialValue(of data: DataPlan) -> Value {
    supervisor.value(of: data, in: ValueReader(stage)) ?? .null
  }

  func length(of duration: DurationPlan?, _ locals: [Value]) -> Microseconds {
    supervisor.length(of: duration, in: ValueReader(stage, locals))
  }
}
