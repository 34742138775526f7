import Diagnostics
import JSONSchemas
import Reports
import Secrets
import TestKit
import Testing
import Values
import Verdicts

/// A run with one scenario of each outcome, with signs that the formats give a meaning to.
private func run(wall: Microseconds? = 2_500) -> RunReport {
  var sources = SourceMap()
  _ = sources.add(SourceFile(path: "a,b.yaml", text: "scenario: 50% # one\nsteps: []\n"))
  let place = SourceRange(file: 0, start: 10, end: 13)
  let failure = Diagnostic("check-failed", "no: a, b", labels: [.init(place, "is false")])
  var warned = Verdict(.passed)
  warned.warnings = [
    Diagnostic("no-steps", severity: .warning, "nothing is checked", labels: [.init(place)])
  ]
  var flaky = Verdict(.flaky)
  flaky.tries = [[failure]]
  let outcomes: [(String, Verdict)] = [
    ("Passes", warned), ("Fails: 50% # one", Verdict(.failed, failures: [failure])),
    ("Is flaky", flaky), ("Is left out", Verdict(.skipped(reason: "not # yet"))),
    ("Is broken", Verdict(couldNotRunBecauseOf: .scenario, failures: [failure])),
  ]
  let scenarios = outcomes.enumerated().map { number, entry in
    ScenarioReport(
      title: entry.0, line: number + 1, tags: number == 0 ? ["quick"] : [], verdict: entry.1,
      wall: 1_250)
  }
  let unread = Diagnostic("unreadable-file", "`c.yaml` cannot be read")
  return RunReport(
    files: [
      FileReport(
        path: "a,b.yaml", sources: sources, diagnostics: [failure], scenarios: scenarios),
      FileReport(path: "c.yaml", sources: SourceMap(), diagnostics: [unread], scenarios: []),
    ], wall: wall, began: 1_000)
}

private let page = [
  "error[check-failed]: no: a, b", " --> a,b.yaml:1:11", "  |", "1 | scenario: 50% # one",
  "  |           ^^^ is false",
]

/// What GitLab requires of a Code Quality report.
private let codeQualitySchema: Value = [
  "type": "array",
  "items": [
    "type": "object", "additionalProperties": false,
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": [
      "description": ["type": "string", "minLength": 1],
      "check_name": ["type": "string", "pattern": "^[a-z-]+$"],
      "fingerprint": ["type": "string", "pattern": "^[0-9a-f]{64}$"],
      "severity": ["enum": ["info", "minor", "major", "critical", "blocker"]],
      "location": [
        "type": "object", "required": ["path", "lines"],
        "properties": [
          "path": ["type": "string", "pattern": "^[^/.]"],
          "lines": [
            "type": "object", "required": ["begin"],
            "properties": ["begin": ["type": "integer", "minimum": 1]],
          ],
        ],
      ],
    ],
  ],
]

@Suite struct CodeQualityReportTests {
  private func findings(_ run: RunReport) throws -> [Value] {
    let json = try parseJSON(codeQualityReport(run)).get()
    #expect(try JSONSchema.compile(codeQualitySchema).get().isValid(json))
    guard case .list(let findings) = json else { return [] }
    return findings
  }

