import Events
import Values
import World

/// The loop of one run: it does one job after the other, on one thread, and decides when the clock
/// may move.
final class RunLoop {
  let scheduler: Scheduler
  let network: any Network
  /// Without one, the clock jumps to what comes next.
  let wall: (any WallClock)?
  let recorder: EventRecorder
  let supervisor: ScriptSupervisor
  private let budget: RunBudget
  /// True if clients that are not ours may connect.
  let isServing: Bool
  /// True if a wait for an interruption needs no end.
  private let isWokenByInterruption: Bool
  /// Called when nothing is left to do at an instant; queues what nothing else would notice, such
  /// as a database that was written to, and returns whether there was any.
  var lookForChanges: () -> Bool = { false }
  /// Carries out what others ask for while the scenario is served.
  var obeyCommands: () -> Void = {}
  /// Returns whether a program may still write or connect; nil where no programs run.
  var mayProgramsAct: (() -> Bool)?
  /// The recording that is judged; nil where the scenario runs.
  var player: RecordingPlayer?
  var playChange: (ArraySlice<RecordedEvent>) -> Void = { _ in }
  /// The player of a trace whose scenario runs again; nil where nothing is replayed.
  @exclusivity(unchecked) var director: ReplayDirector?
  /// The wait of each thread of the programs, once all of them wait for ever.
  var waitsOfPrograms: [String] = []
  /// On sockets: jobs that run only when nothing else is due now and no bytes are under way.
  private var held: [(since: Microseconds, job: () -> Void)] = []
  /// The longest that the machine was late so far, as the log has it.
  private var notedLag: Microseconds = 0
  private var drainedAt: Microseconds?
  private var judgeDecidesAt: Microseconds = 0
  private var jobsSincePoll = 0
  private var eventsAtPoll = 0

  init(
    in world: RunWorld, _ recorder: EventRecorder, _ supervisor: ScriptSupervisor,
    _ budget: RunBudget, isServing: Bool, isWokenByInterruption: Bool = false
  ) {
    scheduler = world.scheduler
    network = world.network
    wall = world.wall
    self.recorder = recorder
    self.supervisor = supervisor
    self.budget = budget
    self.isServing = isServing
    self.isWokenByInterruption = isWokenByInterruption
  }

  var now: Microseconds { scheduler.now }

  /// The longest delay past its limit at which an event is still in time; 0 in virtual time.
  var slack: Microseconds {
    isInRealTime ? realTimeSlack + min(notedLag, mostExcusedLag) : 0
  }

  /// True if times are those of a machine: now, or in the trace that is replayed.
  var isInRealTime: Bool { wall?.isVirtual == false || director?.trace.isVirtual == false }

  /// True if an instant is over only when all that is under way has come.
  var isOnSockets: Bool {
    guard wall == nil, let trace = director?.trace else { return wall != nil }
    return !trace.isVirtual || trace.programs != nil
  }

  /// Runs a script of the scenario until it has ended or cannot go on.
  func run(_ script: ScriptRun) {
    supervisor.main = script
    defer { supervisor.main = nil }
    script.resume()
    while !script.hasEnded, !supervisor.isStopped { takeNextTurn(of: script) }
    if !supervisor.isStopped { settle() }
  }

  /// Queues something whose events will name what is happening now as their cause.
  @discardableResult
  func after(
    _ delay: Microseconds, phase: Scheduler.Phase, of side: Scheduler.Side = .world,
    _ job: @escaping () -> Void
  ) -> Scheduler.TimerID {
    scheduler.schedule(after: delay, phase: phase, of: side) { [cause = recorder.cause] in
      if phase == .assertion, delay == 0, self.isOnSockets { return self.hold(job, cause) }
      self.recorder.runJob(causedBy: cause, job)
    }
  }

  func cancel(_ timer: Scheduler.TimerID) { scheduler.cancel(timer) }

  /// Runs everything that is due at this instant.
  func settle() {
    repeat {
      while !supervisor.isStopped, runNextJob(upTo: now) {}
    } while settlesFurther()
  }

  /// Forgets the jobs of an instant that would never end, so that others can run.
  func leaveEndlessInstant() {
    held = []
    scheduler.restart()
  }

  /// Frees what waits.
  func invalidate() {
    held = []
    mayProgramsAct = nil
    playChange = { _ in }
    obeyCommands = {}
    director = nil
  }

  // MARK: - turns

  /// Does what is due now, or lets the clock move, or finds that nothing can happen any more.
  private func takeNextTurn(of script: ScriptRun) {
    if let wall, !hasSleepingPrograms { return takeNextTurn(of: script, by: wall) }
    if runNextJob(upTo: now) { return }
    if supervisor.isStopped || lookForChanges() || settlesFurther() { return }
    if let player { return takeNextTurn(of: script, playing: player) }
    if supervisor.awaiting.isEmpty {
      if director?.actAnyway() == true { return }
      guard let next = scheduler.nextDue else { return stopEndlessWait(script) }
      runNextJob(upTo: next)
      return
    }
    letClockMove(script)
  }

