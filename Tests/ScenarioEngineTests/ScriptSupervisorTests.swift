import Diagnostics
import Events
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts

@testable import ScenarioEngine

@Suite struct ScriptSupervisorTests {
  private final class Interruption {
    var isWanted = false
  }

  /// A supervisor of nothing, and what it logs.
  private struct Parts {
    let recorder: EventRecorder
    let supervisor: ScriptSupervisor
    let interruption = Interruption()

    init(isEndless: Bool = false, steps: Int = 1_000) throws {
      let file = loadScenarios(
        SourceFile(path: "x.yaml", text: "scenario: x\nsteps: [{ wait: 1s }]"))
      let judge = ScenarioJudge(try #require(file.plans.first))
      let budget = RunBudget(isEndless: isEndless, steps: steps)
      recorder = EventRecorder(
        EventLog(), shownTo: judge, at: .init(), within: budget, watchesInvariants: false)
      supervisor = ScriptSupervisor(
        recorder, budget, judge, isEndless: isEndless,
        isInterrupted: { [interruption] in interruption.isWanted })
    }

    var failures: Int {
      recorder.log.events.count { if case .run(.failed) = $0.kind { true } else { false } }
    }
  }

  private let problem = RunProblem.interrupted(nil)

  @Test func `the first problem stops the scenario, and only it is logged`() throws {
    let parts = try Parts()
    #expect(!parts.supervisor.isStopped)
    parts.supervisor.fail(problem)
    parts.supervisor.fail(problem)
    #expect(parts.supervisor.stopReason == .failed)
    #expect(parts.failures == 1)
  }

  @Test func `a run without an end goes on after a problem, but not after a limit`() throws {
    let parts = try Parts(isEndless: true)
    parts.supervisor.fail(problem)
    parts.supervisor.stop()
    #expect(!parts.supervisor.isStopped)
    parts.supervisor.fail(.stepsExhausted)
    #expect(parts.supervisor.stopReason == .exhausted)
    #expect(parts.failures == 2)
  }

  @Test func `a limit that is reached after a failure is noticed and not logged`() throws {
    let parts = try Parts()
    parts.supervisor.stop()
    parts.supervisor.reach(.jobs)
    #expect(parts.supervisor.isExhausted)
    #expect(parts.failures == 0)
  }

  @Test(arguments: [false, true])
  func `an interruption stops any run`(isEndless: Bool) throws {
    let parts = try Parts(isEndless: isEndless)
    parts.supervisor.stopIfInterrupted()
    #expect(!parts.supervisor.isStopped)
    parts.interruption.isWanted = true
    parts.supervisor.stopIfInterrupted()
    parts.supervisor.stopIfInterrupted()
    #expect(parts.supervisor.stopReason == .interrupted(isExhausted: false))
    #expect(parts.failures == (isEndless ? 0 : 1))
  }

  @Test func `an interruption after a limit, or before it, is both`() throws {
    for isFirst in [false, true] {
      let parts = try Parts()
      parts.interruption.isWanted = true
      if isFirst { parts.supervisor.stopIfInterrupted() }
      parts.supervisor.reach(.jobs)
      parts.supervisor.stopIfInterrupted()
      #expect(parts.supervisor.stopReason == .interrupted(isExhausted: true))
    }
  }

  @Test func `steps are taken until there were enough of them`() throws {
    let parts = try Parts(steps: 3)
    #expect((0..<4).map { _ in parts.supervisor.mayTakeStep() } == [true, true, false, false])
    #expect(parts.supervisor.stopReason == .exhausted)
    #expect(parts.failures == 1)
  }

  @Test func `streams do not work once the scenario has stopped`() throws {
    let parts = try Parts()
    #expect(parts.supervisor.mayWork(1, at: 0))
    parts.supervisor.rest()
    #expect(parts.supervisor.stopReason == .resting)
    #expect(!parts.supervisor.mayWork(1, at: 0))
  }

  @Test func `finally begins as if nothing had happened`() throws {
    let parts = try Parts()
    parts.supervisor.fail(problem)
    parts.supervisor.beginFinally()
    #expect(!parts.supervisor.isStopped)
    #expect(parts.supervisor.phase == .finally)
  }

  @Test func `branches are numbered one after the other`() throws {
    let supervisor = try Parts().supervisor
    #expect(
      [1, 3, 1].map { supervisor.addBranches($0).index } == [1, 2, 5])
  }
}
