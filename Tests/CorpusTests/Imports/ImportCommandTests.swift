import TestKit
import Testing

/// `rehearse import` as a shell runs it.
@Suite struct ImportCommandTests {
  private static let archive = """
    {"log":{"entries":[{"startedDateTime":"2026-01-05T10:00:00Z","time":5,
    "request":{"method":"GET","url":"http://shop.example/cart"},
    "response":{"status":200,"content":{"mimeType":"application/json","text":"[1]"}}}]}}
    """

  @Test(arguments: [
    ("{\"log\":", "is neither a trace nor an HTTP Archive: the JSON text ends before"),
    ("{\n  \"log\": ?\n}", "a.har:2:10"), ("{\"log\":{}}", "has no list at `/log/entries`"),
    ("{\"trace\":1,\"run\":1}\n{\"us\":1}\n{\"trace\":1,\"run\":2}\n", "a.har:1:1"),
    ("[]", "is neither a trace nor an HTTP Archive"), ("", "is neither a trace nor an HTTP"),
    ("{\"log\":{\"entries\":[]}}", "there is no request in a.har to import"),
    ("{\"trace\":1}\n", "there is no request in a.har to import"),
    ("{\"trace\":1}\n{\"us\":\"x\"}\n", "error[unreadable-trace-line]"),
  ])
  func `what is no recording is refused by name`(text: String, said: String) throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.har", text)
    try #require(isWritten)
    let command = try #require(SpawnedCommand(["import", folder.file("a.har")]))
    #expect(command.exitCode() == 2)
    #expect(command.said.contains(said), "\(command.said)")
  }

  @Test(arguments: [
    #""method":"GET","url":"chrome-extension://a/b""#, #""method":"GET","url":"not a URL""#,
    #""method":"FROB","url":"http://shop.example/b""#,
    #""method":"A\nB","url":"http://shop.example/b""#,
  ])
  func `what no client sends by HTTP is left out with a note`(request: String) throws {
    let folder = try TemporaryFolder()
    let archive = Self.archive.replacing(
      "\"entries\":[{", with: "\"entries\":[{\"request\":{\(request)}},7,{")
    try #require(folder.write("a.har", archive))
    let path = folder.file("a.scenario.yaml")
    let written = try #require(SpawnedCommand(["import", folder.file("a.har"), "--write", path]))
    try #require(written.exitCode() == 0, "\(written.said)")
    let text = try #require(folder.text("a.scenario.yaml"))
    #expect(text.contains("\n# What is no request by HTTP was left out: a.har /log"), "\(text)")
    #expect(text.contains("/log/entries/0") && text.contains("/log/entries/1"), "\(text)")
    let run = try #require(SpawnedCommand(["run", path]))
    #expect(run.exitCode() == 0, "\(run.said)\n\(text)")
  }

  @Test func `a subprotocol that the server chose was offered, also if the request has no headers`()
    throws
  {
    let folder = try TemporaryFolder()
    let archive = """
      {"log":{"entries":[{"startedDateTime":"2026-01-05T10:00:00Z","time":5,
      "request":{"method":"GET","url":"wss://shop.example/live","headers":[]},
      "response":{"status":101,"headers":[{"name":"Sec-WebSocket-Protocol","value":"v1"}]},
      "_webSocketMessages":[{"type":"send","time":1767607200,"opcode":1,"data":"hello"}]}]}}
      """
    try #require(folder.write("a.har", archive))
    let path = folder.file("a.scenario.yaml")
    let written = try #require(SpawnedCommand(["import", folder.file("a.har"), "--write", path]))
    try #require(written.exitCode() == 0, "\(written.said)")
    let run = try #require(SpawnedCommand(["run", path]))
    #expect(run.exitCode() == 0, "\(run.said)")
  }

  @Test(arguments: [
    (#"{"name":"bad name:","value":"1"}"#, "`bad name:` (a.har /log/entries/0)"),
    (#"{"name":"","value":"1"}"#, "`` (a.har"),
    (#"{"name":"x\ny: z","value":"1"}"#, "`x y: z` (a.har"),
    (#"{"name":"X-Bell","value":"a\u0007"}"#, "`X-Bell` (a.har"),
  ])
  func `a header that HTTP does not allow is left out with a note`(
    header: String, note: String
  ) throws {
    let folder = try TemporaryFolder()
    let headers = #","headers":[\#(header),{"name":"X-Kept","value":"2"}]"#
    let isWritten = folder.write(
      "a.har",
      Self.archive.replacing("/cart\"", with: "/cart\"" + headers)
        .replacing("\"status\":200", with: "\"status\":200" + headers))
    try #require(isWritten)
    let path = folder.file("a.scenario.yaml")
    let written = try #require(SpawnedCommand(["import", folder.file("a.har"), "--write", path]))
    try #require(written.exitCode() == 0, "\(written.said)")
    let text = try #require(folder.text("a.scenario.yaml"))
    #expect(text.contains("\n# Headers that HTTP does not allow were left out: " + note), "\(text)")
    #expect(text.contains("X-Kept"))
    let run = try #require(SpawnedCommand(["run", path]))
    #expect(run.exitCode() == 0, "\(run.said)\n\(text)")
  }

  /// A list with an id, and a WebSocket whose request has the same text in a header of its own.
  @Test(arguments: [
    (#"{"name":"Set-Cookie","value":"a=1; Path=/\nb=2; Path=/"}"#, "Set-Cookie: "),
    (#"{"name":"X-Kept","value":"1"}"#, "$as"),
  ])
  func `what browsers add to headers is neither sent wrongly nor taken for a use`(
    header: String, part: String
  ) throws {
    let archive = """
      {"log":{"entries":[
      {"startedDateTime":"2026-01-05T10:00:00Z","time":5,
      "request":{"method":"GET","url":"http://shop.example/list"},
      "response":{"status":200,"headers":[\(header)],
      "content":{"mimeType":"application/json","text":"[{\\"id\\":13}]"}}},
      {"startedDateTime":"2026-01-05T10:00:01Z","time":5,"_webSocketMessages":[
      {"type":"receive","time":1767607202,"opcode":1,"data":"hello"}],
      "request":{"method":"GET","url":"ws://shop.example/ws",
      "headers":[{"name":"Sec-WebSocket-Version","value":"13"}]},
      "response":{"status":101,"headers":[],"content":{}}}]}}
      """
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.har", archive)
    try #require(isWritten)
    let path = folder.file("a.scenario.yaml")
    let written = try #require(SpawnedCommand(["import", folder.file("a.har"), "--write", path]))
    try #require(written.exitCode() == 0)
    let text = try #require(folder.text("a.scenario.yaml"))
    #expect(text.contains(part) == (part != "$as"), "\(text)")
    let run = try #require(SpawnedCommand(["run", path]))
    #expect(run.exitCode() == 0, "\(run.said)\n\(text)")
  }

  @Test func `a scenario is written once, and runs`() throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.har", Self.archive)
    try #require(isWritten)
    let words = ["import", folder.file("a.har"), "--write", folder.file("a.scenario.yaml")]
    #expect(try #require(SpawnedCommand(words)).exitCode() == 0)
    let run = try #require(SpawnedCommand(["run", folder.file("a.scenario.yaml")]))
    #expect(run.exitCode() == 0)
    let again = try #require(SpawnedCommand(words))
    #expect(again.exitCode() == 3)
    #expect(again.said.contains("exists already and was left as it is"))
  }
}
