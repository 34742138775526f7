import Diagnostics
import Events
import ScenarioPlan
import Values
import World

/// Runs a plan to its end in a world, which is the run's own, and returns everything that happened.
///
/// The judge sees each event as it is logged and decides when the script may go on. `trace` has the
/// endpoints that are played; nil stands for none.
package func runScenario(
  _ plan: SharedPlan, inputs: RunInputs, judge: any Judge, in world: RunWorld = .simulated(),
  observer: (any RunObserver)? = nil, playing trace: Replay? = nil,
  subjects: (any StageSubjects)? = nil
) -> EventLog {
  ScenarioRun(
    plan, inputs: inputs, judge: judge, world: world, observer: observer, replaying: trace,
    subjects: subjects
  ).run()
}

/// A run of a scenario: its parts, each with one job, and the live objects that they drive.
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
  /// The taps on connections; nil if nobody records the run.
  let taps: TrafficTaps?
  /// Nil until something needs data from beyond the graph.
  private(set) var suppliersMade: Suppliers?
  /// Nil if nothing on the stage follows anything.
  private(set) var streams: LiveStreams?
  /// Nil where no programs run.
  private(set) var programs: LivePrograms?
  private(set) lazy var scripts = ScriptEnvironment(self)
  let progress: ScriptProgress
  /// The origin of all random numbers, by the name of their use.
  let chance: SeededRandom
  /// The Swift objects that play parts of the stage; nil if there are none.
  let subjects: (any StageSubjects)?
  /// The player of a trace; nil if nothing is replayed.
  private(set) var director: ReplayDirector?
  /// True once the steps have come to their end without a failure.
  private(set) var haveStepsHeld = false
  /// The pending waits when the steps stopped at a failure.
  var standstill: Standstill?

  init(
    _ shared: SharedPlan, inputs: RunInputs, judge: any Judge, world: RunWorld = .simulated(),
    observer: (any RunObserver)? = nil, replaying replay: Replay? = nil,
    subjects: (any StageSubjects)? = nil
  ) {
    self.subjects = subjects
    self.shared = shared
    self.inputs = inputs
    self.judge = judge
    budget = RunBudget(
      isEndless: inputs.isEndless || inputs.playsRecording,
      logLimit: inputs.logLimit ?? Limits.bytesInLog)
    recorder = EventRecorder(
      inputs.emptyLog, shownTo: judge, at: world.scheduler, within: budget,
      watchesInvariants: shared.hasFollowers,
      isUnasked: inputs.serving == nil || world.servesOthers ? shared.plan.isUnasked : [])
    supervisor = ScriptSupervisor(
      recorder, budget, judge, isEndless: inputs.isEndless,
      isInterrupted: inputs.isInterrupted, isOutOfTime: inputs.isOutOfTime)
    loop = RunLoop(
      in: world, recorder, supervisor, budget, isServing: inputs.serving != nil,
      isWokenByInterruption: inputs.isWokenByInterruption)
    progress = ScriptProgress(shared)
    chance = SeededRandom(seed: UInt64(bitPattern: Int64(inputs.seed)))
    stage = Stage(shared, row: inputs.row, judge, in: world, chance)
    emitter = SourceEmitter(shared, recorder, supervisor, stage)
    causes = ConnectionCauses(recorder, isServing: inputs.serving != nil)
    taps = observer.map { [loop, recorder, causes, endpoints] in
      TrafficTaps(
        $0, shared, loop, recorder, causes, endpoints, notesNumbers: replay != nil,
        isServing: inputs.serving != nil)
    }
    self.world = world
    connectParts(replay)
    preparePrograms()
  }

  /// The suppliers of the stage with data from beyond its graph.
  var suppliers: Suppliers { suppliersMade ?? makeSuppliers() }

  private func makeSuppliers() -> Suppliers {
    let suppliers = Suppliers(for: self)
    suppliersMade = suppliers
    if !plan.databases.isEmpty {
      loop.lookForChanges = { [unowned suppliers] in suppliers.databases.lookForChanges() }
    }
    return suppliers
  }

  /// Prepares the programs, whose addresses expressions may read from the beginning.
  private func preparePrograms() {
    if !plan.endpoints.isEmpty { stage.address = { [unowned self] in address(of: $0, $1) } }
    guard !plan.programs.isEmpty, let origin = originOfPrograms else { return }
    let programs = LivePrograms(
      shared, origin, taps, loop, recorder, supervisor, stage, emitter, judge)
    self.programs = programs
    loop.mayProgramsAct = { [unowned programs] in programs.mayAct }
    stage.port = { [unowned programs] in programs.port(of: $0) }
  }

  private var originOfPrograms: ProgramOrigin? {
    if let director, let recorded = director.trace.programs { return .trace(director, recorded) }
    return world.programs.map { .launcher($0) }
  }

  /// Connects the parts that exist before those which they call.
  private func connectParts(_ replay: Replay?) {
    stage.onComputedSecrets = { [recorder] in
      recorder.record(.run(.secretsComputed($0, name: $1)))
    }
    emitter.onSettled = taps.map { taps in { taps.changeSettled() } }
    if world.wall != nil { stage.onNow = taps.map { taps in { taps.observe(now: $0) } } }
    if !plan.invariants.isEmpty {
      recorder.onBrokenInvariant = { [unowned supervisor] in supervisor.stopAtInvariant() }
    }
    recorder.onLimit = { [unowned self] in supervisor.reach($0, lastSources: lastSources) }
    if let replay { prepare(replay) }
    if shared.hasFollowers {
      streams = LiveStreams(
        StreamEnvironment(
          shared, loop, recorder, supervisor, stage, emitter, suppliers.providers))
      suppliers.providers.streams = streams
    }
    streams?.subjects = subjects
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
    if !inputs.disturbances.isEmpty { planOutages() }
    if loop.isInRealTime { recorder.record(.run(.inRealTime)) }
    if streams != nil || !plan.follows.isEmpty || !plan.starts.isEmpty {
      emitter.follow(by: streams) { [unowned self] in sendFollowing($0, $1) }
    }
    emitter.buildStage {
      let secrets = stage.evaluateVariables(supervisor)
      if !secrets.isEmpty { recorder.record(.run(.secretsKnown(secrets))) }
      if !plan.databases.isEmpty { suppliers.databases.open() }
      stage.build(emitter, supervisor, playedBy: subjects)
      if !plan.endpoints.isEmpty { startServers() }
    }
    startPrograms()
    emitter.buildStage {
      streams?.start()
      if !plan.lists.isEmpty { suppliers.lists.start(loading: !isServing) }
      if !plan.connections.isEmpty { suppliers.clients.start() }
    }
    subjects?.begin(on: SubjectEnvironment(self))
    if !isServing { emitter.sendActionsAtStart() }
    loop.settle()
    emitter.sampleInvariants()
  }

  /// Sends an action that no step sends. An object that plays a whole component decides by itself
  /// what its actions follow.
  private func sendFollowing(_ action: ActionID, _ payload: Value) {
    if let subjects, subjects.governs(plan.actions[action].reactor) { return }
    scripts.actions.send(action, payload)
  }

  /// Clients may connect as soon as the stage is built.
  private func startServers() {
    if let reach = world.reach, world.realEndpoints == nil {
      return endpoints.fill(.remotes(makeRemotes(reach)))
    }
    let environment = MockEnvironment(
      loop, recorder, supervisor, stage, emitter, causes, suppliers, judge, ScriptMaker(scripts),
      inputs, taps, director?.visitors, subjects, reachBehind: world.reachBehind)
    if let reach = world.reach { return startMocks(environment, besides: reach) }
    if let director, !isServing || director.playsSome { return play(director, mocks: environment) }
    endpoints.fill(
      .mocks(PerID(plan.endpoints.withIDs.map { MockServer(environment, $0, $1) })))
  }

  /// Starts the mocks beside real endpoints, which programs of the scenario may be.
  private func startMocks(
    _ environment: MockEnvironment,
    besides reach: @escaping (String, String) -> Result<RemotePlace, UnusableURL>
  ) {
    let isServer = { [world] (endpoint: EndpointPlan) in
      world.realEndpoints?.contains(endpoint.name) == true
    }
    let all = PerID<EndpointPlan, MockOrServer>(
      plan.endpoints.withIDs.map { id, endpoint in
        if isServer(endpoint) { return .server }
        if let director, director.plays(id) { return .trace(ReplayServer(self, director, id)) }
        return .mock(MockServer(environment, id, endpoint))
      })
    endpoints.fill(.beside(all, makeRemotes(reach, among: isServer)))
  }

  private func makeRemotes(
    _ reach: @escaping (String, String) -> Result<RemotePlace, UnusableURL>,
    among isRemote: (EndpointPlan) -> Bool = { _ in true }
  ) -> RemoteEndpoints {
    let checker = DriftChecker(
      plan, loop, recorder, supervisor, stage, suppliers.messages, judge, ScriptMaker(scripts),
      endpoints)
    return RemoteEndpoints(
      shared, loop, recorder, supervisor, emitter, causes, world.ignoresDrift ? nil : checker,
      url: { [supervisor, stage] in supervisor.value(of: $0, in: ValueReader(stage)) ?? .null },
      reach: reach, among: isRemote)
  }

  func runSteps() {
    runScript(plan.steps)
    noteFailuresOfSubjects()
    programs?.reportUnexpectedExits()
    noteStandstill()
    haveStepsHeld = !supervisor.isStopped
    if haveStepsHeld {
      recorder.record(.run(.stepsEnded))
    } else if !supervisor.isInterrupted {
      endpoints.remotes?.driftChecker?.noteWhatDidNotCome()
    }
  }

  private func noteFailuresOfSubjects() {
    guard let subjects, !supervisor.isInterrupted else { return }
    for failure in subjects.failures(hasFailed: supervisor.isStopped) {
      supervisor.stop()
      recorder.record(.run(.failed(.subject(failure))))
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
    let script = ScriptRun(scripts, frame: frame, role: .steps(branch: .main))
    script.onEnd = { [unowned supervisor] outcome in
      if case .failed(let failure) = outcome { supervisor.fail(failure.problem) }
    }
    loop.run(script)
  }

  /// Logs how the run stands at its end, frees everything, and returns the log.
  func end() -> EventLog {
    if haveStepsHeld, !supervisor.isStopped { programs?.awaitLastEnds() }
    let ours = suppliersMade?.pendingOperations ?? []
    endPrograms()
    loop.noteLag()
    note(ours)
    if inputs.notesActions {
      recorder.record(
        .run(
          .actionsAtEnd(
            ended: scripts.actions.endedActions.sorted(),
            running: scripts.actions.runningActions.sorted())))
    }
    return close()
  }

  func close() -> EventLog {
    recorder.record(
      .run(.ended(unused: unusedParts, standstill: standstill, parts: stageParts)))
    invalidate()
    return recorder.log
  }

  /// Adds the operations to the log that are still pending: connections that stay, requests without
  /// an answer, and requests that wait for their next attempt.
  private func note(_ ours: [PendingOperation]) {
    let ends = ours + (isServing ? endpoints.mocks.flatMap(\.pendingOperations) : [])
    if !ends.isEmpty { recorder.record(.run(.pendingAtEnd(ends))) }
  }

  /// Breaks the circles between jobs, scripts and the run, so that all is freed.
  func invalidate() {
    recorder.close()
    subjects?.end()
    taps?.close()
    programs?.invalidate()
    suppliersMade?.lists.invalidate()
    suppliersMade?.clients.invalidate()
    streams?.invalidate()
    suppliersMade?.endAnswers()
    world.scheduler.discardAll()
    world.network.discardAll()
    world.wall?.end()
    stage.invalidate()
    endpoints.invalidate()
    suppliersMade?.connections.invalidate()
    scripts.invalidate()
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
