import ScenarioTesting
import TestKit
import Testing

/// The Swift reactors play the scenario files that `rehearse run` runs with reactors in YAML. What
/// these files expect is the same for both.
@Suite struct SharedScenarioTests {
  @Test(arguments: Scenarios(in: "scenarios/reactors/cat-facts.scenario.yaml"))
  func `cat facts hold in Swift`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind("catFacts") { CatFactsReactor(http: $0.http("api")) }
    await stage.test(scenario)
  }

  @Test(arguments: Scenarios(in: "scenarios/subjects/counter.scenario.yaml"))
  func `a counter holds in Swift`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind("counter") { CounterReactor(clock: $0.clock) }
    await stage.test(scenario)
  }

  @Test(arguments: Scenarios(in: "scenarios/subjects/task-list.scenario.yaml"))
  func `a task list holds in Swift`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind("taskList") { TaskListReactor(http: $0.http("api")) }
    await stage.test(scenario)
  }

  @Test func `two runs have one trace to the byte`() async throws {
    let scenario = try #require(
      Scenarios(in: "scenarios/subjects/task-list.scenario.yaml").first)
    let stage = Stage()
    stage.bind("taskList") { TaskListReactor(http: $0.http("api")) }
    let traces = await [stage.outcome(of: scenario).trace, stage.outcome(of: scenario).trace]
    #expect(traces[0] == traces[1])
    #expect(traces[0].contains("Feed the cat"))
  }

  @Test func `a trace is the one of the reactor in YAML`() async throws {
    let scenario = try #require(
      Scenarios(in: "scenarios/subjects/task-list.scenario.yaml").first)
    let stage = Stage()
    let written = await stage.outcome(of: scenario)
    stage.bind("taskList") { TaskListReactor(http: $0.http("api")) }
    let swift = await stage.outcome(of: scenario)
    let sources = [written.trace, swift.trace].map { trace in
      trace.split(separator: "\n").filter { $0.contains("\"taskList") }.count
    }
    #expect(sources[0] == sources[1])
  }
}
