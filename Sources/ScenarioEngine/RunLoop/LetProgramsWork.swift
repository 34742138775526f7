import Events
import TextSearch
import World

/// Runs beside programs in virtual time.
extension RunLoop {
  /// Lets the programs work until something comes, or until the time of what is next: when all of
  /// them are at rest, the clock jumps. If nothing is due and they wait for ever, so does all.
  func letProgramsWork(_ script: ScriptRun, _ wall: any WallClock) {
    let next = scheduler.nextDue
    let isAwaiting = !supervisor.awaiting.isEmpty
    if isAwaiting, judgeDecides(next ?? Scheduler.endOfTime) { return }
    let limit = isAwaiting ? supervisor.earliestDeadline : nil
    let first = [next, limit].compactMap(\.self).min()
    guard case .stuck(let waits) = poll(until: first, isLimit: next == nil, wall) else { return }
    waitsOfPrograms = waits
    if isAwaiting {
      recorder.record(.run(.idle(next: nil)))
      if askJudge() || supervisor.isStopped { return }
    }
    guard let limit else { return stopEndlessWait(script) }
    poll(until: limit, wall)
  }

  /// Returns whether something more has come at this instant, when all programs are at rest.
  func hasMore(by wall: any WallClock) -> Bool {
    if hasSleepingPrograms { return false }
    while !supervisor.isStopped {
      switch poll(until: now, wall) {
      case .woke, .asked: if let next = scheduler.nextDue, next <= now { return true }
      case .busy: continue
      case .due, .stuck: return false
      }
    }
    return true
  }

  /// Lets the programs work at this instant until all of them are at rest.
  func letProgramsRest() {
    if let wall, wall.isVirtual { _ = hasMore(by: wall) }
  }
}