  /// True if programs in virtual time stand still, and their clock with them: the world goes on.
  var hasSleepingPrograms: Bool { wall?.isVirtual == true && scheduler.wakesAt != nil }

  private func letClockMove(_ script: ScriptRun) {
    let next = scheduler.nextDue
    // To who serves, something may come at any time.
    let others = mayProgramsAct?() ?? isServing
    recorder.record(.run(.idle(next: next ?? (others ? Scheduler.endOfTime : nil))))
    if askJudge() || director?.actAnyway() == true { return }
    guard let limit = supervisor.earliestDeadline else {
      if let next {
        runNextJob(upTo: next)
      } else if isServing {
        stopEndlessWait(script)
      }
      return
    }
    if let next, next <= limit {
      runNextJob(upTo: next)
    } else {
      scheduler.advance(to: limit)
    }
  }

  func stopEndlessWait(_ script: ScriptRun) {
    supervisor.fail(.endlessWait(script.lastReference))
  }

  func askJudge() -> Bool { supervisor.askJudge { resume($0) } }

  func resume(_ script: ScriptRun) {
    after(0, phase: .assertion) { script.resume() }
  }

  @discardableResult
  func runNextJob(upTo instant: Microseconds) -> Bool {
    if let director, playsOn(director) { return true }
    recorder.expectJob()
    guard scheduler.runNext(upTo: instant) else {
      if scheduler.exceeded != nil, !supervisor.isStopped { stopAtSchedulerLimit() }
      return false
    }
    recorder.caused(by: recorder.causeOfJob) {
      supervisor.countJob()
      supervisor.reevaluate { resume($0) }
    }
    return true
  }

  private func stopAtSchedulerLimit() {
    switch scheduler.exceeded {
    case .jobsAtOneInstant: supervisor.reachSchedulerLimit(.instantNeverEnds)
    case .queuedJobs, nil: supervisor.reachSchedulerLimit(.queueIsFull)
    }
  }
}

// Runs that keep to real time: time passes by itself, and never jumps.
extension RunLoop {
  /// The longest wait before the run looks for an interruption, in microseconds.
  private static let longestWait: Microseconds = 100_000
  /// Bytes that are still under way after this time have been lost count of.
  private static let inFlightTimeout: Microseconds = 1_000_000
  /// A machine that is later than this cannot judge the time of events.
  private static let noticedLag: Microseconds = 20_000

  /// Does what is due now, or waits for what comes, or finds that nothing can happen any more.
  private func takeNextTurn(of script: ScriptRun, by wall: any WallClock) {
    if runNextJob(upTo: now) { return pollSockets(wall) }
    if supervisor.isStopped || lookForChanges() || settlesFurther() { return }
    if wall.isVirtual { return letProgramsWork(script, wall) }
    let next = scheduler.nextDue ?? (mayReceive(wall) ? Scheduler.endOfTime : nil)
    if supervisor.awaiting.isEmpty {
      guard let next else { return stopEndlessWait(script) }
      poll(until: next, wall)
      return
    }
    if judgeDecides(next) { return }
    poll(until: [next, supervisor.earliestDeadline].compactMap { $0 }.min(), wall)
  }

  /// Shows the judge that nothing is left to do now, unless it knows.
  func judgeDecides(_ next: Microseconds?) -> Bool {
    if case .run(.idle(next))? = recorder.log.events.last?.kind, now < judgeDecidesAt {
      return false
    }
    recorder.record(.run(.idle(next: next)))
    if askJudge() { return true }
    judgeDecidesAt = supervisor.earliestDeadline ?? .max
    return false
  }

  private func mayReceive(_ wall: any WallClock) -> Bool {
    (mayProgramsAct?() ?? isServing) || network.mayBringMore || wall.awaitsThreads
  }

  /// Goes on with what waited for the instant to be over; false when it is over.
  ///
  /// In real time an instant is over when nothing is due and, on this machine, all that was sent
  /// has been received: what takes no time elsewhere takes none of the scenario's here.
  private func settlesFurther() -> Bool {
    guard !supervisor.isStopped else { return false }
    guard let wall else { return director != nil && settlesReplay() }
    guard !wall.isVirtual else { return !held.isEmpty && (hasMore(by: wall) || releaseHeld()) }
    if network.hasBytesUnderWay, now < drainedAt ?? .max {
      drainedAt = drainedAt ?? now + RunLoop.inFlightTimeout
      poll(until: scheduler.nextDue, wall)
      return true
    }
    drainedAt = nil
    return releaseHeld()
  }

  /// True if something is on its way that belongs to this instant.
  var hasBytesUnderWay: Bool {
    director?.hasInputsUnderWay ?? network.hasBytesUnderWay
  }

  /// Does the next thing of a trace, if it is its time; ends the run when nothing more is wanted.
  private func playsOn(_ director: ReplayDirector) -> Bool {
    if director.guide.isOver {
      supervisor.rest()
      return false
    }
    return director.actIfReady()
  }

