import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Values

@Suite struct PlanPagesTests {
  /// What the page of `unknown-variable` speaks of; other pages are loaded without.
  private static func variables(for page: DiagnosticPage) -> [PlanInputs.Variable] {
    guard page.id == "unknown-variable" else { return [] }
    return [PlanInputs.Variable(name: "limit", text: "5", value: .int(5))]
  }

  @Test(arguments: planPages)
  func `the wrong example of a page draws this complaint and no other`(_ page: DiagnosticPage) {
    let wrong = Loading(page.wrong, variables: PlanPagesTests.variables(for: page))
    #expect(wrong.ids == [page.id], "\(wrong.complaints)")
  }

  @Test(arguments: planPages)
  func `the right example of a page is a scenario that passes`(_ page: DiagnosticPage) throws {
    let right = Loading(page.right, variables: PlanPagesTests.variables(for: page))
    #expect(right.complaints == [])
    let run = runScenario(try #require(right.plan), inputs: RunInputs(seed: 1))
    #expect(run.verdict.outcome == .passed, "\(run.verdict.failures.map(\.message))")
  }
}
