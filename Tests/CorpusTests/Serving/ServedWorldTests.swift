import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

@testable import LiveWorld

/// Nothing that clients from outside leave open outlives serving.
@Suite struct ServedWorldTests {
  private static let text = """
    scenario: Served for a moment
    endpoints:
      api:
        http:
          - { get: /stalled, respond: stall }
          - { get: /later, respond: { text: hi, after: 10s } }
          - { get: /script, script: [{ wait: 10s }, { respond: { text: hi } }] }
        sse: [{ accept: {}, script: [{ event: one }, { wait: forever }] }]
        websocket:
          - accept: {}
            script: [{ repeat: 9, steps: [{ receive: hello }] }]
    steps: [{ ignore: api }, { wait: 30ms }]
    """

  @Test(arguments: [
    "", "GET /stal", "GET /stalled HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET /later HTTP/1.1\r\nHost: here\r\n\r\n", "GET /script HTTP/1.1\r\nHost: here\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: here\r\nAccept: text/event-stream\r\n\r\n",
    PlainClient.webSocketOpening, "nonsense\r\n\r\n",
  ])
  func `a world is freed when serving is over, whatever clients left open`(bytes: String) throws {
    let file = loadScenarios(SourceFile(path: "moment.yaml", text: ServedWorldTests.text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    weak var scheduler: Scheduler?
    weak var loop: EventLoop?
    var client: PlainClient?
    do {
      let made = try #require(EventLoop(Scheduler()))
      (scheduler, loop) = (made.scheduler, made)
      let network = SocketNetwork(on: made)
      let world = RunWorld(scheduler: made.scheduler, network: network, wall: made)
      let service = Service(.untilStepsEnd) {
        client = PlainClient(port: network.port(of: "api") ?? 0)
        client?.send(bytes)
        return client != nil
      }
      _ = runScenario(
        SharedPlan(plan), as: .served(service), inputs: RunInputs(seed: 1),
        judge: ScenarioJudge(plan), in: world)
    }
    #expect(scheduler == nil)
    #expect(loop == nil)
    #expect(client != nil)
  }
}
