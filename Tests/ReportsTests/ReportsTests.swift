import Diagnostics
import Events
import Glibc
import Reports
import Secrets
import TestKit
import Testing
import Values
import Verdicts

/// A run of three files: one with scenarios of every outcome, one that is fine, one unreadable.
private func run(wall: Microseconds? = 34_217) -> RunReport {
  var sources = SourceMap()
  _ = sources.add(SourceFile(path: "a.yaml", text: "scenario: A & B\nsteps: <none>\n"))
  let place = SourceRange(file: 0, start: 10, end: 15)
  let failure = Diagnostic(
    "check-failed", "the check <does> not hold", labels: [.init(place, "is false")],
    facts: [.init("x", "bell\u{07} and \"quotes\"")], notes: [.init("rerun", "rehearse run a.yaml")]
  )
  let warning = Diagnostic(
    "odd-scalar", severity: .warning, "this is text", labels: [.init(place)])
  let failed = Verdict(
    .failed, failures: [failure], assertionsReached: 3, assertionsMet: 2, duration: 1_500_000,
    eventCount: 9)
  let passed = Verdict(
    .passed, assertionsReached: 1, assertionsMet: 1, duration: 60_000_000, eventCount: 4)
  let broken = Diagnostic("yaml-syntax", "this is no YAML", labels: [.init(place)])
  return RunReport(
    files: [
      FileReport(
        path: "a.yaml", sources: sources, diagnostics: [warning],
        scenarios: [
          ScenarioReport(title: "A & B", line: 1, row: "r1", seed: 7, verdict: failed, wall: 1234),
          ScenarioReport(title: "Later", line: 5, verdict: Verdict(.skipped(reason: "not yet"))),
        ]),
      FileReport(
        path: "b.yaml", sources: sources, diagnostics: [],
        scenarios: [
          ScenarioReport(title: "Fine", line: 2, tags: ["x"], verdict: passed, wall: 900)
        ]),
      FileReport(path: "c.yaml", sources: sources, diagnostics: [broken], scenarios: []),
    ], wall: wall)
}

@Suite struct HumanReportTests {
  @Test func `failures stand in full, what was skipped takes a line, the sum comes last`() {
    #expect(
      humanReport(run()) == """
        warning[odd-scalar]: this is text
         --> a.yaml:1:11
          |
        1 | scenario: A & B
          |           ^^^^^

        FAIL a.yaml:1  A & B [r1]
        error[check-failed]: the check <does> not hold
         --> a.yaml:1:11
          |
        1 | scenario: A & B
          |           ^^^^^ is false
          |             x  bell␇ and "quotes"
          = rerun  rehearse run a.yaml

        skip a.yaml:5  Later: not yet
        error[yaml-syntax]: this is no YAML
         --> a.yaml:1:11
          |
        1 | scenario: A & B
          |           ^^^^^

        1 passed, 1 failed, 1 could not run, 1 skipped in 34.2ms (virtual 1m1.5s)

        """)
  }

  @Test func `quiet leaves out warnings and what was skipped`() {
    let text = humanReport(run(), detail: .quiet)
    #expect(!text.contains("warning"))
    #expect(!text.contains("skip a.yaml"))
    #expect(text.contains("FAIL a.yaml:1"))
    #expect(text.contains("1 skipped"))
  }

  @Test func `verbose has a line for every scenario`() {
    let text = humanReport(run(), detail: .verbose)
    #expect(text.contains("ok   b.yaml:2  Fine  1 assertion, virtual 1m\n"))
  }

  @Test func `only verbose reports pending operations, and of very many the first`() {
    var report = run()
    let open = PendingAtEnd(
      kind: "sse", name: "news", endpoint: "feed", state: "connected", since: 2_000_000)
    let request = PendingAtEnd(
      kind: "request", name: "GET /fact?\u{1B}r1", endpoint: "api", state: "pausing", since: 0)
    for scenario in [(0, 0), (1, 0)] {
      report.files[scenario.0].scenarios[scenario.1].verdict.pendingAtEnd = FirstOfMany(
        [open, request] + [PendingAtEnd](repeating: open, count: 5))
      report.files[scenario.0].scenarios[scenario.1].mask = SecretMask(["r1"])
    }
    #expect(!humanReport(report).contains("still open"))
    let lines = humanReport(report, detail: .verbose).split(separator: "\n").filter {
      $0.contains("still open")
    }
    #expect(lines.count == 12)
    #expect(lines[0] == "     still open: sse news at feed, connected since 2s")
    #expect(
      lines[1] == "     still open: GET /fact?␛*** at api, about to be tried again since 0ms")
    #expect(lines[5] == "     still open: 2 more")
  }

  @Test func `without a wall time the sum has none`() {
    #expect(humanSummary(RunReport(files: [], wall: nil)) == "0 passed (virtual 0ms)\n")
    var report = RunReport(files: [], wall: 3_000)
    report.sideBySide = 8
    #expect(humanSummary(report) == "0 passed in 3ms (virtual 0ms), 8 side by side\n")
    report.sideBySide = 1
    #expect(humanSummary(report) == "0 passed in 3ms (virtual 0ms)\n")
  }

  @Test func `colours are only used where they are asked for`() {
    #expect(!humanReport(run(), detail: .verbose).contains("\u{1B}"))
    let text = humanReport(run(), style: DiagnosticStyle(color: true))
    #expect(text.contains("\u{1B}[1;31mFAIL\u{1B}[0m"))
  }
}

