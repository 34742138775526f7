import Events
import ScenarioPlan
import Values
import World

/// The parts of one run, each with one job. They travel together, so that each finds the others by
/// name.
///
/// Everything happens on one thread, one job of the scheduler after the other. What is made from
/// the parts holds them, and they hold it: `release` opens all these circles at the end of the run.
final class RunParts {
  let shared: SharedPlan
  let role: RunRole
  /// The length of serving; nil if only the scenario's own clients may connect.
  let serving: Serving?
  let inputs: RunInputs
  let judge: any Judge
  let world: RunWorld
  /// The origin of all random numbers, by the name of their use.
  let chance: SeededRandom
  /// The Swift objects that play parts of the stage; nil if there are none.
  let subjects: (any StageSubjects)?
  /// The limits of the run, and how much of them is used.
  let budget: RunBudget
  /// The recorder of events and their causes.
  let recorder: EventRecorder
  /// The state of the scripts, and the decision which of them run.
  let supervisor: ScriptSupervisor
  /// The queue of jobs, and the clock.
  let loop: RunLoop
  let stage: LiveStage
  let emitter: SourceEmitter
  let causes: ConnectionCauses
  let progress: ScriptProgress
  /// The parties that play the endpoints.
  let endpoints = EndpointDirectory()
  /// The player of a trace; nil if nothing is replayed.
  private(set) var director: ReplayDirector?
  /// The taps on connections; nil if nobody records the run.
  private(set) var taps: TrafficTaps?
  /// Nil if nothing on the stage follows anything.
  private(set) var streams: LiveStreams?
  /// Nil where no programs run.
  private(set) var programs: LivePrograms?
  /// Nil until something needs data from beyond the graph.
  private(set) var suppliersMade: Suppliers?
  /// Nil until an action is sent.
  private var actionsMade: RunningActions?

  init(
    _ shared: SharedPlan, role: RunRole = .test, inputs: RunInputs, judge: any Judge,
    world: RunWorld = .simulated(), observer: (any RunObserver)? = nil,
    subjects: (any StageSubjects)? = nil
  ) {
    self.shared = shared
    self.role = role
    let serving = role.serving(in: world)
    self.serving = serving
    let isEndless = serving == .untilInterrupted
    self.inputs = inputs
    self.judge = judge
    self.world = world
    self.subjects = subjects
    chance = SeededRandom(seed: UInt64(bitPattern: Int64(inputs.seed)))
    budget = RunBudget(
      isEndless: isEndless || role.isJudged,
      logLimit: inputs.options.logLimit ?? Limits.bytesInLog)
    recorder = EventRecorder(
      role.emptyLog(in: world), shownTo: judge, at: world.scheduler, within: budget,
      watchesInvariants: shared.hasFollowers,
      isUnasked: serving == nil || !role.hasClientsOutside ? shared.plan.isUnasked : [])
    supervisor = ScriptSupervisor(
      recorder, budget, judge, isEndless: isEndless,
      isInterrupted: inputs.isInterrupted, isOutOfTime: inputs.isOutOfTime)
    loop = RunLoop(
      in: world, recorder, supervisor, budget, isServing: serving != nil,
      isWokenByInterruption: inputs.isWokenByInterruption)
    stage = LiveStage(shared, row: inputs.row, judge, in: world, chance)
    emitter = SourceEmitter(shared, recorder, supervisor, stage)
    causes = ConnectionCauses(recorder, isServing: serving != nil)
    progress = ScriptProgress(shared)
    director = role.replay.map { ReplayDirector($0, shared.plan, loop) }
    if let observer { taps = TrafficTaps(observer, self) }
    connect()
    if let replay = role.replay { play(replay) }
    if shared.hasFollowers { streams = LiveStreams(self) }
    preparePrograms()
  }

  var plan: ScenarioPlan { shared.plan }
  /// True if clients that are not the scenario's own may connect.
  var isServing: Bool { serving != nil }
  /// True if nothing but an interruption or a limit ends the run.
  var isEndless: Bool { serving == .untilInterrupted }

  /// The suppliers of the stage with data from beyond its graph.
  var suppliers: Suppliers {
    if let suppliersMade { return suppliersMade }
    let suppliers = Suppliers(self)
    suppliersMade = suppliers
    return suppliers
  }

  /// The actions that run.
  var actions: RunningActions {
    if let actionsMade { return actionsMade }
    let actions = RunningActions(self)
    actionsMade = actions
    return actions
  }

  /// Connects the parts that exist before those which they call.
  private func connect() {
    stage.onComputedSecrets = { [recorder] in
      recorder.record(.run(.secretsComputed($0, name: $1)))
    }
    if taps != nil {
      emitter.onSettled = { [unowned self] in taps?.changeSettled() }
      if world.wall?.isVirtual == false {
        stage.onNow = { [unowned self] in taps?.observe(now: $0) }
      }
    }
    if !plan.invariants.isEmpty {
      recorder.onBrokenInvariant = { [unowned supervisor] in supervisor.stopAtInvariant() }
    }
    recorder.onLimit = { [unowned self] in supervisor.reach($0, lastSources: lastSources) }
    if !plan.databases.isEmpty {
      loop.lookForChanges = { [unowned self] in
        suppliersMade?.databases.lookForChanges() ?? false
      }
    }
    // Expressions may read addresses and ports from the beginning.
    if !plan.endpoints.isEmpty { stage.address = { [unowned self] in address(of: $0, $1) } }
  }

  private func preparePrograms() {
    guard !plan.programs.isEmpty, let origin = originOfPrograms else { return }
    programs = LivePrograms(self, origin)
    loop.mayProgramsAct = { [unowned self] in programs?.mayAct == true }
    stage.port = { [unowned self] in programs?.port(of: $0) ?? .null }
    stage.temp = { [unowned self] in programs?.temp(of: $0) ?? .null }
  }

  private var originOfPrograms: ProgramOrigin? {
    if let director, let recorded = director.trace.programs { return .trace(director, recorded) }
    return world.programs.map { .launcher($0) }
  }

  private func play(_ replay: Replay) {
    loop.director = director
    taps?.onSent = { [unowned self] in director?.count(at: $0) }
    guard !replay.trace.isVirtual else { return }
    stage.recordedNow = { replay.guide.takeCalendarTime() }
    if taps != nil { stage.onNow = { [unowned self] in taps?.observe(now: $0) } }
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

  /// Ends everything, and lets go of what holds the parts, so that all is freed.
  func release() {
    recorder.close()
    subjects?.end()
    taps = nil
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
    actionsMade?.invalidate()
    supervisor.invalidate()
    emitter.invalidate()
    loop.invalidate()
    director?.invalidate()
    (programs, streams, suppliersMade, actionsMade, director) = (nil, nil, nil, nil, nil)
    // Who was let go of may have left something to be done.
    world.scheduler.discardAll()
  }
}
