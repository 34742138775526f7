import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

@testable import LiveWorld
@testable import ScenarioEngine

@Suite struct RunLifetimeTests {
  private static let text = """
    scenario: everything is still under way when it fails
    endpoints:
      api:
        http:
          - { get: /a, script: [{ wait: 10s }, { respond: { text: hi } }] }
          - { get: /b, script: [{ respond: { text: hi } }, { wait: 10s }] }
          - { get: /c, respond: stall }
    providers:
      a: { endpoint: api, get: /a }
      b: { endpoint: api, get: /b }
      c: { endpoint: api, get: /c }
    reactors:
      r:
        state: { f: none, g: none, h: none }
        actions:
          go: [{ load: { f: a, g: b, h: c } }]
          slow: [{ wait: 100s }]
          side: [{ parallel: [[{ wait: 10s }], [{ load: { f: a } }]] }]
    steps:
      - send: r.go
      - send: r.slow
      - send: r.side
      - wait: 1s
      - parallel: [[{ wait: 10s }], [{ check: "false" }]]
    """

  @Test func `a run that failed in the middle of everything is freed`() throws {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: Self.text))
    let plan = try #require(loaded.plans.first)
    weak var freed: RunParts?
    do {
      let parts = RunParts(
        SharedPlan(plan), inputs: RunInputs(seed: 1), judge: ScenarioJudge(plan))
      let run = ScenarioRun(parts)
      freed = parts
      run.buildStage()
      run.runSteps()
      #expect(parts.supervisor.isStopped)
      parts.release()
    }
    #expect(freed == nil)
  }

  @Test func `so is one over sockets, with all that it had open`() throws {
    let text = Self.text.replacing("wait: 1s", with: "wait: 5ms")
    let plan = try #require(loadScenarios(SourceFile(path: "x.yaml", text: text)).plans.first)
    weak var freed: RunParts?
    weak var loop: EventLoop?
    weak var network: SocketNetwork?
    do {
      let scheduler = Scheduler()
      let made = try #require(EventLoop(scheduler))
      let sockets = SocketNetwork(on: made)
      (loop, network) = (made, sockets)
      let world = RunWorld(scheduler: scheduler, network: sockets, wall: made)
      let parts = RunParts(
        SharedPlan(plan), inputs: RunInputs(seed: 1), judge: ScenarioJudge(plan), world: world)
      let run = ScenarioRun(parts)
      freed = parts
      run.buildStage()
      run.runSteps()
      #expect(parts.supervisor.isStopped)
      #expect(sockets.openSockets > 0)
      parts.release()
      #expect(sockets.openSockets == 0)
    }
    #expect(freed == nil)
    #expect(network == nil)
    #expect(loop == nil)
  }

  private static let busy = """
    scenario: values that make values, and none of them an event
    streams:
      ticks: { interval: 1us }
      many: { items: [\((0..<900).map(String.init).joined(separator: ", "))] }
      made: { from: ticks, through: [{ flatMap: { stream: many } }, ignoreOutput] }
    steps: [{ wait: 100h }]
    """

  @Test func `a run that is busy with streams ends soon when it is interrupted`() throws {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: Self.busy))
    let plan = try #require(loaded.plans.first)
    weak var freed: RunParts?
    do {
      let inputs = RunInputs(seed: 1, isInterrupted: { true })
      let parts = RunParts(SharedPlan(plan), inputs: inputs, judge: ScenarioJudge(plan))
      let run = ScenarioRun(parts)
      freed = parts
      run.buildStage()
      run.runSteps()
      #expect(parts.recorder.log.events.count < 10)
      guard case .run(.failed(.interrupted))? = parts.recorder.log.events.last?.kind else {
        Issue.record("ended by \(String(describing: parts.recorder.log.events.last))")
        return
      }
      parts.release()
    }
    #expect(freed == nil)
  }
}
