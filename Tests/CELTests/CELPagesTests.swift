import CEL
import Diagnostics
import Explanations
import TestKit
import Testing

@Suite struct CELPagesTests {
  /// A page cannot show an expression that is too long; its `…` stands for the rest.
  private static func spelledOut(_ page: DiagnosticPage) -> String {
    guard page.id == "expression-too-long" else { return page.wrong }
    let rest = String(repeating: ", 1", count: CELLimits.textLength / 3)
    return page.wrong.replacing(", …", with: rest)
  }

  @Test(arguments: diagnosticPages(on: .expressions))
  func `the wrong example of a page draws this complaint and no other`(_ page: DiagnosticPage) {
    let wrong = Loading(CELPagesTests.spelledOut(page))
    #expect(wrong.ids == [page.id.rawValue], "\(wrong.complaints)")
    #expect(wrong.plan == nil)
  }

  @Test(arguments: diagnosticPages(on: .expressions))
  func `the right example of a page is a scenario that passes`(_ page: DiagnosticPage) throws {
    let right = Loading(page.right)
    #expect(right.complaints == [])
    let verdict = try #require(right.run()).verdict
    #expect(verdict.outcome == .passed, "\(verdict.failures.map(\.message))")
  }
}
