import Diagnostics
import Protocols
import Reports
import Secrets
import Testing
import Traces
import Values
import Verdicts

/// A run with a failed scenario between two that passed, and a file that could not be read.
private func run() -> RunReport {
  var sources = SourceMap()
  _ = sources.add(SourceFile(path: "a.yaml", text: "scenario: </script>\nsteps: []\n"))
  let failure = Diagnostic(
    "check-failed", "no: </script><b>",
    labels: [.init(SourceRange(file: 0, start: 10, end: 19), "is false")],
    notes: [.init("rerun", "rehearse run a.yaml")])
  var broken = ScenarioReport(
    title: "</script><img src=x>", line: 4, tags: ["<i>"],
    verdict: Verdict(.failed, failures: [failure]))
  broken.timeline = RunTimeline(facts: ["virtual": true], pieces: ["QUJD"])
  let passed = { (line: Int) in
    ScenarioReport(title: "Passes", line: line, tags: [], verdict: Verdict(.passed))
  }
  let unread = Diagnostic("unreadable-file", "`c.yaml` cannot be read")
  var run = RunReport(
    files: [
      FileReport(
        path: "a.yaml", sources: sources, diagnostics: [],
        scenarios: [passed(1), broken, passed(9)]),
      FileReport(path: "c.yaml", sources: SourceMap(), diagnostics: [unread], scenarios: []),
    ], wall: nil)
  run.coverage = Coverage()
  run.coverage?.add([
    route("GET /", column: 5, isReached: false), route("GET /b", column: 6, isReached: true),
  ])
  return run
}

private func route(_ name: String, column: Int, isReached: Bool) -> CoveredPart {
  CoveredPart(
    .route, part: "route `\(name)`", path: "a.yaml", line: 4, column: column,
    isReached: isReached)
}

/// Returns the expanded text of an element of the page; nil if it is not there.
private func text(_ id: String, in page: String) -> String? {
  let parts = page.split(separator: " id=\"\(id)\">", maxSplits: 1)
  guard parts.count == 2, let bytes = Base64.decode(String(parts[1].prefix { $0 != "<" })) else {
    return nil
  }
  var decoder = ContentDecoder(.deflate)
  return decoder.receive(bytes).reduce(into: "") { text, item in
    if case .bytes(let bytes) = item { text += String(decoding: bytes, as: UTF8.self) }
  }
}

private struct NoRows: Error {}

@Suite struct HTMLReportTests {
  @Test func `what failed comes first, then what could not run`() throws {
    let rows = try #require(text("rows0", in: htmlReport(run())))
    let json = try parseJSON(rows).get()
    guard case .list(let list) = json else { throw BadRows() }
    #expect(list.map { $0["o"] } == ["failed", "could-not-run", "passed", "passed"])
    #expect(list.map { $0["t"] }.first == "</script><img src=x>")
  }

  private struct BadRows: Error {}