  @Test func `each failure and each warning is a finding beside its line`() throws {
    let texts = try findings(run()).map { finding in
      let place = finding["location"]?["lines"]?["begin"]?.plainText ?? ""
      let path = finding["location"]?["path"]?.plainText ?? ""
      return ["severity", "check_name", "description"].compactMap { finding[$0]?.plainText }
        .joined(separator: " ") + " \(path):\(place)"
    }
    #expect(
      texts == [
        "minor no-steps Passes: nothing is checked a,b.yaml:1",
        "major check-failed Fails: 50% # one: no: a, b a,b.yaml:1",
        "minor check-failed Is flaky (flaky): no: a, b a,b.yaml:1",
        "major check-failed Is broken: no: a, b a,b.yaml:1",
        "critical unreadable-file `c.yaml` cannot be read c.yaml:1",
      ])
  }

  @Test func `no two findings have one fingerprint, and it stays when lines move`() throws {
    var twice = run()
    twice.files[0].scenarios[1].verdict.failures += twice.files[0].scenarios[1].verdict.failures
    let prints = try findings(twice).compactMap { $0["fingerprint"]?.plainText }
    #expect(prints.count == 6 && Set(prints).count == 6)
    var moved = twice
    for index in moved.files[0].scenarios.indices { moved.files[0].scenarios[index].line += 7 }
    moved.files[0].sources = SourceMap()
    #expect(try findings(moved).compactMap { $0["fingerprint"]?.plainText } == prints)
  }

  @Test func `secrets are masked, and paths are those of the repository`() throws {
    var run = run()
    run.files[0].scenarios[1].mask = SecretMask(["50%", "a, b"])
    run.files[1].path = "./c.yaml"
    let texts = try findings(run).map { $0.json() }
    #expect(!texts[1].contains("50%") && !texts[1].contains("a, b"))
    #expect(texts[4].contains(#""path":"c.yaml""#))
    #expect(codeQualityReport(RunReport(files: [], wall: nil)) == "[]\n")
  }
}

@Suite struct TAPReportTests {
  private func block(_ severity: String, time: Bool = true) -> String {
    let head = [
      "message: \"no: a, b\"", "severity: \(severity)", "id: check-failed",
      "at: \"a,b.yaml:1:11\"",
    ]
    let lines = head + (time ? ["duration_ms: 1.250"] : []) + ["report: |-"]
    return "  ---\n" + lines.map { "  \($0)\n" }.joined() + page.map { "    \($0)\n" }.joined()
      + "  ...\n"
  }

  @Test func `each scenario is a test point, with its failures below it`() {
    let passed = "  ---\n  duration_ms: 1.250\n  ...\n"
    #expect(
      tapReport(run()) == """
        TAP version 14
        1..6
        ok 1 - a,b.yaml:1 Passes
        \(passed)not ok 2 - a,b.yaml:2 Fails: 50% \\# one
        \(block("fail"))ok 3 - a,b.yaml:3 Is flaky
        \(block("flaky"))ok 4 - a,b.yaml:4 Is left out # SKIP not \\# yet
        not ok 5 - a,b.yaml:5 Is broken
        \(block("error"))not ok 6 - c.yaml
          ---
          message: "`c.yaml` cannot be read"
          severity: error
          id: unreadable-file
          report: |-
            error[unreadable-file]: `c.yaml` cannot be read
          ...

        """)
  }

  @Test func `no line of a block is empty, since parsers may end the block there`() {
    let failures = ["one", "another"].map { Diagnostic("check-failed", $0) }
    let verdict = Verdict(.failed, failures: failures)
    let scenario = ScenarioReport(title: "Fails", line: 1, tags: [], verdict: verdict, wall: nil)
    let file = FileReport(
      path: "a.yaml", sources: SourceMap(), diagnostics: [], scenarios: [scenario])
    let text = tapReport(RunReport(files: [file], wall: nil, began: 0))
    #expect(text.contains("one\n    \n    error[check-failed]: another\n"))
  }

  @Test func `without times nothing is measured`() {
    #expect(!tapReport(run(wall: nil)).contains("duration_ms"))
  }

  @Test func `a title does nothing to a terminal, and stays on its line`() {
    let title = "\u{1B}[31mred\r\nblue"
    let scenario = ScenarioReport(title: title, line: 1, verdict: Verdict(.passed))
    let file = FileReport(
      path: "a.yaml", sources: SourceMap(), diagnostics: [], scenarios: [scenario])
    let text = tapReport(RunReport(files: [file], wall: nil, began: 0))
    #expect(text.contains("ok 1 - a.yaml:1 ␛[31mred blue\n"))
  }
}

@Suite struct GitHubReportTests {
  private func mark(_ command: String, _ title: String, _ text: String) -> String {
    "::\(command) file=a%2Cb.yaml,line=1,col=11,endColumn=14,title=\(title)::\(text)\n"
  }

