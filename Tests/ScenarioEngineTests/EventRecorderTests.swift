import Diagnostics
import Events
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

@testable import ScenarioEngine

@Suite struct EventRecorderTests {
  private let scheduler = Scheduler()
  private let recorder: EventRecorder

  init() throws {
    let file = loadScenarios(SourceFile(path: "x.yaml", text: "scenario: x\nsteps: [{ wait: 1s }]"))
    let judge = ScenarioJudge(try #require(file.plans.first))
    recorder = EventRecorder(
      EventLog(), shownTo: judge, at: scheduler, within: RunBudget(isEndless: false),
      watchesInvariants: false)
  }

  private var causes: [Int?] { recorder.log.events.map(\.cause?.index) }

  @Test func `an event is recorded under its id and at its time`() throws {
    scheduler.advance(to: 7)
    recorder.record(.run(.stepsEnded))
    let id = try #require(recorder.record(.run(.finallyBegan)))
    #expect(recorder.log[id]?.time == 7)
    #expect(recorder.log.events.map(\.sequence.index) == [0, 1])
  }

  @Test func `what is done inside a cause names it, and what is done after does not`() {
    let first = recorder.record(.run(.stepsEnded))
    recorder.caused(by: first) { _ = recorder.record(.run(.stepsEnded)) }
    recorder.record(.run(.stepsEnded))
    #expect(causes == [nil, 0, nil])
  }

  @Test func `causes are nested, and nothing is the cause of what has none`() {
    let first = recorder.record(.run(.stepsEnded))
    recorder.caused(by: first) {
      let second = recorder.record(.run(.stepsEnded))
      recorder.caused(by: second) { _ = recorder.record(.run(.stepsEnded)) }
      recorder.caused(by: nil) { _ = recorder.record(.run(.stepsEnded)) }
      recorder.record(.run(.stepsEnded))
    }
    #expect(causes == [nil, 0, 1, nil, 0])
  }

  @Test func `a cause ends with an error as well`() {
    struct Failed: Error {}
    #expect(throws: Failed.self) { try recorder.caused(by: EventID(3)) { throw Failed() } }
    #expect(recorder.cause == nil)
  }

  @Test func `the cause of a job is known until the next one`() {
    recorder.runJob(causedBy: EventID(5)) {}
    #expect(recorder.causeOfJob == EventID(5))
    #expect(recorder.cause == nil)
    recorder.expectJob()
    #expect(recorder.causeOfJob == nil)
  }

  @Test func `a closed log takes no events`() {
    recorder.close()
    #expect(recorder.record(.run(.ended())) == nil)
    #expect(recorder.log.events.isEmpty)
  }

  @Test func `a limit is reported once the event that reaches it is in the log`() {
    var reached: [LimitReached] = []
    recorder.onLimit = { [recorder] limit in
      reached.append(limit)
      #expect(recorder.log.count == Limits.eventsInOneChain)
    }
    var cause: EventID?
    for _ in 0..<Limits.eventsInOneChain {
      cause = recorder.caused(by: cause) { recorder.record(.source(.emitted(SourceID(0), 1))) }
    }
    #expect(reached == [.eventsInOneChain])
  }
}