  @Test func `the row of a failure has its place, and the first things that differ`() throws {
    var report = run()
    report.files[0].scenarios[1].verdict.failures[0].differences = [
      .init(path: "", kind: .value, actual: "0", expected: "1"),
      .init(path: ".status", kind: .value, actual: "500", expected: "200"),
    ]
    for facts in [false, true] {
      if facts {
        report.files[0].scenarios[1].verdict.failures[0].differences = []
        report.files[0].scenarios[1].verdict.failures[0].facts = [.init("actual", "500")]
      }
      let rows = try parseJSON(try #require(text("rows0", in: htmlReport(report)))).get()
      guard case .list(let list) = rows, let row = list.first else { throw NoRows() }
      #expect(row["i"] == "check-failed" && row["q"] == "a.yaml:1:11")
      #expect(row["f"] == (facts ? [["actual", "500"]] : [[".status", "500", "200", "value"]]))
      #expect(list.last?["f"] == nil && list.last?["i"] == nil)
    }
  }

  @Test func `the row of a file with warnings shows them, and no error of a scenario`() throws {
    let warning = Diagnostic("no-assertions", severity: .warning, "nothing is asserted")
    let error = Diagnostic("unknown-step", "there is no step `chekc`")
    let broken = ScenarioReport(
      title: "Broken", line: 1, verdict: Verdict(couldNotRunBecauseOf: .scenario, failures: [error])
    )
    let file = FileReport(
      path: "a.yaml", sources: SourceMap(), diagnostics: [error, warning], scenarios: [broken])
    let page = htmlReport(RunReport(files: [file], wall: nil))
    let rows = try parseJSON(try #require(text("rows0", in: page))).get()
    guard case .list(let rows) = rows else { throw NoRows() }
    let messages = rows.map { [$0["o"]?.plainText, $0["m"]?.plainText] }
    #expect(
      messages == [
        ["could-not-run", "there is no step `chekc`"], ["warned", "nothing is asserted"],
      ])
    let details = try parseJSON(try #require(text("details0", in: page))).get()
    guard case .list(let details) = details else { throw NoRows() }
    #expect(rows.map { $0["d"] } == [[0, 0], [0, 1]])
    #expect(details.map { $0.json().contains("chekc") } == [true, false])
  }

  @Test func `the overview has what was not reached, and how often rules were exercised`() throws {
    var run = run()
    run.rules = [RuleTally("event-cut", exercised: 3, broken: 1)]
    let head = try parseJSON(try #require(text("head", in: htmlReport(run)))).get()
    #expect(head["covered"] == "1 of 2 routes")
    #expect(
      head["coverage"]?["unreached"] == [["part": "route `GET /`", "path": "a.yaml", "line": 4]])
    #expect(head["rules"] == [["rule": "event-cut", "exercised": 3, "broken": 1]])
  }

  @Test func `no text of a run can become markup`() {
    let page = htmlReport(run())
    #expect(!page.contains("<img") && !page.contains("<b>") && !page.contains("<i>"))
    #expect(page.components(of: "<script") == page.components(of: "</script>"))
  }

  @Test func `what a row opens has its failures as people read them, and its timeline`() throws {
    let page = htmlReport(run())
    let detail = try #require(text("details0", in: page))
    #expect(detail.contains("1 | scenario: </script>") && detail.contains(#""virtual":true"#))
    #expect(page.contains(#"id="piece0-0">QUJD<"#))
  }

  @Test func `short timelines are compressed together, long ones in pieces`() throws {
    var report = run()
    for index in [0, 2] {
      var pieces = TimelinePieces()
      for _ in 0..<(index == 0 ? 3 : 300) {
        pieces.append(TraceLine(.step, ["verb": .string("</script>")]))
      }
      report.files[0].scenarios[index].timeline = RunTimeline(
        isVirtual: true, clock: nil, sources: [], lines: [], &pieces)
    }
    let page = htmlReport(report)
    let details = try parseJSON(try #require(text("details0", in: page))).get()
    guard case .list(let details) = details else { throw NoRows() }
    let lines = details.map { detail -> Int? in
      if case .list(let lines)? = detail["lines"] { lines.count } else { nil }
    }
    #expect(lines == [nil, nil, 3, nil])
    let long = try #require(text("piece3-0", in: page))
    #expect(long.split(separator: "\n").count == 300 && text("piece2-0", in: page) == nil)
    let part = ReportPart(path: "1.ndjson", bytes: Array(reportEvents(report).utf8))
    #expect(htmlReport(mergeReports([part]).run) == page)
  }

  @Test func `lines that are no JSON do not reach the lists of short timelines`() {
    for text in ["{\"n\":1}\n]</script>\n", "{\"n\":1}", "\n", "{\"n\":1}\n\n"] {
      let piece = Base64.encode(deflatedRaw(Array(text.utf8)))
      let timeline = RunTimeline(facts: [:], pieces: [piece])
      #expect(timeline.shortList == nil && timeline.pieces == [piece])
    }
    let piece = Base64.encode(deflatedRaw(Array("{\"n\":1}\n".utf8)))
    #expect(RunTimeline(facts: [:], pieces: [piece]).shortList == "[{\"n\":1}]")
  }

  @Test func `the page may run its own script, and reach nothing`() {
    let page = htmlReport(RunReport(files: [], wall: nil))
    #expect(page.contains("default-src 'none'; script-src 'sha256-"))
    #expect(!page.contains("http://") || page.components(of: "http://") == 1)
    #expect(!page.contains("https://") && !page.contains("src="))
  }

  @Test func `secrets are masked in all of it`() throws {
    var report = run()
    report.files[0].scenarios[1].mask = SecretMask(["img src", "<b>"])
    let page = htmlReport(report)
    for id in ["rows0", "details0"] {
      let shown = try #require(text(id, in: page))
      #expect(!shown.contains("img src") && shown.contains("***"))
    }
  }
}

@Suite struct MergedReportTests {
  private let part = Array(reportEvents(run()).utf8)

  @Test func `a report that is written as events, read again, is the same`() {
    let merged = mergeReports([ReportPart(path: "1.ndjson", bytes: part)])
    #expect(merged.problems == [])
    #expect(jsonReport(merged.run) == jsonReport(run()))
    #expect(humanReport(merged.run) == humanReport(run()))
    #expect(htmlReport(merged.run) == htmlReport(run()))
  }

  @Test func `what one part of a suite has reached is reached, and the rest is counted once`() {
    var other = run()
    other.coverage = Coverage()
    other.coverage?.add([
      route("GET /", column: 5, isReached: true), route("GET /c", column: 7, isReached: false),
    ])
    let parts = [run(), other].enumerated().map { number, run in
      ReportPart(path: "\(number).ndjson", bytes: Array(reportEvents(run).utf8))
    }
    let coverage = mergeReports(parts).run.coverage.map { humanCoverage($0) }
    #expect(coverage == "not reached: a.yaml:4  route `GET /c`\ncoverage: 2 of 3 routes\n")
  }

  @Test func `a piece of a timeline that is no Base64 does not reach the page`() {
    let text = reportEvents(run()).replacing("QUJD", with: "</script><img src=x>")
    let merged = mergeReports([ReportPart(path: "1.ndjson", bytes: Array(text.utf8))])
    #expect(!htmlReport(merged.run).contains("<img"))
  }

  @Test func `a damaged part is refused, or makes some report`() {
    let signs = Array("0-9\"{}[],:\n\u{0}x".utf8)
    for round in 0..<600 {
      var bytes = part
      for turn in 0..<(1 + round % 4) {
        let place = (round &* 7_919 &+ turn &* 104_729) % bytes.count
        bytes[place] = signs[(round / 3 + turn) % signs.count]
      }
      let merged = mergeReports([ReportPart(path: "1.ndjson", bytes: bytes)])
      _ = humanReport(merged.run, detail: .verbose) + junitReport(merged.run)
    }
  }

  @Test(arguments: ["\"line\":", "\"column\":", "\"endLine\":", "\"virtualMicroseconds\":"])
  func `a number of any size makes some report`(_ member: String) {
    for number in ["-9223372036854775808", "9223372036854775807", "1e300", "18446744073709551615"] {
      let text = reportEvents(run()).replacing(member, with: "\(member)\(number),\"old\":")
      let merged = mergeReports([ReportPart(path: "1.ndjson", bytes: Array(text.utf8))])
      #expect(!(humanReport(merged.run, detail: .verbose) + jsonReport(merged.run)).isEmpty)
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
