import Diagnostics
import Protocols
import Reports
import Testing
import Values
import Verdicts

/// A run with each outcome, in different numbers: scenarios, rows of a table, and files that do not
/// load.
private func run() -> RunReport {
  var sources = SourceMap()
  _ = sources.add(SourceFile(path: "a.yaml", text: "scenario: Counts\nsteps: []\n"))
  let place = SourceRange(file: 0, start: 0, end: 8)
  let failure = Diagnostic("check-failed", "no", labels: [.init(place, "is false")])
  let broken = Diagnostic("unknown-step", "there is no step `chekc`", labels: [.init(place)])
  var warned = Verdict(.passed)
  warned.warnings = [Diagnostic("no-assertions", severity: .warning, "nothing is asserted")]
  var flaky = Verdict(.flaky)
  flaky.tries = [[failure]]
  var failed = Verdict(.failed, failures: [failure])
  failed.warnings = warned.warnings
  let couldNotRun = Verdict(couldNotRunBecauseOf: .scenario, failures: [broken])
  let verdicts: [(Verdict, Int)] = [
    (Verdict(.passed), 5), (warned, 2), (failed, 4), (flaky, 3), (couldNotRun, 1),
    (Verdict(.skipped(reason: "not yet")), 6),
  ]
  let scenarios = verdicts.flatMap { Array(repeating: $0.0, count: $0.1) }.enumerated()
    .map { ScenarioReport(title: "Row", line: $0 + 1, row: "\($0)", verdict: $1) }
  let unread = Diagnostic("unreadable-file", "the file cannot be read")
  let warning = Diagnostic("same-titles", severity: .warning, "two scenarios have one title")
  return RunReport(
    files: [
      FileReport(
        path: "a.yaml", sources: sources, diagnostics: [broken, warning], scenarios: scenarios),
      FileReport(path: "c.yaml", sources: SourceMap(), diagnostics: [unread], scenarios: []),
    ], wall: nil)
}

/// The numbers of a report: what passed, failed, was flaky, could not run, was skipped.
private struct Counts: Equatable {
  var passed = 0
  var failed = 0
  var flaky = 0
  var couldNotRun = 0
  var skipped = 0
}

private let expected = Counts(passed: 7, failed: 4, flaky: 3, couldNotRun: 2, skipped: 6)

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}

extension Value {
  fileprivate func number(_ name: String) -> Int { self[name]?.plainText.asInt ?? -1 }
  fileprivate func items(_ name: String) -> [Value] {
    if case .list(let items)? = self[name] { items } else { [] }
  }
  fileprivate func count(_ name: String, _ text: String) -> Int {
    if case .list(let items) = self { items.count { $0[name]?.plainText == text } } else { -1 }
  }
}

extension String {
  fileprivate var asInt: Int? { Int(self) }
}

extension Counts {
  /// The numbers that a report of programs sums up.
  fileprivate init(summedIn json: Value) {
    self.init(
      passed: json.number("passed"), failed: json.number("failed"), flaky: json.number("flaky"),
      couldNotRun: json.number("couldNotRun"), skipped: json.number("skipped"))
  }

  /// The numbers of entries by the word for their outcome.
  fileprivate init(of entries: Value, by name: String) {
    self.init(
      passed: entries.count(name, "passed"), failed: entries.count(name, "failed"),
      flaky: entries.count(name, "flaky"), couldNotRun: entries.count(name, "could-not-run"),
      skipped: entries.count(name, "skipped"))
  }
}

/// Returns the expanded data of an element of the page.
private func data(_ id: String, in page: String) throws -> Value {
  let parts = page.split(separator: " id=\"\(id)\">", maxSplits: 1)
  let bytes = try #require(Base64.decode(String(parts[1].prefix { $0 != "<" })))
  var decoder = ContentDecoder(.deflate)
  let text = decoder.receive(bytes).reduce(into: "") { text, item in
    if case .bytes(let bytes) = item { text += String(decoding: bytes, as: UTF8.self) }
  }
  return try parseJSON(text).get()
}

