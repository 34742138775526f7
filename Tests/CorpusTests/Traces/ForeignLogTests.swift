import Glibc
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values

/// Logs of any program, held against a scenario.
@Suite struct ForeignLogTests {
  private static let scenario = """
    scenario: A payment is confirmed
    sources: { pay: { from: { where: line.logger == 'pay', value: line.msg, time: line.ts } } }
    invariants: [{ never: pay == 'refused' }]
    steps: [{ expect: [{ pay: begun }, { pay: done, after: 1500ms }] }]
    """

  private func judge(
    _ log: String, _ scenario: String = scenario, _ words: String = "a.log"
  ) throws -> (code: Int, said: String) {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.yaml", scenario) && folder.write("a.log", log)
    try #require(isWritten)
    let program = SpawnedCommand.built("rehearse")
    let script = "cd '\(folder.path)'; exec 2>&1; \(words.replacing("rehearse", with: program))"
    let line =
      words == "a.log" ? "cd '\(folder.path)'; exec 2>&1; \(program) judge a.yaml a.log" : script
    let command = try #require(SpawnedCommand(["-c", line], program: "bash"))
    return (Int(command.exitCode() ?? -1), command.said)
  }

  private func log(_ first: String, _ second: String) -> String {
    """
    {"logger":"web","msg":"GET /"}
    a line of text
    {"logger":"pay","ts":\(first),"msg":"begun"}
    {"logger":"pay","ts":\(second),"msg":"done"}

    """
  }

