import Glibc
import TestKit
import Testing
import Values

/// Replays of traces and scenarios that somebody changed, or that were cut.
@Suite struct ChangedReplayTests {
  private static let scenario = """
    scenario: Order
    endpoints:
      api:
        http:
          - { get: /a, respond: { json: { a: 1 } } }
          - { get: /b, respond: { json: { b: 2 } } }
          - { post: /c, respond: { json: "${request.json}" } }
      chat:
        websocket:
          - { accept: {}, script: [{ receive: hi }, { send: one }, { wait: forever }] }
    connections: { room: { websocket: { endpoint: chat, path: / } } }
    graph: { last: { latest: room, of: event } }
    steps:
      - request: { endpoint: api, get: /a, expect: { json: { a: 1 } } }
      - wait: 1s
      - request: { endpoint: api, get: /b, expect: { json: { b: 2 } } }
      - request: { endpoint: api, post: /c, json: { x: 1 }, expect: { json: { x: 1 } } }
      - connect: room
      - send: { room: hi }
      - expect: { room: one }
      - check: last == "one"

    """
  private static let trace = "traces/a.order.trace.jsonl"

  private func recorded() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.scenario.yaml", Self.scenario)
    try #require(isWritten)
    let code = try rehearse(["run", folder.file("a.scenario.yaml"), "--record"]).code
    try #require(code == 0)
    return folder
  }

  private func rehearse(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }

  @Test func `a trace that was cut behind any line holds up to its end`() throws {
    let folder = try recorded()
    let lines = try #require(folder.text(Self.trace)).split(separator: "\n")
    let path = folder.file("traces/cut.trace.jsonl")
    for count in 1..<lines.count {
      let half = lines[count].prefix(lines[count].count / 2)
      let isWritten = folder.write(
        "traces/cut.trace.jsonl", lines[..<count].map { $0 + "\n" }.joined() + half)
      try #require(isWritten)
      let (refused, why) = try rehearse(["replay", path])
      #expect(refused == 1 && why.contains("error[trace-cut]"), "\(count): \(why)")
      let (allowed, said) = try rehearse(["replay", path, "--allow-cut"])
      #expect(allowed == 0, "\(count): \(said)")
    }
  }

  @Test(arguments: [
    (
      ["get: /a, expect: { json: { a: 1 } }", "get: /b, expect: { json: { b: 2 } }"], "GET /a",
      "too late"
    ),
    (["get: /b, expect: { json: { b: 2 } }", ""], "GET /b", "missing"),
    (["  - send: { room: hi }\n", ""], "`chat` was not sent what the trace has", "missing"),
    (["send: { room: hi }", "send: { room: ho }"], "message \"ho\"", "asked something else"),
    (
      ["- connect", "- request: { endpoint: api, get: /a }\n  - connect"], "GET /a",
      "answer missing"
    ),
    (["get: /b, expect: { json: { b: 2 } }", "get: /bb"], "GET /b", "asked something else"),
  ])
  func `what our side does otherwise than in the trace is named first`(
    change: [String], name: String, kind: String
  ) throws {
    let folder = try recorded()
    var text = Self.scenario
    if change[1].hasPrefix("get: /b, ") {
      // They change places.
      text = text.replacing(change[0], with: "@").replacing(change[1], with: change[0])
        .replacing("@", with: change[1])
    } else if change[1].isEmpty, change[0].hasPrefix("get") {
      let line = text.split(separator: "\n").first { $0.contains(change[0]) } ?? ""
      text = text.replacing(line + "\n", with: "")
    } else {
      text = text.replacing(change[0], with: change[1])
    }
    try #require(text != Self.scenario)
    let isWritten = folder.write("a.scenario.yaml", text)
    try #require(isWritten)
    let (code, said) = try rehearse(["replay", folder.file(Self.trace)])
    #expect(code == 1 && said.contains(name) && said.contains("= class     \(kind)"), "\(said)")
    #expect(said.contains("the scenario is not the one that was recorded any more"))
    let accepted = try rehearse(["replay", folder.file(Self.trace), "--update=force"]).code
    if kind == "too late" || change[1].isEmpty { #expect(accepted == 0 || kind == "missing") }
  }

  @Test func `an event that stands before its cause is no change of order`() throws {
    let folder = try recorded()
    var lines = try #require(folder.text(Self.trace)).split(separator: "\n").map { String($0) }
    // A node that follows a connection, and the message that it follows.
    let effect = try #require(
      lines.firstIndex { $0.contains("\"source\":\"last\"") && $0.contains("\"one\"") })
    // Numbers rise in the order of lines, so that each line takes the other one's.
    lines[effect - 1] = lines[effect - 1].replacing(
      "{\"n\":\(effect - 1),", with: "{\"n\":\(effect),")
    lines[effect] = lines[effect].replacing("{\"n\":\(effect),", with: "{\"n\":\(effect - 1),")
      .replacing("\"cause\":\(effect - 1),", with: "\"cause\":\(effect),")
    lines.swapAt(effect, effect - 1)
    let isWritten = folder.write(Self.trace, lines.map { $0 + "\n" }.joined())
    try #require(isWritten)
    let (code, said) = try rehearse(["replay", folder.file(Self.trace)])
    #expect(code == 1 && said.contains("stands before its cause"), "\(said)")
  }

  @Test func `a value that was changed beside its text is what is played`() throws {
    let folder = try recorded()
    let text = try #require(folder.text(Self.trace))
    let old = "\"value\":{\"body\":{\"a\":1}"
    try #require(text.contains(old))
    // A server that writes blanks has a text besides the value.
    let withText = text.replacing("\"seen\":1", with: "\"seen\":1").split(separator: "\n").map {
      line in
      guard line.contains(old), line.contains("\"kind\":\"response\"") else { return String(line) }
      return line.replacing("\"connection\"", with: "\"text\":\"{ \\\"a\\\": 1 }\",\"connection\"")
        .replacing("{\"a\":1}", with: "{\"a\":7}")
    }
    let isWritten = folder.write(Self.trace, withText.map { $0 + "\n" }.joined())
    try #require(isWritten)
    let (code, said) = try rehearse(["replay", folder.file(Self.trace)])
    #expect(code == 1 && said.contains("an assertion came out otherwise"), "\(said)")
  }
}