@Suite struct JUnitReportTests {
  @Test func `a file is a suite, a scenario is a case, its failure is the report without colours`()
  {
    #expect(junitReport(run()) == junitText)
  }

  @Test func `no text can make the XML invalid`() {
    var report = run()
    report.files[0].scenarios[0].title = "\u{0}\u{1B}]]>\"\n\u{FFFE}\u{FFFF}"
    let text = junitReport(report)
    let control = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
    #expect(control.isEmpty)
    #expect(text.contains("name=\"\u{FFFD}\u{FFFD}]]&gt;&quot;&#10;\u{FFFD}\u{FFFD} [r1]\""))
  }
}

@Suite struct PartlyReadFileTests {
  @Test func `a file of which one scenario could not be read is not reported as all well`() {
    var report = run()
    report.files[1].diagnostics = report.files[2].diagnostics
    let tally = Tally([report.files[1]])
    #expect(tally.couldNotRun == 1 && tally.total == report.files[1].scenarios.count + 1)
    report.files = [report.files[1]]
    #expect(humanReport(report).contains("1 could not run"))
    #expect(junitReport(report).contains("errors=\"1\""))
  }
}

@Suite struct SecretReportTests {
  @Test(arguments: ["human", "junit"])
  func `a line that is quoted for a mistake hides the file's secrets`(format: String) {
    var run = run()
    run.files[2].sources = run.files[0].sources
    run.files[2].mask = SecretMask(["<none>", "A & B"])
    run.files = [run.files[2]]
    let text = format == "human" ? humanReport(run) : junitReport(run)
    #expect(!text.contains("A & B") && !text.contains("A &amp; B"))
    #expect(text.contains("***"))
  }

  @Test func `a secret that stands in a quoted line, a title or a row is masked`() {
    var report = run()
    report.files[0].scenarios[0].mask = SecretMask(["A & B", "r1"])
    for text in [humanReport(report), junitReport(report), jsonReport(report)] {
      let scenario = text.components(after: "odd-scalar")
      #expect(!scenario.contains("A &amp; B [") && !scenario.contains("A & B ["))
      #expect(text.contains("***"))
    }
    #expect(humanReport(report).contains("1 | scenario: ***\n"))
  }

  @Test func `a reason to skip and tags are masked in every format`() {
    var report = run()
    report.files[0].scenarios[0].mask = SecretMask(["waits for Godot", "t0ken"])
    report.files[0].scenarios[0].tags = ["t0ken"]
    report.files[0].scenarios[0].verdict = Verdict(.skipped(reason: "waits for Godot"))
    for text in [humanReport(report), junitReport(report), jsonReport(report)] {
      #expect(!text.contains("Godot") && !text.contains("t0ken"))
      #expect(text.contains("***"))
    }
  }

