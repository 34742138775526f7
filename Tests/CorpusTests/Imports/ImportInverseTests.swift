import TestKit
import Testing

/// What is imported passes against its own mocks, and what is exported is imported again.
@Suite struct ImportInverseTests {
  private static func entry(
    _ method: String, _ url: String, _ status: Int, _ content: String = "{}",
    headers: String = "", more: String = ""
  ) -> String {
    """
    {"startedDateTime":"2026-01-05T10:00:00Z","time":5\(more),
    "request":{"method":"\(method)","url":"\(url)","headers":[\(headers)]},
    "response":{"status":\(status),"headers":[],"content":\(content)}}
    """
  }

  private static func archive(_ entries: String...) -> String {
    "{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}"
  }

  private static let text = #"{"mimeType":"text/plain","text":"cached"}"#
  private static let json = #"{"mimeType":"application/json","text":"{\"n\":1}"}"#
  private static let other = #"{"mimeType":"application/json","text":"{\"n\":2}"}"#
  private static let cookie = #"{"name":"Cookie","value":"last=/account/overview"}"#
  private static let messages = """
    ,"_webSocketMessages":[
    {"type":"send","time":1,"opcode":1,"data":"{\\"token\\":\\"Aq3Zk7Lm9Pw2XrB8\\"}"},
    {"type":"receive","time":2,"opcode":1,"data":"welcome"},
    {"type":"receive","time":3,"opcode":8,"data":"D6A="}]
    """
  private static let lines =
    #"{"mimeType":"application/x-ndjson","text":"{\"n\":1}\n{\"n\":2}\n"}"#

  /// Runs commands in a folder that has files, and returns how they end and what they print.
  private func run(_ files: [(String, String)], _ script: String) throws -> (Int, String) {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let isWritten = folder.write(name, text)
      try #require(isWritten)
    }
    let line = script.replacing("rehearse", with: SpawnedCommand.built("rehearse"))
    let command = try #require(
      SpawnedCommand(["-c", "cd '\(folder.path)'; exec 2>&1; \(line)"], program: "bash"))
    return (Int(command.exitCode() ?? -1), command.said)
  }

  @Test(arguments: [
    archive(entry("GET", "http://x.example/a", 304, text)),
    archive(
      entry("HEAD", "http://x.example/a", 200, text),
      entry("PUT", "http://x.example/a", 204, text)),
    archive(
      entry("GET", "http://x.example/projects/team%2Fone", 200, json),
      entry("GET", "http://x.example/projects/team%2Ftwo", 200, other)),
    archive(entry("GET", "http://x.example/account/overview", 200, json, headers: cookie)),
    archive(entry("GET", "ws://x.example/chat", 101, more: messages)),
    archive(entry("GET", "http://x.example/rows", 200, lines)),
    archive(entry("GET", "http://\(String(repeating: "aB3", count: 30)).example/a", 200, json)),
  ])
  func `an import passes against its own mocks`(archive: String) throws {
    let (code, said) = try run(
      [("a.har", archive)],
      "rehearse import a.har --write a.scenario.yaml && rehearse run a.scenario.yaml "
        + "|| (cat a.scenario.yaml; exit 1)"
    )
    #expect(code == 0, "\(said)")
  }

  @Test func `the mock of a WebSocket takes the real token`() throws {
    let archive = Self.archive(Self.entry("GET", "ws://x.example/chat", 101, more: Self.messages))
    let (code, said) = try run(
      [("a.har", archive)],
      "rehearse import a.har > a.yaml && cat a.yaml "
        + "&& rehearse run a.yaml --var token=another-token-of-7"
    )
    #expect(code == 0, "\(said)")
    #expect(said.contains("receive: { token: \"${token}\" }") || said.contains("${token}"))
    #expect(said.contains("code: 4000"))
  }

  @Test func `a second recording may lack a body whose values are used`() throws {
    let login = Self.entry(
      "POST", "http://x.example/login", 200,
      #"{"mimeType":"application/json","text":"{\"user\":\"ann\","#
        + #"\"access_token\":\"Aq3Zk7Lm9Pw2XrB8\"}"}"#
    )
    let cart = Self.entry(
      "GET", "http://x.example/cart", 200, Self.json,
      headers: #"{"name":"Authorization","value":"Bearer Aq3Zk7Lm9Pw2XrB8"}"#)
    let (code, said) = try run(
      [
        ("a.har", Self.archive(login, cart)),
        ("b.har", Self.archive(Self.entry("POST", "http://x.example/login", 200), cart)),
      ], "rehearse import a.har b.har > a.yaml && cat a.yaml && rehearse run a.yaml")
    #expect(code == 0, "\(said)")
    #expect(said.contains("$as: accessToken"))
  }

  @Test func `what is left out is counted by kind`() throws {
    let beacon = Self.entry("POST", "http://x.example/b", 204, more: #","_resourceType":"ping""#)
    let script = Self.entry("GET", "http://x.example/s", 200, #"{"mimeType":"text/javascript"}"#)
    let (_, nothing) = try run(
      [("a.har", Self.archive(beacon, script, script))], "rehearse import a.har")
    #expect(nothing.contains("left out  1 ping, 2 scripts"), "\(nothing)")
    let page = Self.entry("GET", "http://x.example/a", 200, Self.json)
    let (_, some) = try run([("a.har", Self.archive(beacon, page))], "rehearse import a.har")
    #expect(some.contains("# Left out, since a page loads it to be shown: 1 ping."), "\(some)")
  }

  @Test func `events and messages are exported and imported again`() throws {
    let scenario = """
      scenario: A feed and a chat
      endpoints:
        api:
          sse:
            - accept: { path: /feed }
              script: [{ event: { id: 7, event: price, data: { n: 1 } } }, { event: two }]
          websocket:
            - accept: { path: /chat }
              script:
                [{ receive: hello }, { send: { a: 1 } }, { close: { code: 4000, reason: bye } }]
      connections:
        feed: { sse: { endpoint: api, path: /feed } }
        chat: { websocket: { endpoint: api, path: /chat } }
      steps:
        - connect: feed
        - expect: { feed: [{ event: price, data: { n: 1 } }, { data: two }] }
        - connect: chat
        - send: { chat: hello }
        - expect: { chat: { a: 1 } }
      """
    let (_, said) = try run(
      [("a.yaml", scenario)],
      "rehearse run a.yaml --record=t && rehearse trace export t/*.jsonl --to har > a.har "
        + "&& rehearse import a.har && rehearse check a.har"
    )
    for part in ["event: price", "id: \"7\"", "n: 1", "data: two", "receive: hello", "code: 4000"] {
      #expect(said.contains(part), "\(said)")
    }
  }
}
