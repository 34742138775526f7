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
  guard whenReady() else { return run.close() }
  if run.isEndless { run.serve() } else { run.runSteps() }
  run.runFinally()
  run.drainConnections()
  return run.end()
}

/// A `receive` that a script came to.
struct AwaitedMessage {
  var step: StepReference
  var wasMet = false
}

/// How long what was begun is seen to its end when serving is over.
private let shutdownGracePeriod: Microseconds = 2_000_000

extension ScenarioRun {
  /// Whether clients may come that are not ours.
  var isServing: Bool { inputs.serving != nil }
  var isEndless: Bool { inputs.serving == .untilInterrupted }

  /// Serves until it is interrupted or never comes to rest.
  fileprivate func serve() {
    loop.serve()
    judgeAwaitedMessages()
  }

  /// A message that was waited for, on whatever connection, and that no client ever sent. Waiting
  /// in a loop is how scripts hold a connection open, and no demand.
  private func judgeAwaitedMessages() {
    let unmet = supervisor.awaitedMessages.values.filter { !$0.wasMet && $0.step.turns.isEmpty }
    for awaited in unmet.sorted(by: { $0.step.range.start < $1.step.range.start }) {
      recorder.record(
        .run(.failed(.stepFailed(awaited.step, message: "no client sent a message for it"))))
    }
  }

  /// What was asked before the end is still answered, and all that was said is sent.
  fileprivate func drainConnections() {
    guard world.wall != nil else { return }
    supervisor.rest()
    for server in endpoints.mocks { server.close() }
    loop.run(while: { owesClients }, atMost: shutdownGracePeriod)
  }

  private var owesClients: Bool {
    world.network.hasUnsentBytes || endpoints.mocks.contains(where: \.owesAnswers)
  }
}