  @Test func `a short secret masks no line number, no seed and no other number of a report`() {
    var report = run()
    let plain = humanReport(report)
    for file in report.files.indices {
      for scenario in report.files[file].scenarios.indices {
        report.files[file].scenarios[scenario].mask = SecretMask(["1"])
      }
    }
    let masked = humanReport(report)
    #expect(masked.contains("-->") && !masked.contains("rerun  rehearse run ***"))
    #expect(places(in: masked) == places(in: plain))
  }

  private func places(in text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.contains("-->") || $0.contains("= rerun") }
  }
}

extension String {
  fileprivate func components(after mark: String) -> Substring {
    guard let found = firstRange(of: mark) else { return self[...] }
    return self[found.upperBound...]
  }
}

@Suite struct JSONReportTests {
  @Test func `the document reads back, and has each scenario`() throws {
    let document = try parseJSON(Array(jsonReport(run()).utf8)).get()
    #expect(document["report"] == 1)
    #expect(document["couldNotRun"] == 1)
    guard case .list(let scenarios)? = document["scenarios"] else {
      Issue.record("no scenarios")
      return
    }
    #expect(scenarios.map { $0["outcome"] } == ["failed", "skipped", "passed"])
    #expect(scenarios[0]["row"] == "r1")
    #expect(scenarios[0]["virtualMicroseconds"] == 1_500_000)
    #expect(scenarios[0]["wallMilliseconds"] == 1.234)
    #expect(scenarios[1]["reason"] == "not yet")
  }

  @Test func `faults that struck are data, and runs without any have none`() throws {
    var report = run()
    report.files[1].scenarios[0].verdict.faults = FirstOfMany([
      FaultStruck(time: 5, event: EventID(3), endpoint: "feed", connection: 1, kind: "refuse"),
      FaultStruck(
        time: 1_200, event: EventID(9), endpoint: "feed", connection: 2, kind: "delay",
        isToServer: false,
        delay: 700),
    ])
    let scenarios = try parseJSON(Array(jsonReport(report).utf8)).get()["scenarios"]
    guard case .list(let scenarios)? = scenarios else { return }
    #expect(scenarios.map { $0["faults"] != nil } == [false, false, true])
    #expect(
      scenarios[2]["faults"] == [
        [
          "microseconds": 5, "event": 3, "endpoint": "feed", "connection": 1, "kind": "refuse",
        ],
        [
          "microseconds": 1_200, "event": 9, "endpoint": "feed", "connection": 2,
          "kind": "delay", "to": "client", "delayMicroseconds": 700,
        ],
      ])
    #expect(scenarios[2]["moreFaults"] == nil)
  }

  @Test func `what was still open is data`() throws {
    var report = run()
    report.files[1].scenarios[0].mask = SecretMask(["t0ken"])
    report.files[1].scenarios[0].verdict.pendingAtEnd = FirstOfMany([
      PendingAtEnd(
        kind: "request", name: "GET /fact?t0ken", endpoint: "api", state: "unanswered", since: 7)
    ])
    let scenarios = try parseJSON(Array(jsonReport(report).utf8)).get()["scenarios"]
    guard case .list(let scenarios)? = scenarios else { return }
    #expect(scenarios.map { $0["leftOpen"] != nil } == [false, false, true])
    #expect(
      scenarios[2]["leftOpen"] == [
        [
          "kind": "request", "name": "GET /fact?***", "endpoint": "api",
          "state": "unanswered", "sinceMicroseconds": 7,
        ]
      ])
  }

  @Test func `of very many faults the first are reported, and the number of the others`() throws {
    let fault = FaultStruck(
      time: 5, event: EventID(3), endpoint: "feed", connection: 1, kind: "reset")
    var report = run()
    report.files[1].scenarios[0].verdict.faults = FirstOfMany(
      repeatElement(fault, count: FirstOfMany<FaultStruck>.kept + 17))
    let text = jsonReport(report)
    #expect(text.contains("\"moreFaults\":17"))
    #expect(text.split(separator: "\"kind\":\"reset\"").count - 1 == 1_000)
  }

  @Test func `the page about the report describes each of its members`() throws {
    let page = try #require(fileText("docs/reports.md"))
    let document = try parseJSON(Array(jsonReport(fullRun()).utf8)).get()
    let names = memberNames(of: document)
    #expect(names.count > 60)
    for name in Set(names) { #expect(page.contains("`\(name)`"), "\(name)") }
  }

  /// A run of which there is everything to tell.
  private func fullRun() -> RunReport {
    var report = run()
    report.files[0].scenarios[0].rowPlace = "rows.csv:2"
    report.files[0].snapshots = [SnapshotNote(.written, "a.json")]
    var verdict = report.files[0].scenarios[0].verdict
    let fault = FaultStruck(
      time: 5, event: EventID(3), endpoint: "feed", connection: 1, kind: "delay", isToServer: true,
      delay: 1
    )
    verdict.faults = FirstOfMany(repeatElement(fault, count: 1_001))
    let open = PendingAtEnd(kind: "sse", name: "a", endpoint: "b", state: "connected", since: 0)
    verdict.pendingAtEnd = FirstOfMany(repeatElement(open, count: 1_001))
    verdict.tries = [verdict.failures]
    verdict.failures[0].differences = [
      .init(path: "a", kind: .value, actual: "1", expected: "2")
    ]
    report.files[0].scenarios[0].verdict = verdict
    return report
  }

  private func memberNames(of value: Value) -> [String] {
    switch value {
    case .map(let map): map.flatMap { [$0.key.plainText] + memberNames(of: $0.value) }
    case .list(let elements): elements.flatMap(memberNames)
    case .null, .bool, .int, .uint, .double, .digits, .string, .bytes, .timestamp, .duration, .type,
      .optional:
      []
    }
  }

  @Test func `without wall times two reports of one run are the same to the byte`() {
    var slower = run(wall: nil)
    slower.files[0].scenarios[0].wall = 999_999
    #expect(jsonReport(slower) == jsonReport(run(wall: nil)))
    #expect(!jsonReport(slower).contains("wall"))
    #expect(junitReport(slower) == junitReport(run(wall: nil)))
  }
}

