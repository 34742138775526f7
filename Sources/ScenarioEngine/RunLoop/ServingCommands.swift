import Events
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
      loop.after(0, phase: .source) { [unowned self] in request.answer(obey(request.command)) }
    }
  }

  /// Returns the reason if a command cannot be carried out.
  private func obey(_ command: ServingCommand) -> String? {
    switch command {
    case .serve(let plan, let audience):
      do throws(ServeRefusal) {
        try scripts.serve(plan, to: audience, in: ValueReader(stage))
      } catch {
        return error.message
      }
    case .disturb(let disturbances):
      for disturbance in disturbances {
        suppliers.conditions.disturb(by: disturbance)
        planOutage(disturbance)
      }
    case .stop(let time): stop(within: time)
    }
    return nil
  }

  /// Ends serving. Steps that wait get a little more than the time, so that the judge comes first.
  private func stop(within time: Microseconds) {
    if isEndless { return supervisor.interrupt() }
    if haveStepsHeld { return supervisor.rest() }
    loop.after(time + loop.slack + endOfJudging, phase: .assertion) { [unowned self] in
      if haveStepsHeld { supervisor.rest() } else { supervisor.interrupt() }
    }
  }
}

/// The time in which the judge sees that something did not come.
private let endOfJudging: Microseconds = 50_000
