import Events
import Values
import World

/// A `receive` that a script came to.
struct AwaitedMessage {
  var step: StepReference
  var wasMet = false
}

/// The time limit for finishing pending calls when serving ends, in microseconds.
private let shutdownGracePeriod: Microseconds = 2_000_000

extension ScenarioRun {
  /// Serves until it is interrupted or does not come to rest.
  func serve() {
    parts.loop.serve()
    judgeAwaitedMessages()
  }

  /// Reports each message that a script waited for and no client sent on any connection. A
  /// `receive` in a loop only holds a connection open, so it is not reported.
  private func judgeAwaitedMessages() {
    let unmet = parts.supervisor.awaitedMessages.values.filter {
      !$0.wasMet && $0.step.turns.isEmpty
    }
    for awaited in unmet.sorted(by: { $0.step.range.start < $1.step.range.start }) {
      parts.recorder.record(
        .run(.failed(.stepFailed(awaited.step, message: "no client sent a message for it"))))
    }
  }

  /// Answers pending requests and sends all queued bytes.
  func drainConnections() {
    guard parts.world.wall != nil || parts.director != nil else { return }
    parts.supervisor.rest()
    for server in parts.endpoints.mocks { server.close() }
    parts.loop.run(while: { owesClients }, atMost: shutdownGracePeriod)
  }

  private var owesClients: Bool {
    parts.world.network.hasUnsentBytes || parts.endpoints.mocks.contains(where: \.owesAnswers)
  }
}