/// The run above, as a build server gets it.
private let junitText = """
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="rehearse" tests="4" failures="1" errors="1" skipped="1" time="0.034217">
    <testsuite name="a.yaml" tests="2" failures="1" errors="0" skipped="1" time="0.001234">
      <testcase name="A &amp; B [r1]" classname="a.yaml" file="a.yaml" line="1" \
  assertions="3" time="0.001234">
        <properties>
          <property name="seed" value="7"/>
          <property name="virtual-time" value="1.5s"/>
          <property name="events" value="9"/>
        </properties>
        <failure type="check-failed" message="the check &lt;does&gt; not hold">\
  error[check-failed]: the check &lt;does&gt; not hold
   --&gt; a.yaml:1:11
    |
  1 | scenario: A &amp; B
    |           ^^^^^ is false
    |             x  bell␇ and "quotes"
    = rerun  rehearse run a.yaml
  </failure>
      </testcase>
      <testcase name="Later" classname="a.yaml" file="a.yaml" line="5" assertions="0">
        <properties>
          <property name="virtual-time" value="0ms"/>
          <property name="events" value="0"/>
        </properties>
        <skipped message="not yet"/>
      </testcase>
    </testsuite>
    <testsuite name="b.yaml" tests="1" failures="0" errors="0" skipped="0" time="0.000900">
      <testcase name="Fine" classname="b.yaml" file="b.yaml" line="2" assertions="1" \
  time="0.000900">
        <properties>
          <property name="virtual-time" value="1m"/>
          <property name="events" value="4"/>
          <property name="tag" value="x"/>
        </properties>
      </testcase>
    </testsuite>
    <testsuite name="c.yaml" tests="1" failures="0" errors="1" skipped="0" time="0.000000">
      <testcase name="c.yaml" classname="c.yaml" file="c.yaml">
        <error type="yaml-syntax" message="this is no YAML">\
  error[yaml-syntax]: this is no YAML
   --&gt; a.yaml:1:11
    |
  1 | scenario: A &amp; B
    |           ^^^^^
  </error>
      </testcase>
    </testsuite>
  </testsuites>

  """
