import Diagnostics
import Events
import ScenarioPlan
import Values
import World

/// Runs a plan to its end in a world, which is the run's own, and returns everything that happened.
///
/// The judge sees each event as it is logged and decides when the script may go on.
package func runScenario(
  _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, in world: RunWorld = .simulated()
) -> EventLog {
  let run = ScenarioRun(plan, inputs: inputs, judge: judge, world: world)
  run.buildStage()
  run.runSteps()
  run.runFinally()
  run.noteLag()
  run.notePendingOperations()
  run.note(.run(.ended))
  run.invalidate()
  return run.log
}

/// One run of a scenario: the live stage, the scripts under way, the queue, and the log.
///
/// Everything happens on one thread, one job of the scheduler after the other.
final class ScenarioRun {
  enum Phase { case steps, finally }

  let plan: ScenarioPlan
  let inputs: RunInputs
  let judge: any Judge
  let world: RunWorld
  let scheduler: Scheduler
  let network: any Network
  let connections: Connections
  private(set) var servers: [MockServer] = []
  /// In place of mocks, where endpoints are real.
  private(set) var remotes: RemoteEndpoints?
  /// In wall time: what goes on only when nothing is left to do now, and nothing is under way.
  var held: [() -> Void] = []
  var drainedAt: Microseconds?
  var judgeDecidesAt: Microseconds = 0
  /// Calls whose scripts are under way, the answered ones among them.
  var calls: [MockCall] = []
  /// Where endpoints are served: each `receive` that a script came to, and whether it was met.
  var awaitedMessages: [AssertionID: AwaitedMessage] = [:]
  var jobsSinceLook = 0
  var eventsAtLook = 0
  private(set) var log: EventLog
  /// The event that led to what is being done now.
  var cause: Int?
  let stage: Stage
  private(set) lazy var streams = LiveStreams(self)
  var changes = Changes()
  /// While the stage is set, changes are values at the start and no events.
  private(set) var isBuildingStage = false
  /// Whether the scenario has streams, nodes that follow sources, or invariants at all.
  let hasFollowers: Bool
  /// By invariant: what it read when it was looked at last.
  var invariantSamples: [[Value]?]
  /// By source: whether it came to its end.
  var isFinished: [Bool]
  private(set) lazy var conditions = NetworkConditions(self)
  private(set) lazy var client = ScenarioClient(self)
  private(set) lazy var databases = LiveDatabases(self)
  private(set) lazy var lists = LiveLists(self)
  private(set) lazy var clients = LiveClients(self)
  /// Where all that is left to chance is drawn from, by the name of its use.
  private(set) lazy var chance = SeededRandom(seed: UInt64(bitPattern: Int64(inputs.seed)))
  /// By provider, once it has drawn: what its retries draw from.
  var retryChances: [ProviderID: SeededRandom] = [:]
  /// The script of the steps, or of `finally`, as long as it is run.
  private weak var script: ScriptRun?
  /// Scripts that wait for the judge.
  private(set) var awaiting: [ScriptRun] = []
  /// Set once the scenario cannot go on; nothing of its steps is done any more.
  private(set) var isStopped = false
  var branchCount = 1
  /// Steps under `fails`, innermost last: what fails now fails them.
  var expectedFailures: [ExpectedFailure] = []
  var actions: ActionRuns
  /// Which of the scenario's scripts are run: the steps, or `finally`; those of the other one rest.
  private(set) var phase = Phase.steps
  private var statusesAreStale = false
  /// How many events this instant has seen since the last step.
  private var instant = Instant()
  /// Roughly what the values in the log take.
  private var bytesInLog = 0
  /// A limit was reached: what is on its way comes to nothing, so that the end is soon.
  private(set) var isExhausted = false
  private(set) var isInterrupted = false
  private var hasEnded = false
  private var workSinceLook = 0
  private var jobsLeft = Limits.jobsPerRun
  private var stepsLeft = Limits.stepsPerRun

  init(
    _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, world: RunWorld = .simulated()
  ) {
    self.world = world
    self.plan = plan
    self.inputs = inputs
    log = inputs.emptyLog
    self.judge = judge
    scheduler = world.scheduler
    network = world.network
    connections = Connections(plan)
    stage = Stage(plan)
    hasFollowers = plan.hasFollowers
    invariantSamples = [[Value]?](repeating: nil, count: plan.invariants.count)
    isFinished = [Bool](repeating: false, count: plan.sources.count)
    actions = ActionRuns(plan)
  }

