import Diagnostics
import Explanations
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing

@Suite struct ComponentPagesTests {
  /// Their examples would be whole folders.
  private static let pages = diagnosticPages(on: .files).filter {
    ![
      "too-many-components", "components-too-deep", "too-many-includes", "includes-too-deep",
    ].contains($0.id)
  }

  @Test(arguments: pages)
  func `the wrong example of a page draws this complaint and no other`(_ page: DiagnosticPage) {
    let wrong = Loading(page.wrong, components: page.fileTexts)
    #expect(wrong.ids == [page.id.rawValue], "\(wrong.complaints)")
  }

  @Test(arguments: pages)
  func `the right example of a page is a scenario that passes`(_ page: DiagnosticPage) throws {
    let right = Loading(page.right, components: page.fileTexts)
    #expect(right.complaints == [])
    let verdict = try #require(right.run()).verdict
    #expect(verdict.outcome == .passed, "\(verdict.failures.map(\.message))")
  }

  /// Its right example passes where snapshots are recorded.
  @Test(arguments: diagnosticPages(on: .snapshots))
  func `a page about snapshots draws its complaint where it is wrong`(_ page: DiagnosticPage) {
    #expect(Loading(page.wrong).ids == [page.id.rawValue])
    #expect(Loading(page.right).complaints == [])
  }
}
