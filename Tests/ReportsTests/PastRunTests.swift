import Diagnostics
import Reports
import Secrets
import Testing
import Values
import Verdicts

@Suite struct PastRunTests {
  private static func run(_ verdict: Verdict, wall: Microseconds = 5_000) -> RunReport {
    let scenario = ScenarioReport(
      title: "A", line: 3, verdict: verdict, wall: wall, mask: SecretMask(["hunter2"]))
    let file = FileReport(
      path: "a.yaml", sources: SourceMap(), diagnostics: [], scenarios: [scenario])
    return RunReport(files: [file], wall: wall)
  }

  private static let failed = Verdict(
    .failed,
    failures: [
      Diagnostic(
        "unexpected-answer", "not hunter2", facts: [.init("actual", "1")],
        differences: [
          .init(path: ".a", kind: .value, actual: "1", expected: "2"),
          .init(
            path: ".b", kind: .value, actual: "\"\(String(repeating: "x", count: 300))\"",
            expected: "2"),
        ])
    ])

  @Test func `a line of a history has outcome, duration and what differed first`() throws {
    let line = historyLine(of: Self.run(Self.failed))
    #expect(!line.contains("\n") && !line.contains("hunter2") && line.utf8.count < 500)
    let run = try #require(PastRun.read(Array("\(line)\n\(line)\n".utf8))?.last)
    let result = try #require(run.results["a.yaml::A"]?.first)
    #expect(result.verdict.outcome == .failed && result.wall == 5_000)
    #expect(result.verdict.failures.first?.differences.map(\.path) == [".a"])
  }

  @Test func `a JSON report is read as one run, and other texts as none`() throws {
    let report = jsonReport(Self.run(Self.failed))
    #expect(PastRun.read(Array(report.utf8))?.count == 1)
    let line = historyLine(of: Self.run(Self.failed))
    for text in ["{}", "x", "[1]", "{\"scenarios\": 1}", "\(line)\nx"] {
      #expect(PastRun.read(Array(text.utf8)) == nil)
    }
    #expect(PastRun.read([])?.count == 0)
  }

  @Test func `only the last runs are shown`() {
    let line = historyLine(of: Self.run(Self.failed)) + "\n"
    let text = String(repeating: line, count: PastRun.mostShown + 7)
    #expect(PastRun.read(Array(text.utf8))?.count == PastRun.mostShown)
  }
}
