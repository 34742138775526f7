import Events
import ScenarioPlan
import Values

extension ScenarioRun {
  /// Notes what is still waited for, if the steps stopped at a failure.
  func noteStandstill() {
    guard parts.supervisor.isStopped, !parts.supervisor.isInterrupted else { return }
    let next = parts.loop.isInRealTime ? nil : parts.loop.scheduler.nextDue
    standstill = Standstill(
      mocks: parts.endpoints.mocks.flatMap(\.waitingScripts), nextDue: next,
      programs: parts.loop.waitsOfPrograms)
  }
}

extension MockServer {
  fileprivate var waitingScripts: [Standstill.WaitingMock] {
    openConversations.compactMap { conversation in
      guard let step = conversation.stepUnderWay, let awaitsMessage = step.kind.endlessWait else {
        return nil
      }
      return Standstill.WaitingMock(
        endpoint, connection: conversation.number, awaitsMessage: awaitsMessage,
        at: step.verbRange)
    }
  }
}

extension StepPlanKind {
  /// True for a step that only a message ends, false for one that nothing ends; nil for others.
  fileprivate var endlessWait: Bool? {
    switch self {
    case .mock(.receive): true
    case .structure(.wait(nil)): false
    case .acting, .structure, .assertion, .mock, .action: nil
    }
  }
}