  @Test(arguments: [
    ("1767607200", "1767607201.5"), ("1767607200000", "1767607201500"),
    ("1767607200000000", "1767607201500000"), ("1767607200000000000", "1767607201500000000"),
    (#""1767607200""#, #""1767607201.5""#),
    (#""2026-01-05T10:00:00Z""#, #""2026-01-05T11:00:01.5+0100""#),
    (#""2026-01-05 10:00:00,000""#, #""2026-01-05 10:00:01,500""#),
    (#""2026-01-05 10:00:00 UTC""#, #""2026-01-05T10:00:01.500+00""#),
    (#""05/Jan/2026:10:00:00 +0000""#, #""2026-01-05t10:00:01.5z""#),
    (#""2016-12-31T23:59:58.500Z""#, #""2016-12-31T23:59:60Z""#.replacing("60Z", with: "60.0Z")),
  ])
  func `a time is read in each usual spelling`(first: String, second: String) throws {
    let isLeap = first.contains("2016")
    let scenario = isLeap ? Self.scenario.replacing("1500ms", with: "500ms") : Self.scenario
    let (code, said) = try judge(log(first, second), scenario)
    #expect(code == 0, "\(said)")
    #expect(said.hasPrefix("1 passed"), "\(said)")
  }

  @Test func `a failure names the line of the log`() throws {
    let (code, said) = try judge(log("1", "2.5") + #"{"logger":"pay","ts":3,"msg":"refused"}"#)
    #expect(code == 1)
    #expect(said.contains("a.log:5"), "\(said)")
  }

  @Test func `a source that takes no line, and a line without its value, are warnings`() throws {
    let (_, said) = try judge(log("1", "2.5"), Self.scenario.replacing("logger", with: "loger"))
    #expect(said.contains("warning[no-line-of-source]: none of 4 lines"), "\(said)")
    #expect(said.contains("did you mean 'logger'?"))
    let (_, value) = try judge(log("1", "2.5"), Self.scenario.replacing("line.msg", with: "line.x"))
    #expect(value.contains("warning[line-not-mapped]"), "\(value)")
    #expect(value.contains("a.log:3:1"))
    let (_, time) = try judge(log("1", #""soon""#))
    #expect(time.contains("warning[line-without-time]"), "\(time)")
  }

  @Test(arguments: [
    ("gzip -k a.log; rehearse judge a.yaml a.log.gz", 0),
    ("cat a.log | rehearse judge a.yaml - --follow", 0),
    ("gzip -c a.log | rehearse judge a.yaml -", 0),
    ("gzip -c a.log | rehearse judge a.yaml - --follow", 0),
    ("(head -n 3 a.log | gzip; tail -n 1 a.log | gzip) | rehearse judge a.yaml -", 0),
    ("gzip -c a.log | head -c 60 | rehearse judge a.yaml -", 2),
    ("gzip -c a.log | head -c 60 | rehearse judge a.yaml - --follow", 2),
    ("(yes '{\"logger\":\"web\"}' | head -n 100000; cat a.log) | rehearse judge a.yaml -", 0),
    ("(yes '' | head -n 2000000; cat a.log) | gzip -c | rehearse judge a.yaml -", 0),
    (
      "(cat a.log; echo '{\"logger\":\"pay\",\"ts\":9,\"msg\":\"refused\"}'; sleep 2) "
        + "| rehearse judge a.yaml - --follow",
      1
    ),
    ("(head -n 3 a.log; sleep 0.2) | rehearse judge a.yaml - --follow", 1),
    ("rehearse judge a.yaml a.log --follow", 2),
  ])
  func `a log may be compressed, or come line by line`(words: String, code: Int) throws {
    var line = words
    // The pause at the end must not keep the test.
    if words.contains("sleep 2") { line += "; c=$?; kill $! 2>/dev/null; exit $c" }
    let answer = try judge(log("1", "2.5"), Self.scenario, line)
    #expect(answer.code == code, "\(answer.said)")
  }

  private static let text = """
    scenario: Two jobs
    sources: { jobs: { from: { where: "line.contains('job')", value: "line.split('job ')[1]" } } }
    steps: [{ expect: [{ jobs: a }, { jobs: b, after: 2s }] }]
    """

  /// The first line of a log, in which the time of the second is two seconds later.
  @Test(arguments: [
    "2026/01/05 10:00:00 [error] 7#7: *1 job a",
    "<34>1 2026-01-05T10:00:00.003Z host app - - job a",
    "time=2026-01-05T10:00:00Z level=info msg=job a", "ERROR 2026-01-05 10:00:00,123 job a",
    "[2026-01-05 10:00:00,123] INFO job a", "[main] INFO 2026-01-05T10:00:00.123+01:00 job a",
    "2026-01-05T10:00:00.000+0100\tINFO\tmain.go:3\tjob a",
    "127.0.0.1 - - [05/Jan/2026:10:00:00 +0000] job a", "2026-01-05 10:00:00 +0100 7 job a",
    "host 10.0.0.7:8080 12345678901 at 2026-01-05 10:00:00.5: job a",
    "10:00 (2026-01-05 10:00:00) job a",
  ])
  func `the time of a line of text is found where it stands`(first: String) throws {
    let second = first.replacing(":00:00", with: ":00:02").replacing("job a", with: "job b")
    let (code, said) = try judge(
      "\(first)\nTraceback (most recent call last):\n  File \"x.py\", line 3\n\(second)\n",
      Self.text)
    #expect(code == 0 && said.hasPrefix("1 passed"), "\(said)")
  }

  @Test func `a number of seconds that begins a line is its time`() throws {
    let (code, said) = try judge("1767607200: job a\n1767607202: job b\n", Self.text)
    #expect(code == 0, "\(said)")
  }

  @Test func `events without a time are said`() throws {
    let (code, said) = try judge("10:00 job a\n10:02 job b\n", Self.text)
    #expect(code == 1, "\(said)")
    #expect(said.contains("note[line-without-time]: a.log:1:1: 2 events have no time"), "\(said)")
  }

  @Test func `lines of a trace and lines of a log are followed alike`() throws {
    let scenario = """
      scenario: A cart
      sources: { cart: {} }
      steps: [{ expect: { cart: [1, 2] } }]
      """
    let lines = #"{"trace":1}"# + "\n" + #"{"source":"cart","value":1}"# + "\n"
    let whole = lines + #"{"source":"cart","value":2}"# + "\n"
    let line = "cat a.log | rehearse judge a.yaml - --follow"
    #expect(try judge(whole, scenario, line).code == 0)
    #expect(try judge(lines, scenario, line).code == 1)
  }
}
