import Diagnostics
import Reports
import Testing
import Values
import Verdicts

/// How reports tell of a scenario that passed only when it was run again.
@Suite struct FlakyReportTests {
  private var report: RunReport {
    var verdict = Verdict(.flaky, assertionsReached: 1, assertionsMet: 1)
    verdict.tries = [[Diagnostic("too-late", "it <came> late")]]
    let scenario = ScenarioReport(title: "Asked", line: 1, verdict: verdict)
    let file = FileReport(
      path: "a.yaml", sources: SourceMap(), diagnostics: [], scenarios: [scenario])
    return RunReport(files: [file], wall: nil)
  }

  @Test func `people see how it failed, and that it counts apart`() {
    #expect(
      humanReport(report, detail: .quiet) == """
        flaky a.yaml:1  Asked: passed at try 2
        error[too-late]: it <came> late

        0 passed, 1 flaky (virtual 0ms)

        """)
  }

  @Test func `build servers see a case that passed, with the failures before`() {
    let text = junitReport(report)
    #expect(text.contains("tests=\"1\" failures=\"0\""))
    #expect(text.contains("<flakyFailure type=\"too-late\" message=\"it &lt;came&gt; late\">"))
    #expect(!text.contains("<failure"))
  }

  @Test func `programs see the failures of each try`() throws {
    let document = try parseJSON(Array(jsonReport(report).utf8)).get()
    #expect(document["flaky"] == 1)
    guard case .list(let scenarios)? = document["scenarios"],
      case .list(let tries)? = scenarios[0]["tries"], case .list(let failures)? = tries.first
    else {
      Issue.record("no tries")
      return
    }
    #expect(scenarios[0]["outcome"] == "flaky")
    #expect(scenarios[0]["failures"] == [])
    #expect(failures.map { $0["id"] } == ["too-late"])
  }
}
