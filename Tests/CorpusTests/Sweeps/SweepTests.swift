import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

/// What sweeps find in the scenarios that are made for them.
@Suite struct SweepTests {
  private static let feed = "scenarios/sweep/feed.scenario.yaml"
  private static let orders = "scenarios/sweep/orders.scenario.yaml"

  @Test(arguments: [feed, orders])
  func `a client that recovers holds at every place`(path: String) {
    let result = sweep(path, 0)
    #expect(result.places > 4)
    #expect(result.held == result.places)
  }

  @Test func `an order that is sent again without a key is found by its lost answer`() {
    let result = sweep(SweepTests.orders, 1)
    #expect(result.groups.map(\.shortest.name) == ["lose answer 1 of api, connection 1"])
    #expect(result.groups.map(\.diagnostic.id) == ["check-failed"])
  }

  @Test func `a sum that is lost at a reconnection is found by a cut`() {
    let result = sweep(SweepTests.feed, 1)
    #expect(result.groups.map(\.shortest.name) == ["cut after event 1 of server, connection 1"])
  }

  @Test(arguments: [feed, orders])
  func `the result is the same for any number of jobs`(path: String) {
    #expect(text(of: sweep(path, 1, jobs: 1)) == text(of: sweep(path, 1, jobs: 3)))
  }

  @Test(arguments: [
    "cut after event 3 of feed, connection 1", "cut within answer 1 of api, connection 2",
    "cut before message 1 of chat, connection 1", "lose request 2 of api, connection 1",
    "lose answer 1 of api, connection 1", "refuse connection 4 of api",
    "duplicate sending 1 of chat, connection 1", "offline at 1200ms for 1s",
    "delay answer 1 of api, connection 1, by 1999ms",
  ])
  func `a disturbance is read from the name that it prints`(name: String) {
    #expect(Disturbance(name: name).map { "\($0)" } == name)
  }

  @Test(arguments: ["", "cut", "cut after event 0 of feed, connection 1", "offline at 1 for 2s"])
  func `what names no disturbance is none`(name: String) {
    #expect(Disturbance(name: name) == nil)
  }

  private func sweep(_ path: String, _ scenario: Int, jobs: Int = 1) -> SweepResult {
    let file = Corpus.load(path)
    var options = SweepOptions()
    options.jobs = jobs
    return sweepScenario(
      SharedPlan(file.plans[scenario]), inputs: RunInputs(seed: 1), sources: file.sources,
      options: options)
  }

  private func text(of result: SweepResult) -> String {
    "\(result.places) \(result.held)\n" + result.groups.map { "\($0)" }.joined(separator: "\n")
  }
}
