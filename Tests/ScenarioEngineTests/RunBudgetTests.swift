import Events
import ScenarioPlan
import Testing
import Values

@testable import ScenarioEngine

@Suite struct RunBudgetTests {
  private func emitted(
    _ value: Value = 1, at time: Int64 = 0, sequence: Int = 0, cause: Int? = nil
  ) -> Event {
    Event(
      sequence: EventID(sequence), time: time, cause: cause.map { EventID($0) },
      kind: .source(.emitted(SourceID(0), value)))
  }

  private func began(at time: Int64 = 0) -> Event {
    let step = StepReference(
      verb: "set", range: .init(file: 0, start: 0, end: 0), branch: .main, turns: [])
    return Event(sequence: .first, time: time, cause: nil, kind: .script(.stepBegan(step)))
  }

  @Test func `jobs and steps are granted until there were enough of them`() {
    let budget = RunBudget(isEndless: false, jobs: 3, steps: 2)
    #expect((0..<4).map { _ in budget.spendJob() } == [.granted, .granted] + over(.jobs, 2))
    #expect((0..<3).map { _ in budget.spendStep() } == [.granted] + over(.steps, 2))
  }

  private func over(_ limit: LimitReached, _ count: Int) -> [RunBudget.Charge] {
    Array(repeating: .exceeded(limit), count: count)
  }

  @Test func `a budget that is reset grants as much again`() {
    let budget = RunBudget(isEndless: true, jobs: 2, steps: 2)
    _ = (budget.spendJob(), budget.spendJob(), budget.spendStep(), budget.spendStep())
    budget.reset()
    #expect(budget.spendJob() == .granted)
    #expect(budget.spendStep() == .granted)
  }

  @Test func `after so many jobs it is due to look for an interruption`() {
    let budget = RunBudget(isEndless: false, jobs: 10 * Limits.workBetweenPolls)
    let charges = (0..<2 * Limits.workBetweenPolls).map { _ in budget.spendJob() }
    #expect(charges.filter { $0 == .grantedAndDue }.count == 2)
  }

  @Test func `streams may work so much at one instant, and again at the next`() {
    let most = Limits.streamWorkAtOneInstant
    let budget = RunBudget(isEndless: false, jobs: .max)
    #expect(budget.spendStreamWork(most, at: 0) == .grantedAndDue)
    #expect(budget.spendStreamWork(1, at: 0) == .exceeded(.streamWork))
    #expect(budget.spendStreamWork(1, at: 1) == .granted)
  }

  @Test func `the work of streams counts as jobs`() {
    let budget = RunBudget(isEndless: false, jobs: 2 * Limits.jobsOfStreamWork)
    #expect(budget.spendStreamWork(1, at: 0) == .granted)
    #expect(budget.spendStreamWork(1, at: 1) == .exceeded(.jobs))
  }

  @Test func `events that cause one another are limited, and time begins a new count`() {
    let budget = RunBudget(isEndless: false)
    let most = Limits.eventsInOneChain
    for number in 0..<most - 1 {
      #expect(budget.count(emitted(sequence: number, cause: number - 1)) == nil)
    }
    #expect(budget.count(emitted(sequence: most - 1, cause: most - 2)) == .eventsInOneChain)
    #expect(budget.count(emitted(at: 1, sequence: most, cause: most - 1)) == nil)
  }

  @Test func `events that arrive side by side are no loop`() {
    let budget = RunBudget(isEndless: false)
    let reached = (0..<2 * Limits.eventsInOneChain).compactMap { number in
      budget.count(emitted(sequence: number, cause: 0))
    }
    #expect(reached.isEmpty)
  }

  @Test func `events that the log does not keep reach no limit of the log`() {
    let budget = RunBudget(isEndless: false, logLimit: 1)
    for number in 0...Limits.eventsPerRun {
      #expect(budget.count(emitted(at: Int64(number), sequence: number), isKept: false) == nil)
    }
    #expect(budget.count(emitted()) == .bytesInLog(1))
  }

  @Test func `a log is limited in its events and its size, unless the run has no end`() {
    let large = Value.string(String(repeating: "x", count: 6_400_000))
    for isEndless in [false, true] {
      let budget = RunBudget(isEndless: isEndless)
      let last = emitted(sequence: Limits.eventsPerRun)
      #expect(budget.count(last) == (isEndless ? nil : .events))
      for time in 1..<40 { #expect(budget.count(emitted(large, at: Int64(time))) == nil) }
      let full = LimitReached.bytesInLog(Limits.bytesInLog)
      #expect(budget.count(emitted(large, at: 40)) == (isEndless ? nil : full))
    }
  }
}
