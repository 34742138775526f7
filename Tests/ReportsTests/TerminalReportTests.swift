import Diagnostics
import Reports
import Testing
import Values
import Verdicts

private func part(
  _ kind: CoveredPart.Kind, _ name: String, line: Int, isReached: Bool
) -> CoveredPart {
  CoveredPart(
    kind, part: "\(kind.rawValue) `\(name)`", path: "a.yaml", line: line, column: 3,
    isReached: isReached)
}

@Suite struct CoverageTests {
  @Test func `what one scenario reaches is reached, whatever others do`() {
    var coverage = Coverage()
    coverage.add([
      part(.action, "one.load", line: 9, isReached: false),
      part(.route, "GET /", line: 4, isReached: false),
    ])
    coverage.add([part(.action, "two.load", line: 9, isReached: true)])
    #expect(
      humanCoverage(coverage) == """
        not reached: a.yaml:4  route `GET /`
        coverage: 0 of 1 routes, 1 of 1 actions

        """)
  }

  @Test func `two kinds of parts at one place are two parts`() {
    var coverage = Coverage()
    coverage.add([
      part(.action, "a.b", line: 1, isReached: true),
      part(.branch, "then", line: 1, isReached: true),
    ])
    #expect(humanCoverage(coverage) == "coverage: 1 of 1 actions, 1 of 1 branches\n")
  }

  @Test func `a long list is cut, and says how it is shown whole`() {
    var coverage = Coverage()
    coverage.add((1...40).map { part(.route, "\($0)", line: $0, isReached: false) })
    #expect(humanCoverage(coverage).contains("not reached: 10 more; -v lists them\n"))
    #expect(!humanCoverage(coverage, detail: .verbose).contains("more"))
  }

  @Test func `a suite without parts says so`() {
    #expect(humanCoverage(Coverage()) == "coverage: nothing\n")
  }

  @Test func `the JSON report has counts and places`() {
    var run = RunReport(files: [], wall: nil)
    run.coverage = Coverage()
    run.coverage?.add([part(.route, "GET /", line: 4, isReached: false)])
    let counts = #""coverage":{"routes":{"all":1,"reached":0},"#
    let unreached = #""unreached":[{"part":"route `GET /`","path":"a.yaml","line":4}]}"#
    #expect(jsonReport(run).contains(counts + unreached))
  }
}

@Suite struct EndOfReportTests {
  private func run(_ verdicts: [(String, Verdict, Microseconds)]) -> RunReport {
    let scenarios = verdicts.enumerated().map { number, entry in
      ScenarioReport(title: entry.0, line: number + 1, verdict: entry.1, wall: entry.2)
    }
    let file = FileReport(
      path: "a.yaml", sources: SourceMap(), diagnostics: [], scenarios: scenarios)
    return RunReport(files: [file], wall: 1_000)
  }

  @Test func `the slowest come first, and no more than are asked for`() {
    let report = run([
      ("Quick", Verdict(.passed), 10), ("Slow", Verdict(.passed), 2_345_678),
      ("Between", Verdict(.passed), 5_000),
    ])
    #expect(
      humanSlowest(report, count: 2) == "slow a.yaml:2  Slow  2.34s\nslow a.yaml:3  Between  5ms\n")
  }

  @Test func `flaky scenarios are listed`() {
    var flaky = Verdict(.flaky)
    flaky.tries = [[], []]
    let report = run([("Firm", Verdict(.passed), 1), ("Shaky", flaky, 1)])
    #expect(humanFlakyList(report) == "flaky a.yaml:2  Shaky: passed at try 3\n")
  }

  private func answer(_ differences: [Diagnostic.Difference]) -> Verdict {
    Verdict(
      .failed,
      failures: [
        Diagnostic(
          "unexpected-answer", "the answer is not the one expected",
          notes: [.init("request", "GET /tasks HTTP/1.1\nHost: api")], differences: differences)
      ])
  }

  @Test func `a wrong status is one line if only failures are wanted`() {
    let status = Diagnostic.Difference(
      path: ".status", kind: .value, actual: "404", expected: "200")
    let body = Diagnostic.Difference(path: ".json.id", kind: .value, actual: "1", expected: "2")
    let report = run([("Lists", answer([status]), 1)])
    let line = "FAIL a.yaml:1  Lists: GET /tasks: status 404, expected 200\n"
    #expect(humanReport(file: report.files[0], detail: .quiet) == line)
    #expect(humanReport(file: report.files[0]).contains("error[unexpected-answer]"))
    let both = run([("Lists", answer([status, body]), 1)])
    #expect(humanReport(file: both.files[0], detail: .quiet).contains("error[unexpected-answer]"))
  }

  @Test func `a trace that was kept is an attachment of its case`() {
    var report = run([("Lists", Verdict(.passed), 1)])
    report.files[0].scenarios[0].trace = "traces/a.trace.jsonl"
    #expect(
      junitReport(report).contains(
        "<system-out>[[ATTACHMENT|traces/a.trace.jsonl]]</system-out>"))
    #expect(jsonReport(report).contains(#""trace":"traces/a.trace.jsonl""#))
  }
}