  private func releaseHeld() -> Bool {
    guard !held.isEmpty else { return false }
    let job = held.removeFirst().job
    scheduler.schedule(after: 0, phase: .assertion, job)
    return true
  }

  /// Goes on with what waited for the instant to be over, where a trace in real time is replayed:
  /// what came right after a step there comes before the next step here.
  private func settlesReplay() -> Bool {
    guard let director else { return false }
    if director.hasInputsUnderWay, let next = scheduler.nextDue {
      return runNextJob(upTo: next)
    }
    return releaseHeld()
  }

  /// Does something once the instant is over: in real time a timer that is due is no sign of it.
  func whenSettled(_ job: @escaping () -> Void) {
    if wall == nil { job() } else { after(0, phase: .assertion, job) }
  }

  private func hold(_ job: @escaping () -> Void, _ cause: EventID?) {
    held.append((now, { self.recorder.runJob(causedBy: cause, job) }))
  }

  @discardableResult
  func poll(
    until instant: Microseconds?, isLimit: Bool = false, _ wall: any WallClock
  ) -> PollOutcome {
    defer {
      noteLag()
      obeyCommands()
      supervisor.stopIfInterrupted()
    }
    let isWoken = isWokenByInterruption && supervisor.phase == .steps && !supervisor.isStopped
    if wall.isVirtual || isWoken { return wall.poll(until: instant, isLimit: isLimit) }
    let longest = scheduler.instant(after: RunLoop.longestWait)
    return wall.poll(until: min(instant ?? longest, longest), isLimit: false)
  }

  /// Logs that the machine was later than ever before: times are judged less strictly from here on.
  func noteLag() {
    guard let lag = wall?.longestLag, lag > notedLag + RunLoop.noticedLag else { return }
    notedLag = lag
    recorder.record(.run(.lagged(lag)))
  }
}

// Runs that serve endpoints to clients that are not ours.
extension RunLoop {
  /// The jobs and the events without a pause after which the loop polls the clock and the sockets
  /// again. So a client that never pauses stops neither the clock nor other clients.
  private static let jobsBetweenPolls = 256
  private static let eventsBetweenPolls = 4_096
  /// The longest that a job waits for the end of its instant: a peer that never pauses would keep
  /// it from ending.
  private static let longestInstant: Microseconds = 100_000

  /// Serves until the run is interrupted or reaches a limit.
  func serve() {
    guard let wall else { return serveRecordedClients() }
    while !supervisor.isStopped {
      if runNextJob(upTo: now) {
        pollSockets(wall)
      } else if !supervisor.isStopped, !lookForChanges(), !settlesFurther() {
        budget.reset()
        poll(until: scheduler.nextDue, wall)
      }
    }
  }

  /// Serves recorded clients in virtual time, until nothing is left to do.
  private func serveRecordedClients() {
    while !supervisor.isStopped {
      if runNextJob(upTo: now) { continue }
      if supervisor.isStopped || lookForChanges() || settlesFurther() { continue }
      budget.reset()
      if director?.actAnyway() == true { continue }
      guard let next = scheduler.nextDue else { return }
      runNextJob(upTo: next)
    }
  }

  private func pollSockets(_ wall: any WallClock) {
    guard isServing else { return }
    jobsSincePoll += 1
    let events = recorder.log.count
    guard
      jobsSincePoll >= RunLoop.jobsBetweenPolls
        || events - eventsAtPoll >= RunLoop.eventsBetweenPolls
    else { return }
    jobsSincePoll = 0
    eventsAtPoll = events
    poll(until: now, wall)
    if let first = held.first, now - first.since > RunLoop.longestInstant { _ = releaseHeld() }
  }

  /// Runs what is due while a condition holds and nothing stops the scenario.
  func run(while isWanted: () -> Bool) {
    guard let wall else { return playRecording(while: isWanted) }
    while !supervisor.isStopped, isWanted() {
      if runNextJob(upTo: now) {
        pollSockets(wall)
      } else if !lookForChanges(), !settlesFurther(),
        case .stuck = poll(until: scheduler.nextDue, wall)
      {
        return
      }
    }
  }

  /// Plays what a trace has while a condition holds.
  private func playRecording(while isWanted: () -> Bool) {
    while !supervisor.isStopped, isWanted() {
      if runNextJob(upTo: now) || lookForChanges() || settlesFurther() { continue }
      if director?.actAnyway() == true { continue }
      guard let next = scheduler.nextDue else { return }
      runNextJob(upTo: next)
    }
  }

  /// Runs what is due while a condition holds, for at most so long.
  func run(while isWanted: () -> Bool, atMost time: Microseconds) {
    let end = scheduler.instant(after: time)
    while now < end, isWanted() {
      if scheduler.runNext(upTo: now) { continue }
      if let wall {
        poll(until: min(end, scheduler.nextDue ?? end), wall)
      } else if director?.actAnyway() != true, !scheduler.runNext(upTo: end) {
        return
      }
    }
  }
}
