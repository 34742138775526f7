import Diagnostics
import Explanations
import ScenarioPlan
import ScenarioSpec
import TestKit
import Testing

private let pages = diagnosticPages(on: .meaning)

@Suite struct PlanPagesTests {
  /// Its example is too long for a page.
  private static let notWrittenOut = "too-many-connections"

  @Test(arguments: pages.filter { $0.id.rawValue != notWrittenOut })
  func `the wrong example of a page draws this complaint and no other`(_ page: DiagnosticPage) {
    let wrong = Loading(page.wrong)
    #expect(wrong.ids == [page.id.rawValue], "\(wrong.complaints)")
  }

  @Test(arguments: pages)
  func `the right example of a page is a scenario that passes`(_ page: DiagnosticPage) throws {
    let right = Loading(page.right)
    #expect(right.complaints == [])
    let verdict = try #require(right.run()).verdict
    #expect(verdict.outcome == .passed, "\(verdict.failures.map(\.message))")
  }
}
