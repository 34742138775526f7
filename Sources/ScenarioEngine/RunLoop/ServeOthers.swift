import Events
import ScenarioPlan
import Values
import World

/// Serves the endpoints of a plan to clients that are not ours, and returns everything that
/// happened.
///
/// `whenReady` is told once clients may come, and says whether serving makes sense.
package func serveScenario(
  _ plan: ScenarioPlan, inputs: RunInputs, judge: any Judge, in world: RunWorld,
  whenReady: () -> Bool
) -> EventLog {
  let run = ScenarioRun(plan, inputs: inputs, judge: judge, world: world)
  run.buildStage()
  if whenReady() {
    if run.isEndless { run.serve() } else { run.runSteps() }
    run.runFinally()
    run.drainConnections()
    run.noteLag()
    run.notePendingOperations()
  }
  run.note(.run(.ended))
  run.invalidate()
  return run.log
}

/// A `receive` that a script came to.
struct AwaitedMessage {
  var step: StepReference
  var wasMet = false
}

/// How long what was begun is seen to its end when serving is over.
private let shutdownGracePeriod: Microseconds = 2_000_000
/// After so many jobs or events without waiting it is looked whether time has passed and others
/// wait, so that one client that never pauses keeps neither the clock nor the others from moving.
private let jobsBetweenLooks = 256
private let eventsBetweenLooks = 4_096

extension ScenarioRun {
  /// Whether clients may come that are not ours.
  var isServing: Bool { inputs.serving != nil }
  var isEndless: Bool { inputs.serving == .untilInterrupted }

  /// Serves until it is interrupted or never comes to rest.
  func serve() {
    guard let wall = world.wall else { return }
    while !isStopped {
      if runNextJob(upTo: scheduler.now) {
        pollSockets(wall)
      } else if !isStopped, !databases.lookForChanges(), !settlesFurther() {
        resetBudgets()
        poll(until: scheduler.nextDue, wall)
      }
    }
    judgeAwaitedMessages()
  }

  func pollSockets(_ wall: any WallClock) {
    guard isServing else { return }
    jobsSinceLook += 1
    let events = log.count
    guard jobsSinceLook >= jobsBetweenLooks || events - eventsAtLook >= eventsBetweenLooks else {
      return
    }
    jobsSinceLook = 0
    eventsAtLook = events
    poll(until: scheduler.now, wall)
  }

  /// A message that was waited for, on whatever connection, and that no client ever sent. Waiting
  /// in a loop is how scripts hold a connection open, and no demand.
  private func judgeAwaitedMessages() {
    let unmet = awaitedMessages.values.filter { !$0.wasMet && $0.step.turns.isEmpty }
    for awaited in unmet.sorted(by: { $0.step.range.start < $1.step.range.start }) {
      note(.run(.failed(.stepFailed(awaited.step, message: "no client sent a message for it"))))
    }
  }

  /// What was asked before the end is still answered, and all that was said is sent.
  func drainConnections() {
    guard let wall = world.wall else { return }
    rest()
    for server in servers { server.close() }
    let end = scheduler.instant(after: shutdownGracePeriod)
    while scheduler.now < end, owesClients {
      if !scheduler.runNext(upTo: scheduler.now) {
        poll(until: min(end, scheduler.nextDue ?? end), wall)
      }
    }
  }

  private var owesClients: Bool {
    network.hasUnsentBytes || servers.contains(where: \.owesAnswers)
  }

  /// Adds what an endpoint did to the log, for those who watch.
  func tell(_ activity: ServerActivity, of server: MockServer, _ connection: Int) {
    guard isServing else { return }
    note(.network(.served(server.plan.source, connection: connection, activity)))
  }
}
