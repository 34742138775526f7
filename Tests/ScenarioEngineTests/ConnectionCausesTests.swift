import Diagnostics
import Events
import ScenarioRuns
import Testing
import Verdicts
import World

@testable import ScenarioEngine

@Suite struct ConnectionCausesTests {
  private let recorder: EventRecorder

  init() throws {
    let file = loadScenarios(SourceFile(path: "x.yaml", text: "scenario: x\nsteps: [{ wait: 1s }]"))
    let judge = ScenarioJudge(try #require(file.plans.first))
    recorder = EventRecorder(
      EventLog(), shownTo: judge, at: Scheduler(), within: RunBudget(isEndless: false),
      watchesInvariants: false)
  }

  @Test func `a server keeps the causes of the connections that are open`() {
    let causes = ConnectionCauses(recorder, isServing: true)
    for connection in 1...100_000 {
      causes.setCause(EventID(connection), on: connection)
      if connection > 1 { causes.forget(connection) }
    }
    #expect(causes.servedCount == 1)
    #expect(causes.cause(on: 1) == EventID(1))
    #expect(causes.cause(on: 100_000) == nil)
  }
}
