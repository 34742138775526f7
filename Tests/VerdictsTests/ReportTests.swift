import Diagnostics
import Events
import Testing
import Values
import Verdicts

extension Rehearsal {
  /// The reports of all failures on one page.
  var page: String {
    let verdict = Verdicts.judge(log, plan: plan, sources: sources, rerun: "rehearse run made.yaml")
    return render(verdict.failures, in: sources)
  }
}

/// A run that fails, and its report to the letter.
struct GoldenReport: Sendable, CustomTestStringConvertible {
  var name: String
  var run: @Sendable () -> Rehearsal
  var page: String

  var testDescription: String { name }
}

@Suite struct ReportTests {
  @Test(arguments: goldenReports + goldenStreamReports)
  func `a failure reads exactly so`(golden: GoldenReport) {
    #expect(golden.run().page == golden.page)
  }
}
