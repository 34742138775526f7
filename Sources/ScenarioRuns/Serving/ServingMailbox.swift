import ScenarioEngine
import Synchronization
import Values

/// The commands of other threads to a scenario that is served.
package final class ServingMailbox: Sendable {
  private let requests = Mutex<[ServingRequest]>([])
  private let bell: ServingBell

  /// Makes a mailbox that rings a bell for each letter.
  package init(ringing bell: ServingBell) { self.bell = bell }

  /// Asks for something from any thread.
  package func put(_ request: ServingRequest) {
    requests.withLock { $0.append(request) }
    bell.ring()
  }

  /// Returns what the run is to carry out. The judge learns what it changes.
  func take(by judge: WatchedJudge, at now: Microseconds) -> [ServingRequest] {
    requests.withLock { requests in
      defer { requests = [] }
      return requests
    }.filter { request in
      switch request.command {
      case .serve: return true
      case .disturb(let disturbances):
        guard let refusal = judge.expect(disturbances, at: now) else { return true }
        request.answer(refusal)
        return false
      case .stop(let time):
        judge.awaitNothing(after: now + time)
        return true
      }
    }
  }
}