  @Test func `failures are errors at their lines, and what may pass is a warning`() {
    let text = page.joined(separator: "%0A").replacing("50%25", with: "50%")
      .replacing("50% #", with: "50%25 #")
    let warning = text.replacing("error[", with: "warning[")
    let unchecked = warning.replacing(
      "check-failed]: no: a, b", with: "no-steps]: nothing is checked"
    )
    .replacing(" is false", with: "")
    #expect(
      gitHubAnnotations(run())
        == mark("warning", "Passes", unchecked)
        + mark("error", "Fails%3A 50%25 # one", text) + mark("warning", "Is flaky", warning)
        + mark("error", "Is broken", text)
        + "::error file=c.yaml,title=unreadable-file::"
        + "error[unreadable-file]: `c.yaml` cannot be read\n")
  }

  @Test func `the summary of a step counts, and folds each failure`() {
    let summary = gitHubSummary(run())
    let counts = "1 passed, 1 failed, 1 flaky, 2 could not run, 1 skipped"
    #expect(summary.hasPrefix("### rehearse: \(counts) in 2.5ms (virtual 0ms)\n"))
    #expect(summary.contains("<summary>❌ a,b.yaml:2  Fails: 50% # one</summary>"))
    #expect(summary.contains("<summary>⚠️ a,b.yaml:3  Is flaky</summary>"))
    #expect(summary.contains("<summary>❌ c.yaml</summary>"))
    #expect(summary.contains("```text\n\(page.joined(separator: "\n"))\n```\n"))
  }

  @Test func `a summary is not longer than what is shown`() {
    var long = run()
    long.files[0].scenarios = Array(repeating: long.files[0].scenarios[1], count: 10_000)
    let summary = gitHubSummary(long)
    #expect(summary.utf8.count < 1_050_000)
    #expect(summary.hasSuffix("more\n"))
  }
}

@Suite struct CTRFReportTests {
  @Test func `the counts, and a test for each scenario and each file that was not read`() throws {
    guard case .map(let report) = try parseJSON(Array(ctrfReport(run()).utf8)).get(),
      case .map(let results)? = report["results"], case .map(let summary)? = results["summary"],
      case .list(let tests)? = results["tests"]
    else {
      Issue.record("the report is no map")
      return
    }
    let counts = ["tests", "passed", "failed", "skipped", "flaky", "start", "stop"].map {
      summary[$0]?.plainText
    }
    #expect(counts == ["6", "2", "3", "1", "1", "1000", "1002"])
    let statuses = tests.map { test -> String? in
      if case .map(let test) = test { test["status"]?.plainText } else { nil }
    }
    #expect(statuses == ["passed", "failed", "passed", "skipped", "failed", "failed"])
  }
}

@Suite struct ReportEventsTests {
  @Test func `each line is an object of the schema, from the beginning to the sum`() throws {
    let schema = try JSONSchema.compile(
      try parseJSON(reportEventsSchema()).get()
    ).get()
    let lines = reportEvents(run()).split(separator: "\n")
    let names = try lines.map { line -> String? in
      let value = try parseJSON(Array(line.utf8)).get()
      #expect(schema.isValid(value), "\(line)")
      if case .map(let map) = value { return map["event"]?.plainText }
      return nil
    }
    let scenarios = [String](repeating: "scenario", count: 5)
    #expect(names == ["began", "file"] + scenarios + ["file", "ended"])
  }

  @Test func `the committed schema is the one of this version`() {
    let made = reportEventsSchema()
    #expect(
      goldenText("schemas/report-events.schema.json", made: made) == made,
      "UPDATE_EXPECTED=1 swift test writes it")
  }

  @Test func `the committed schema of messages is the one of this version`() {
    let made = serveMessagesSchema()
    #expect(
      goldenText("schemas/serve-messages.schema.json", made: made) == made,
      "UPDATE_EXPECTED=1 swift test writes it")
  }

  @Test func `a line that lacks a member is none of the schema`() throws {
    let schema = try JSONSchema.compile(
      try parseJSON(reportEventsSchema()).get()
    ).get()
    for line in [#"{"event":"file"}"#, #"{"event":"other"}"#, "{}", #"{"event":"began"}"#] {
      #expect(!schema.isValid(try parseJSON(line).get()))
    }
  }
}
