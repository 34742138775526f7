import Diagnostics
import Explanations
import TestKit
import Testing
import TraceRecording
import Traces
import Values
import Verdicts

/// `rehearse check` as a shell runs it.
@Suite struct CheckCommandTests {
  /// An archive with one entry for each kind of answer; `BODY` is that of the event stream.
  private static let archive = """
    {"log":{"entries":[
    {"startedDateTime":"2026-01-05T10:00:00Z","time":5,
    "request":{"method":"GET","url":"http://shop.example/events","headers":[]},
    "response":{"status":200,"headers":[{"name":"Content-Type","value":"text/event-stream"}],
    "content":{"mimeType":"text/event-stream","text":"BODY"}}},
    {"startedDateTime":"2026-01-05T10:00:01Z","time":5,"_webSocketMessages":[
    {"type":"send","time":1,"opcode":1,\
    "data":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"a\\"}"},
    {"type":"receive","time":2,"opcode":1,\
    "data":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":1}"},
    {"type":"receive","time":3,"opcode":8,"data":"CODE"}],
    "request":{"method":"GET","url":"ws://shop.example/rpc","headers":[]},
    "response":{"status":101,"headers":[],"content":{}}}]}}
    """

  private static let wholeStream = #"id: 1\ndata: a\n\nid: 2\ndata: b\n\n"#
  /// 1000, in Base64.
  private static let goodCode = "A+g="

  private func check(_ files: [(String, String)], _ words: String...) throws -> (Int32?, String) {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let isWritten = folder.write(name, text)
      try #require(isWritten)
    }
    let command = try #require(
      SpawnedCommand(["check"] + files.map { folder.file($0.0) } + words))
    return (command.exitCode().map { Int32($0) }, command.said)
  }

  private func archive(_ body: String, code: String = CheckCommandTests.goodCode) -> String {
    Self.archive.replacing("BODY", with: body).replacing("CODE", with: code)
  }

  @Test func `an archive that obeys the rules has a table of what was exercised`() throws {
    let (code, said) = try check([("a.har", archive(Self.wholeStream))])
    #expect(code == 0, "\(said)")
    for row in ["event-id-goes-back                         2       0", "1 passed"] {
      #expect(said.contains(row), "\(said)")
    }
    #expect(said.contains("call-not-answered-once                     1       0"), "\(said)")
  }

  @Test(arguments: [
    (#"id: 2\ndata: a\n\nid: 1\ndata: b\n\n"#, "event-id-goes-back", "entry 1, part 2"),
    (#"data: [DONE]\n\ndata: b\n\n"#, "event-after-done", "entry 1, part 2"),
    (#"data: a\n\ndata: b"#, "event-cut", "entry 1, part 2"),
    (#"data: a\r\n\r\nda"#, "event-cut", nil),
    (#"{\"error\":1}"#, "content-type-does-not-fit", "entry 1, part 1"),
  ])
  func `a finding in an archive names its entry`(body: String, id: String, place: String?) throws {
    let (code, said) = try check([("a.har", archive(body))])
    guard let place else {
      // Two letters of a field's name are no field.
      #expect(code == 0, "\(said)")
      return
    }
    #expect(code == 1)
    #expect(said.contains("[\(id)]"), "\(said)")
    #expect(said.contains("= witness  \(place), at "), "\(said)")
  }

  @Test func `a close frame of an archive may not have the code for none`() throws {
    let (code, said) = try check([("a.har", archive(Self.wholeStream, code: "A+0="))])
    #expect(code == 1)
    #expect(said.contains("closes with the code 1005"), "\(said)")
  }

  private static let trace = """
    {"trace":1}
    {"kind":"request","source":"feed",\
    "value":{"method":"GET","path":"/"},"connection":1,"from":"client"}
    {"kind":"stream","source":"feed",\
    "value":{"headers":{"content-type":"text/event-stream"},"status":200},\
    "connection":1,"from":"server"}
    {"kind":"event","source":"feed","value":{"id":"8","data":"a"},"connection":1,"from":"server"}
    {"kind":"event","source":"feed","value":{"id":"7","data":"b"},"connection":1,"from":"server"}

    """

  @Test func `a finding in a trace is at its line, with both events`() throws {
    let (code, said) = try check([("a.trace.jsonl", Self.trace)])
    #expect(code == 1)
    #expect(said.contains("a.trace.jsonl:5:1"), "\(said)")
    #expect(said.contains("= witness  event 3, at 0ms: id `8`"), "\(said)")
    #expect(said.contains("= witness  event 4, at 0ms: id `7`"), "\(said)")
  }

  @Test func `programs get the findings and the table as JSON`() throws {
    let files = [("a.trace.jsonl", Self.trace), ("b.har", archive(Self.wholeStream))]
    let (code, said) = try check(files, "--format", "json")
    #expect(code == 1)
    let json = try parseJSON(said).get()
    #expect(json["failed"] == 1 && json["passed"] == 1)
    guard case .list(let rules)? = json["rules"] else {
      Issue.record("\(said)")
      return
    }
    #expect(rules.first?["rule"] == "event-id-goes-back")
    #expect(rules.first?["exercised"] == 4 && rules.first?["broken"] == 1)
  }

  @Test(arguments: [
    ("a.har", "{\"log\":", "is neither a trace nor an HTTP Archive"),
    ("a.har", "{\"log\":{}}", "has no list at `/log/entries`"),
    ("a.trace.jsonl", "", "the first line of a trace is its header"),
    ("a.trace.jsonl", "{\"trace\":1}\n{\"us\":\"x\"}\n", "error[unreadable-trace-line]"),
  ])
  func `what cannot be read is refused by name`(name: String, text: String, part: String) throws {
    let (code, said) = try check([(name, text)])
    #expect(code == 2)
    #expect(said.contains(part), "\(said)")
  }

  @Test(arguments: diagnosticPages(on: .protocols).filter { $0.wrong.hasPrefix("{") })
  func `the wrong example of a rule's page is found, and the right one is not`(
    page: DiagnosticPage
  ) throws {
    func broken(_ lines: String) throws -> [DiagnosticID] {
      let run = try #require(ReadTrace(Array("{\"trace\":1}\n\(lines)\n".utf8)).onlyRun)
      return run.watched(in: 0).found.map(\.rule.id)
    }
    #expect(try broken(page.wrong).contains(page.id))
    #expect(try !broken(page.right).contains(page.id))
  }
}