  func buildStage() {
    if world.wall != nil { note(.run(.inRealTime)) }
    isBuildingStage = true
    databases.open()
    stage.set(for: self)
    startServers()
    if hasFollowers { streams.start() }
    lists.start(loading: !isServing)
    clients.start()
    isBuildingStage = false
    settle()
    sampleInvariants()
  }

  /// Clients may connect as soon as the stage is set.
  private func startServers() {
    if let reach = world.reach {
      remotes = RemoteEndpoints(self, reach: reach)
    } else {
      servers = plan.endpoints.indices.map { MockServer(self, $0) }
    }
  }

  func runSteps() {
    runScript(plan.steps)
    if !isStopped {
      note(.run(.stepsEnded))
    } else if !isInterrupted {
      remotes?.driftChecker?.noteWhatDidNotCome()
    }
  }

  /// Runs whatever happened before, and is judged by what it sees itself.
  func runFinally() {
    guard let finally = plan.finally, !isInterrupted else { return }
    isStopped = false
    isExhausted = false
    phase = .finally
    awaiting = []
    expectedFailures = []
    note(.run(.finallyBegan))
    runScript(finally)
  }

  private func runScript(_ frame: FramePlan) {
    let script = ScriptRun(self, frame: frame, role: .steps(branch: 0))
    script.onEnd = { [unowned self] outcome in
      if case .failed(let failure) = outcome { fail(failure.problem) }
    }
    self.script = script
    script.resume()
    while !script.hasEnded, !isStopped { takeNextTurn(of: script) }
    if !isStopped { settle() }
  }

  /// Breaks the circles between jobs, scripts and the run, so that all is freed.
  func invalidate() {
    hasEnded = true
    lists.invalidate()
    clients.invalidate()
    streams.invalidate()
    databases.invalidate()
    connections.forgetLines()
    scheduler.discardAll()
    network.discardAll()
    world.wall?.end()
    stage.invalidate()
    for server in servers { server.invalidate() }
    servers = []
    remotes?.invalidate()
    remotes = nil
    connections.invalidate()
    for call in calls { call.invalidate() }
    calls = []
    awaitedMessages = [:]
    for running in actions.running.values { running.script = nil }
    actions.running = [:]
    awaiting = []
    held = []
    // Who was let go of may have left something to be done.
    scheduler.discardAll()
  }

  // MARK: - time

  /// Does what is due now, or lets the clock move, or finds that nothing can happen any more.
  private func takeNextTurn(of script: ScriptRun) {
    if let wall = world.wall { return takeNextTurn(of: script, by: wall) }
    if runNextJob(upTo: scheduler.now) { return }
    if isStopped || databases.lookForChanges() { return }
    if awaiting.isEmpty {
      guard let next = scheduler.nextDue else { return stopEndlessWait(script) }
      runNextJob(upTo: next)
      return
    }
    letClockMove()
  }

  private func letClockMove() {
    let next = scheduler.nextDue
    note(.run(.idle(next: next)))
    if askJudge() { return }
    guard let limit = earliestDeadline() else {
      if let next { runNextJob(upTo: next) }
      return
    }
    if let next, next <= limit {
      runNextJob(upTo: next)
    } else {
      scheduler.advance(to: limit)
    }
  }

  /// True when an open assertion came to its end.
  func askJudge() -> Bool {
    statusesAreStale = false
    var isDecided = false
    for script in awaiting where !isStopped && !judge.isWaiting(in: script.branch) {
      switch judge.status(in: script.branch) {
      case .pending: continue
      case .met:
        awaiting.removeAll { $0 === script }
        after(0, phase: .assertion) { script.resume() }
      case .failed: stop()
      }
      isDecided = true
    }
    return isDecided
  }

  func earliestDeadline() -> Microseconds? {
    var earliest: Microseconds?
    for script in awaiting {
      guard case .pending(let until?) = judge.status(in: script.branch) else { continue }
      earliest = min(earliest ?? until, until)
    }
    return earliest
  }

  /// Runs everything that is due at this instant.
  func settle() {
    repeat { while !isStopped, runNextJob(upTo: scheduler.now) {} } while settlesFurther()
  }

  @discardableResult
  func runNextJob(upTo instant: Microseconds) -> Bool {
    guard scheduler.runNext(upTo: instant) else {
      if scheduler.exceeded != nil, !isStopped { stopAtSchedulerLimit() }
      return false
    }
    jobsLeft -= 1
    if jobsLeft <= 0 { fail(.jobsExhausted) }
    if jobsLeft % Limits.looksForInterruption == 0 { stopIfInterrupted() }
    if statusesAreStale, !awaiting.isEmpty, !isStopped {
      for script in awaiting { script.reevaluate() }
      _ = askJudge()
    }
    return true
  }

