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
      "extra"
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

  private static let looks = """
    scenario: Looks
    vars: { looks: 1 }
    endpoints:
      api:
        http:
          - { get: /items/1, respond: [{ json: { id: 1 } }, { status: 404 }] }
          - { delete: /items/1, respond: { status: 204 } }
    steps:
      - repeat: "${looks}"
        steps: [{ request: { endpoint: api, get: /items/1, expect: { status: 200 } } }]
      - request: { endpoint: api, delete: /items/1, expect: { status: 204 } }
      - request: { endpoint: api, get: /items/1, expect: { status: 404 } }
      - request: { endpoint: api, get: /items/1 }

    """

  /// Records the scenario, changes it or the trace, and returns what a replay says.
  private func changed(
    _ change: (_ scenario: String, _ trace: String) -> (String, String), _ words: [String] = []
  ) throws -> (code: Int32?, said: String) {
    let folder = try TemporaryFolder()
    let path = "traces/a.looks.trace.jsonl"
    var isWritten = folder.write("a.scenario.yaml", Self.looks)
    let code = try rehearse(["run", folder.file("a.scenario.yaml"), "--record"]).code
    try #require(code == 0 && isWritten)
    let (scenario, trace) = change(Self.looks, try #require(folder.text(path)))
    isWritten = folder.write("a.scenario.yaml", scenario) && folder.write(path, trace)
    try #require(isWritten)
    return try rehearse(["replay", folder.file(path)] + words)
  }

  @Test func `one equal request more is the one that was asked once more`() throws {
    let (code, said) = try changed({ ($0, $1) }, ["--var", "looks=2"])
    #expect(code == 1 && said.contains("was asked `GET /items/1` once more than"), "\(said)")
    #expect(said.contains("= class     extra"), "\(said)")
  }

  @Test func `one equal request less is missing`() throws {
    let (code, said) = try changed { scenario, trace in
      (
        scenario.replacing("  - repeat: \"${looks}\"\n", with: "  - repeat: 0\n"), trace
      )
    }
    #expect(code == 1 && said.contains("`api` was not asked what the trace has"), "\(said)")
    #expect(said.contains("GET /items/1") && said.contains("= class     missing"), "\(said)")
  }

  @Test func `an answer that somebody deleted is missing in the trace`() throws {
    let (code, said) = try changed { scenario, trace in
      let lines = trace.split(separator: "\n")
      let answer = lines.firstIndex { $0.contains("\"response\"") && $0.contains("204") } ?? 0
      let rest = lines[..<answer] + lines[(answer + 1)...]
      return (scenario, rest.map { $0 + "\n" }.joined())
    }
    #expect(code == 1 && said.contains("the answer of `api` to `DELETE /items/1`"), "\(said)")
    #expect(said.contains("= class     answer missing"), "\(said)")
  }

  @Test func `steps that are taken away at the end are noticed`() throws {
    let folder = try TemporaryFolder()
    let text = "scenario: Ends\ngraph: { n: 0 }\nsteps:\n  - set: { n: 1 }\n"
    var isWritten = folder.write("a.scenario.yaml", text + "  - set: { n: 1 }\n")
    let code = try rehearse(["run", folder.file("a.scenario.yaml"), "--record"]).code
    try #require(code == 0 && isWritten)
    isWritten = folder.write("a.scenario.yaml", text)
    try #require(isWritten)
    let (replayed, said) = try rehearse(["replay", folder.file("traces/a.ends.trace.jsonl")])
    #expect(replayed == 1 && said.contains("a step of the trace was not taken"), "\(said)")
    #expect(said.contains("removed") && said.contains("steps/1"), "\(said)")
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
