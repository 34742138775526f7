import Diagnostics
import Events
import Reports
import Secrets
import Testing
import Values
import Verdicts

@Suite struct ConversationReportTests {
  private static let api = Event.Source(3)
  private let report = ConversationReport(names: [Self.api: "api"], mask: SecretMask(["hush-hush"]))

  private static let heard: [(Value, String)] = [
    (
      ["method": "GET", "path": "/tasks", "query": ["page": "2"], "connection": 1],
      "12ms api → GET /tasks?page=2 (connection 1)"
    ),
    (
      ["method": "POST", "path": "/tasks", "query": [:], "json": ["a": 1], "connection": 2],
      "12ms api → POST /tasks {\"a\":1} (connection 2)"
    ),
    (
      ["message": ["type": "hello"], "connection": 1],
      "12ms api → message {\"type\":\"hello\"} (connection 1)"
    ),
    (["cancelled": ["connection": 4]], "12ms api client left (connection 4)"),
    (
      ["cancelled": ["connection": 4, "code": 1000, "reason": "done"]],
      "12ms api client left with 1000 done (connection 4)"
    ),
    (["message": "hush-hush", "connection": 1], "12ms api → message \"***\" (connection 1)"),
    (
      ["message": "\u{1B}[2J", "connection": 1], "12ms api → message \"\\u001b[2J\" (connection 1)"
    ),
  ]

  private static let done: [(ServerActivity, String)] = [
    (
      ServerActivity.answered(status: 200, type: "application/json; charset=utf-8", bytes: 312),
      "← 200 application/json 312 B"
    ),
    (.answered(status: 404, type: nil, bytes: 0), "← 404"),
    (.streamed(status: 200, type: "text/event-stream"), "← 200 text/event-stream, a stream"),
    (.upgraded(protocol: "chat.v2"), "← 101 WebSocket, chat.v2"),
    (
      .sentEvent(SentEvent(name: "price", id: "1", data: ["a": 41], comment: nil)),
      "← event price {\"a\":41}"
    ),
    (.sentEvent(SentEvent(name: nil, id: nil, data: nil, comment: "here")), "← comment here"),
    (.sentMessage(["type": "welcome"]), "← message {\"type\":\"welcome\"}"),
    (.sentMessage(.bytes([0, 1])), "← message 2 bytes"),
    (.sentMessage("hush-hush"), "← message \"***\""),
    (.sentBytes(4), "← 4 raw bytes"),
    (.saidGoodbye(code: 4000, reason: "enough"), "← closed with 4000 enough"),
    (.saidGoodbye(code: nil, reason: ""), "← the stream ended"),
    (.brokeOff, "← the connection was broken off"),
    (.misunderstood("no HTTP"), "→ not understood: no HTTP"),
  ]

  private func entry(_ kind: Event.Kind) -> ConversationEntry? {
    report.entry(for: Event(sequence: EventID(7), time: 12_345, cause: nil, kind: kind))
  }

  @Test(arguments: heard)
  func `what a client does is a line with an arrow to the right`(value: Value, line: String) {
    #expect(entry(.source(.emitted(Self.api, value)))?.line == line)
  }

  @Test(arguments: done)
  func `what an endpoint does is a line with an arrow to the left`(
    activity: ServerActivity, text: String
  ) {
    #expect(
      entry(.network(.served(Self.api, connection: 9, activity)))?.line
        == "12ms api \(text) (connection 9)")
  }

  @Test func `a long message is cut`() {
    let line = entry(
      .source(.emitted(Self.api, ["message": .string(String(repeating: "a", count: 999))])))?
      .line
    #expect(line?.hasSuffix("…") == true)
    #expect((line?.count ?? 999) < 200)
  }

  @Test func `what is no part of a conversation is no line`() {
    #expect(entry(.source(.emitted(Event.Source(4), 1))) == nil)
    #expect(entry(.run(.stepsEnded)) == nil)
  }
}
