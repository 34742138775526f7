import ScenarioPlan
import Values
import World

/// A command of the program that has started a served scenario, given while it is served.
package enum ServingCommand: Sendable {
  /// Makes a mock act, as a `serve` step does.
  case serve(ServePlan, to: AudiencePlan)
  /// Lets something go wrong on the connections of the clients.
  case disturb([Disturbance])
  /// No client does anything any more: the steps end, at the latest after this time.
  case stop(within: Microseconds)
}

/// A command, and what receives its answer.
package struct ServingRequest: Sendable {
  package var command: ServingCommand
  /// Receives the reason if the command was not carried out, otherwise nil.
  package var answer: @Sendable (String?) -> Void

  package init(_ command: ServingCommand, answer: @escaping @Sendable (String?) -> Void) {
    self.command = command
    self.answer = answer
  }
}

extension ScenarioRun {
  /// Carries out commands, each as a job of its own.
  func obey(_ requests: [ServingRequest]) {
    for request in requests {
      parts.loop.after(0, phase: .source) { [unowned self] in
        request.answer(obey(request.command))
      }
    }
  }

  /// Returns the reason if a command cannot be carried out.
  private func obey(_ command: ServingCommand) -> String? {
    switch command {
    case .serve(let plan, let audience):
      do throws(ServeFailure) {
        try parts.serve(plan, to: audience, in: ValueReader(parts.stage))
      } catch {
        return error.message
      }
    case .disturb(let disturbances):
      for disturbance in disturbances {
        parts.suppliers.conditions.disturb(by: disturbance)
        parts.planOutage(disturbance)
      }
    case .stop(let time): stop(within: time)
    }
    return nil
  }

  /// Ends serving; the steps, after this time.
  private func stop(within time: Microseconds) {
    if parts.isEndless { return parts.supervisor.interrupt() }
    if haveStepsHeld { return parts.supervisor.rest() }
    end(after: time + parts.loop.slack, tries: triesOfJudge)
  }

  /// Ends the steps once the judge has seen what did not come, which is late on a busy machine.
  private func end(after time: Microseconds, tries: Int) {
    parts.loop.after(time, phase: .assertion) { [unowned self] in
      if haveStepsHeld { return parts.supervisor.rest() }
      let rest = parts.supervisor.earliestDeadline.map { max(0, $0 - parts.loop.now) }
      guard let rest, rest <= lateness, tries > 0 else { return parts.supervisor.interrupt() }
      end(after: rest + pauseOfJudge, tries: tries - 1)
    }
  }
}

/// How often the steps are left to the judge, how long each time, and how late it may be.
private let triesOfJudge = 10
private let pauseOfJudge: Microseconds = 10_000
private let lateness: Microseconds = 1_000_000
