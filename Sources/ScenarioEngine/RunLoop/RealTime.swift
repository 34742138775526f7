import Events
import ScenarioPlan
import Values
import World

/// Runs that keep to the clock on the wall: time passes by itself, and never jumps.
extension ScenarioRun {
  /// How long a wait lasts before it is looked whether somebody wants the run to end.
  private static let longestWait: Microseconds = 100_000
  /// Bytes that are still under way after this time have been lost count of.
  private static let inFlightTimeout: Microseconds = 1_000_000
  /// Who is later than this cannot judge the time of events.
  private static let noticedLag: Microseconds = 20_000

  /// Does what is due now, or waits for what comes, or finds that nothing can happen any more.
  func takeNextTurn(of script: ScriptRun, by wall: any WallClock) {
    if runNextJob(upTo: scheduler.now) { return pollSockets(wall) }
    if isStopped || databases.lookForChanges() || settlesFurther() { return }
    let next = scheduler.nextDue ?? (mayReceive(wall) ? Scheduler.endOfTime : nil)
    if awaiting.isEmpty {
      guard let next else { return stopEndlessWait(script) }
      return poll(until: next, wall)
    }
    if judgeDecides(next) { return }
    poll(until: [next, earliestDeadline()].compactMap { $0 }.min(), wall)
  }

  /// Shows the judge that nothing is left to do now, unless it knows.
  private func judgeDecides(_ next: Microseconds?) -> Bool {
    if case .run(.idle(next))? = log.events.last?.kind, scheduler.now < judgeDecidesAt {
      return false
    }
    note(.run(.idle(next: next)))
    if askJudge() { return true }
    judgeDecidesAt = earliestDeadline() ?? .max
    return false
  }

  private func mayReceive(_ wall: any WallClock) -> Bool {
    isServing || network.mayBringMore || wall.awaitsThreads
  }

  /// Goes on with what waited for the instant to be over; false when it is over.
  ///
  /// In wall time an instant is over when nothing is due and, on this machine, all that was sent
  /// has been received: what takes no time elsewhere takes none of the scenario's here.
  func settlesFurther() -> Bool {
    guard let wall = world.wall, !isStopped else { return false }
    if network.hasBytesUnderWay, scheduler.now < drainedAt ?? .max {
      drainedAt = drainedAt ?? scheduler.now + ScenarioRun.inFlightTimeout
      poll(until: scheduler.nextDue, wall)
      return true
    }
    drainedAt = nil
    guard !held.isEmpty else { return false }
    let job = held.removeFirst()
    scheduler.schedule(after: 0, phase: .assertion, job)
    return true
  }

  /// In wall time a timer that is due is no sign that the instant is over.
  func whenSettled(_ job: @escaping () -> Void) {
    if world.wall == nil { job() } else { after(0, phase: .assertion, job) }
  }

  func hold(_ job: @escaping () -> Void, cause: Int?) {
    held.append {
      self.cause = cause
      job()
    }
  }

  func poll(until instant: Microseconds?, _ wall: any WallClock) {
    let longest = scheduler.instant(after: ScenarioRun.longestWait)
    wall.poll(until: min(instant ?? longest, longest))
    stopIfInterrupted()
  }

  func noteLag() {
    guard let lag = world.wall?.longestLag, lag > ScenarioRun.noticedLag else { return }
    cause = nil
    note(.run(.lagged(lag)))
  }
}