  /// A run without an end may do any number of things, as long as it comes to rest in between.
  func resetBudgets() {
    jobsLeft = Limits.jobsPerRun
    stepsLeft = Limits.stepsPerRun
  }

  /// Counts a step, or a turn of a loop without any; false once there have been too many.
  func mayTakeStep() -> Bool {
    stepsLeft -= 1
    if stepsLeft <= 0 { fail(.stepsExhausted) }
    if stepsLeft % Limits.looksForInterruption == 0 { stopIfInterrupted() }
    return stepsLeft > 0 && !isInterrupted
  }

  /// Somebody pressed Ctrl-C: what is under way ends, so that a report can be written.
  func stopIfInterrupted() {
    workSinceLook = 0
    guard !isInterrupted, inputs.isInterrupted() else { return }
    isInterrupted = true
    if isEndless { isStopped = true } else { fail(.interrupted(script?.stepUnderWay)) }
  }

  /// Queues something whose events will name what is happening now as their cause.
  @discardableResult
  func after(
    _ delay: Microseconds, phase: Scheduler.Phase, _ job: @escaping () -> Void
  ) -> Scheduler.TimerID {
    scheduler.schedule(after: delay, phase: phase) { [cause] in
      if phase == .assertion, delay == 0, self.world.wall != nil {
        return self.hold(job, cause: cause)
      }
      self.cause = cause
      job()
    }
  }

  // MARK: - events

  @discardableResult
  func note(_ kind: consuming Event.Kind) -> Int {
    let sequence = log.count
    // What leaves while all is taken down is no part of the run.
    if hasEnded { return sequence }
    let event = Event(sequence: sequence, time: scheduler.now, cause: cause, kind: kind)
    log.append(event)
    judge.observe(event)
    if hasFollowers, !isStopped, judge.hasBrokenInvariant { stop() }
    statusesAreStale = true
    if sequence == Limits.eventsPerRun, !isEndless { fail(.eventsExhausted) }
    watchForCircles(event)
    return sequence
  }

  private func watchForCircles(_ event: Event) {
    if event.time != instant.time { instant = Instant(time: event.time) }
    switch event.kind {
    case .script(.stepBegan): instant = Instant(time: event.time)
    case .source(.emitted(_, let value)), .assertion(.snapshotTaken(_, _, _, let value)):
      weigh(value)
    case .source(.finished(_, let error)): weigh(error ?? .null)
    case .assertion(.exchanged(_, _, let exchange, _)): addToLog(roughSize(exchange))
    case .network(.driftObserved(let observation)): addToLog(roughSize(observation))
    case .run, .source, .script, .assertion, .network: break
    }
  }

  private func weigh(_ value: Value) {
    instant.events += 1
    if instant.events == Limits.eventsAtOneInstant { fail(.eventsWithoutEnd(lastSources())) }
    addToLog(roughSize(value))
  }

  private func addToLog(_ bytes: Int) {
    bytesInLog += bytes
    if bytesInLog > Limits.bytesInLog, !isEndless { fail(.logIsFull) }
  }

  /// Counts values that a stream sets out to play or to ask others for; false once there have been
  /// too many, or nothing is to go on.
  func mayWork(_ count: Int) -> Bool {
    if isStopped || isExhausted { return false }
    if instant.time != scheduler.now { instant = Instant(time: scheduler.now) }
    instant.streamWork += count
    if instant.streamWork > Limits.streamWorkAtOneInstant { fail(.streamsWithoutEnd) }
    jobsLeft -= count * Limits.jobsOfStreamWork
    if jobsLeft <= 0 { fail(.jobsExhausted) }
    workSinceLook += count
    if workSinceLook > Limits.looksForInterruption { stopIfInterrupted() }
    return !isStopped
  }

  /// Waits for the judge; the script is resumed when its assertion is met.
  func waitForJudge(_ script: ScriptRun) { awaiting.append(script) }

  // MARK: - the end

  func fail(_ problem: RunProblem) {
    if case .limit = problem { isExhausted = true }
    guard !isStopped else { return }
    stop()
    note(.run(.failed(problem)))
  }

  /// Who serves until told otherwise serves on whatever fails, except where a limit was reached.
  func stop() { isStopped = isStopped || !isEndless || isExhausted }

  /// What comes from now on is no part of the scenario any more.
  func rest() { isStopped = true }

  func stopEndlessWait(_ script: ScriptRun) {
    fail(.endlessWait(script.lastReference))
  }
}
