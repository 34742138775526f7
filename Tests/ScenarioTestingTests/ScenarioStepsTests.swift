import ScenarioTesting
import Testing
import VirtualTime

/// Scenarios whose steps are in Swift.
@Suite struct ScenarioStepsTests {
  private static let stageText = """
    reactors:
      counter:
        state: { count: 0, isCounting: false }
        actions:
          increment: [{ set: { count: "${count + 1}" } }]
          add: { params: [amount], steps: [{ set: { count: "${count + amount}" } }] }
          countDown:
            inFlight: countDown
            steps:
              - set: { isCounting: true }
              - wait: 1s
              - set: { count: "${count - 1}", isCounting: false }
    """

  private var stage: Stage {
    let stage = Stage()
    stage.bind("counter") { CounterReactor(clock: $0.clock) }
    return stage
  }

  @Test func `steps in Swift have the verbs of the language`() async {
    let scenario = Scenario("The counter counts down", stage: Self.stageText) { steps in
      steps.send("counter.increment")
      steps.send("counter.add", ["amount": 4])
      steps.expect(.event("counter.count", 1), .event("counter.count", 5))
      steps.ignore("counter.isCounting")
      steps.send("counter.countDown")
      steps.expect(.event("counter.count", 4, after: .seconds(1)))
      steps.check("counter.count == 4")
      steps.wait(.milliseconds(1500))
      steps.step("eventually", "counter.count == 4")
      steps.never("counter.count", for: .seconds(60))
    }
    await stage.test(scenario)
  }

  @Test func `a failure is at the line of the step`() async throws {
    let line = #line
    let scenario = Scenario("The counter counts wrong", stage: Self.stageText) { steps in
      steps.send("counter.add", 2)
      steps.expect(.event("counter.count", 3))
    }
    let failure = try #require(await stage.outcome(of: scenario).failures.first)
    #expect(failure.line == line + 3)
    #expect(failure.path.hasSuffix("ScenarioStepsTests.swift"))
    #expect(failure.report.contains("expected  3"))
  }

  @Test @MainActor func `a scenario that does not hold is thrown with its report`() throws {
    let scenario = Scenario("Wrong", stage: Self.stageText) { $0.check("counter.count == 1") }
    let error = #expect(throws: ScenarioFailure.self) { try stage.check(scenario) }
    #expect(error?.description.contains("counter.count == 1") == true)
  }

  @Test func `a failed scenario is an issue at its line`() async throws {
    let scenario = try #require(
      Scenarios(text: "scenario: Wrong\nsteps:\n  - check: 1 == 2\n", path: "a/wrong.yaml").first)
    await withKnownIssue {
      await Stage().test(scenario)
    } matching: { issue in
      issue.sourceLocation?.line == 3 && issue.comments.first?.rawValue.contains("1 == 2") == true
    }
  }
}
