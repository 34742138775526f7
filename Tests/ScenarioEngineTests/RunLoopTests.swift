import Diagnostics
import Events
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

@testable import ScenarioEngine

@Suite struct RunLoopTests {
  private let run: RunParts

  init() throws {
    let file = loadScenarios(SourceFile(path: "x.yaml", text: "scenario: x\nsteps: [{ wait: 1s }]"))
    let plan = try #require(file.plans.first)
    run = RunParts(SharedPlan(plan), inputs: RunInputs(seed: 1), judge: ScenarioJudge(plan))
  }

  @Test func `a job names as its cause what was going on when it was queued`() {
    let loop = run.loop
    let first = run.recorder.record(.run(.stepsEnded))
    run.recorder.caused(by: first) {
      _ = loop.after(0, phase: .source) { [run] in run.recorder.record(.run(.finallyBegan)) }
    }
    loop.after(0, phase: .source) { [run] in run.recorder.record(.run(.finallyBegan)) }
    loop.settle()
    #expect(run.recorder.log.events.map(\.cause?.index) == [nil, 0, nil])
    #expect(run.recorder.cause == nil)
  }

  @Test func `settling does what is due at this instant, and lets no time pass`() {
    let loop = run.loop
    var done: [String] = []
    loop.after(0, phase: .assertion) { done.append("assertion") }
    loop.after(0, phase: .source) {
      done.append("source")
      loop.after(0, phase: .source) { done.append("later source") }
    }
    loop.after(1, phase: .source) { done.append("next instant") }
    loop.settle()
    #expect(done == ["source", "later source", "assertion"])
    #expect(loop.now == 0)
    loop.scheduler.discardAll()
  }

  @Test func `a job that is cancelled is not done`() {
    let loop = run.loop
    let timer = loop.after(0, phase: .source) { Issue.record("it was done") }
    loop.cancel(timer)
    loop.settle()
  }

  @Test func `nothing is done at an instant once the scenario has stopped`() {
    let loop = run.loop
    loop.after(0, phase: .source) { [run] in run.supervisor.stop() }
    loop.after(0, phase: .source) { Issue.record("it was done") }
    loop.settle()
    loop.scheduler.discardAll()
  }

  @Test func `a script is run to its end, and time passes as it waits`() {
    let whole = ScenarioRun(run)
    whole.buildStage()
    whole.runSteps()
    #expect(run.loop.now == 1_000_000)
    #expect(!run.supervisor.isStopped)
    run.release()
  }
}
