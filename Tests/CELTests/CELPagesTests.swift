import CEL
import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing

@Suite struct CELPagesTests {
  /// A page cannot show an expression that is too long; its `…` stands for the rest.
  private static func spelledOut(_ page: DiagnosticPage) -> String {
    guard page.id == "expression-too-long" else { return page.wrong }
    let rest = String(repeating: ", 1", count: CELLimits.textLength / 3)
    return page.wrong.replacing(", …", with: rest)
  }

  @Test(arguments: celPages)
  func `the wrong example of a page draws this complaint and no other`(_ page: DiagnosticPage) {
    let wrong = load(CELPagesTests.spelledOut(page))
    #expect(wrong.diagnostics.map(\.id) == [page.id], "\(wrong.diagnostics.map(\.message))")
    #expect(wrong.plans.isEmpty)
  }

  @Test(arguments: celPages)
  func `the right example of a page is a scenario that passes`(_ page: DiagnosticPage) throws {
    let right = load(page.right)
    #expect(right.diagnostics.map(\.message) == [])
    let run = runScenario(try #require(right.plans.first), inputs: RunInputs(seed: 1))
    #expect(run.verdict.outcome == .passed, "\(run.verdict.failures.map(\.message))")
  }

  private func load(_ text: String) -> LoadedFile {
    loadScenarios(SourceFile(path: "page.yaml", text: text))
  }
}