/// Every report of a run has the same numbers, in its sum and in its entries.
@Suite struct CountTests {
  @Test func `the console and the summary of GitHub have one sum, and an entry for each failure`() {
    let sum = "7 passed, 4 failed, 3 flaky, 2 could not run, 6 skipped (virtual 0ms)\n"
    #expect(humanReport(run()).hasSuffix("\n" + sum))
    let lines = humanReport(run())
    #expect(lines.count(of: "FAIL ") == 5 && lines.count(of: "flaky a.yaml") == 3)
    #expect(lines.count(of: "skip ") == 6 && lines.count(of: "error[unreadable-file]") == 1)
    let summary = gitHubSummary(run())
    #expect(summary.hasPrefix("### rehearse: " + sum))
    #expect(summary.count(of: "❌") == 6 && summary.count(of: "⚠️") == 3)
  }

  @Test func `JUnit and TAP have the same numbers as entries`() {
    let xml = junitReport(run())
    #expect(xml.contains(#"tests="22" failures="4" errors="2" skipped="6">"#))
    let elements = ["<testcase ", "<failure ", "<error ", "<skipped ", "<flakyFailure "]
    #expect(elements.map { xml.count(of: $0) } == [22, 4, 2, 6, 3])
    let tap = "\n" + tapReport(run())
    let parts = ["1..22\n", "\nok ", "\nnot ok ", " # SKIP ", "severity: flaky", "severity: error"]
    #expect(parts.map { tap.count(of: $0) } == [1, 16, 6, 6, 3, 2])
  }

  @Test func `JSON, its lines and CTRF have the same numbers as entries`() throws {
    let json = try parseJSON(jsonReport(run())).get()
    let entries = Counts(of: json["scenarios"] ?? .null, by: "outcome")
    #expect(Counts(summedIn: json) == expected)
    var ofScenarios = expected
    ofScenarios.couldNotRun = 1
    #expect(entries == ofScenarios)

    let lines = try reportEvents(run()).split(separator: "\n").map {
      try parseJSON(String($0)).get()
    }
    #expect(lines.last.map(Counts.init(summedIn:)) == expected)
    #expect(Counts(of: .list(lines), by: "outcome") == ofScenarios)
    #expect(Value.list(lines).count("path", "c.yaml") == 1)

    let ctrf = try #require(try parseJSON(ctrfReport(run())).get()["results"])
    let summary = try #require(ctrf["summary"])
    let names = ["tests", "passed", "failed", "skipped", "flaky"]
    #expect(names.map { summary.number($0) } == [22, 10, 6, 6, 3])
    let tests = Value.list(ctrf.items("tests"))
    #expect(["passed", "failed", "skipped"].map { tests.count("status", $0) } == [10, 6, 6])
    #expect(tests.count("rawStatus", "could-not-run") == 2 && tests.count("flaky", "true") == 3)
  }

  @Test func `the head of the page has the numbers of its rows, and warnings change none`() throws {
    let page = htmlReport(run())
    #expect(page.contains("7 passed, 4 failed, 3 flaky, 2 could not run, 6 skipped"))
    #expect(Counts(summedIn: try data("head", in: page)) == expected)
    let rows = try data("rows0", in: page)
    #expect(Counts(of: rows, by: "o") == expected)
    #expect(rows.count("x", "1") == 6 && rows.count("o", "warned") == 1)
  }

  @Test func `a summary that is too long leaves out files that do not load as well`() {
    let long = Diagnostic("unreadable-file", String(repeating: "long ", count: 40_000))
    let files = (0..<8).map {
      FileReport(path: "\($0).yaml", sources: SourceMap(), diagnostics: [long], scenarios: [])
    }
    let summary = gitHubSummary(RunReport(files: files, wall: nil))
    #expect(summary.utf8.count < 1_000_100 && summary.hasSuffix("\nand 4 more\n"))
  }
}
