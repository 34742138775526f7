import Diagnostics
import Events
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Synchronization
import Verdicts
import World

@testable import LiveWorld

/// A server like a real endpoint that runs a scenario's mock: on sockets, with a thread and a clock
/// of its own.
final class RehearsedServer: @unchecked Sendable {
  private let plan: ScenarioPlan
  private let world: RunWorld
  private let network: SocketNetwork
  // The world belongs to the thread once it was started, and these to both.
  private let listensAt = Atomic(0)
  private let isOver = Atomic(false)

  /// Serves the endpoint `api` of a scenario whose steps wait long enough.
  init?(_ text: String) {
    let file = loadScenarios(SourceFile(path: "real.yaml", text: text))
    guard file.diagnostics.isEmpty, let plan = file.plans.first, let loop = EventLoop(Scheduler())
    else { return nil }
    self.plan = plan
    network = SocketNetwork(on: loop)
    world = RunWorld(scheduler: loop.scheduler, network: network, wall: loop)
    guard startDetachedThread({ self.serve() }) else { return nil }
    while listensAt.load(ordering: .acquiring) == 0 { usleep(1_000) }
  }

  var port: Int { listensAt.load(ordering: .acquiring) }

  func stop() { isOver.store(true, ordering: .relaxed) }

  private func serve() {
    let inputs = RunInputs(seed: 1, isInterrupted: { [self] in isInterrupted() })
    _ = runScenario(SharedPlan(plan), inputs: inputs, judge: ScenarioJudge(plan), in: world)
    listensAt.store(-1, ordering: .releasing)
  }

  /// Returns whether the server ends. The run asks now and then, on the server's thread.
  private func isInterrupted() -> Bool {
    if port == 0, let port = network.port(of: "api") {
      listensAt.store(Int(port), ordering: .releasing)
    }
    return isOver.load(ordering: .relaxed)
  }
}
