import Events
import Explanations
import Testing
import Values
import Verdicts

/// The rules about requests, bodies, WebSockets and calls.
@Suite struct ExchangeRuleTests {
  private let socket = RecordedLines().get("/chat").upgrade()

  @Test(arguments: [
    (1000, true), (1003, true), (1004, false), (1007, true), (1014, true), (1016, false),
    (2999, false), (3000, true), (4999, true), (5000, false), (999, false), (0, false),
    (1005, true), (1006, true), (1015, true),
  ])
  func `a close code may be sent or not`(code: Int, isFine: Bool) {
    #expect(socket.goodbye(code).found() == (isFine ? [] : ["illegal-close-code 3"]))
  }

  @Test(arguments: [([0x88, 2, 3, 237], false), ([0x88, 2, 3, 232], true), ([0x88, 0], true)])
  func `in the bytes of a frame, the code for none is a mistake`(bytes: [UInt8], isFine: Bool) {
    #expect(socket.then(.bytes(bytes)).found() == (isFine ? [] : ["illegal-close-code 3"]))
  }

  @Test func `a request without an end is found if the recording is whole`() {
    let request = RecordedLines().get()
    #expect(request.found() == ["request-left-behind 1"])
    #expect(request.found(isWhole: false) == [])
    #expect(request.answer("{}").found() == [])
    #expect(request.then(.left(code: nil, reason: ""), from: .client).found() == [])
    #expect(request.then(.reset).found() == [])
    #expect(request.then(.bytes(Array("HTTP/9 nope".utf8))).found() == [])
    #expect(socket.found() == [])
  }

  @Test(arguments: [
    ("{}", "application/json", true), ("<p>", "application/json; charset=utf-8", false),
    ("{", "application/problem+json", false), ("<p>", "text/html", true),
    ("", "application/json", true),
    ("{}\n{}", "application/json-seq", true), ("\u{FEFF}{}", "application/json", true),
  ])
  func `a body fits its type or not`(body: String, type: String, isFine: Bool) {
    let lines = RecordedLines().get().answer(body, type: type)
    #expect(lines.found() == (isFine ? [] : ["content-type-does-not-fit 2"]))
  }

  @Test func `what a client sends has to fit as well`() {
    let watch = RecordedLines().post("a=1").answer("{}").watched()
    #expect(watch.found.map(\.finding.party) == [.client])
  }

  @Test func `streams are of what they announce`() {
    let events = RecordedLines().get().stream().then(.bytes(Array(#"{"error":"x"}"#.utf8)))
    #expect(events.found() == ["content-type-does-not-fit 3"])
    let lines = RecordedLines().get().stream("application/x-ndjson")
    #expect(lines.then(.line("{}")).then(.line("nope")).found() == ["content-type-does-not-fit 4"])
  }

  private let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
  private let result = #"{"jsonrpc":"2.0","id":1,"result":{}}"#

  @Test func `a call over a WebSocket is answered once`() {
    let called = socket.message(call, from: .client)
    #expect(called.message(result, from: .server).goodbye(1000).found() == [])
    #expect(called.goodbye(1000).found() == ["call-not-answered-once 3 4"])
    #expect(called.goodbye(1001).found() == [])
    #expect(called.then(.left(code: 1000, reason: ""), from: .client).found() == [])
    let twice = called.message(result, from: .server).message(result, from: .server)
    #expect(twice.found() == ["call-not-answered-once 3 4 5"])
    #expect(twice.watched().tally.first { $0.rule == "call-not-answered-once" }?.exercised == 1)
  }

  @Test func `the same id may be used again when it was answered`() {
    let again = socket.message(call, from: .client).message(result, from: .server)
      .message(call, from: .client).message(result, from: .server)
    #expect(again.found() == [])
  }

  @Test func `both sides may call with the same id`() {
    let lines = socket.message(call, from: .client).message(call, from: .server)
      .message(result, from: .client).message(result, from: .server)
    #expect(lines.found() == [])
  }

  @Test func `a call over HTTP is answered in its exchange or on another stream`() {
    #expect(RecordedLines().post(call).answer(result).found() == [])
    #expect(
      RecordedLines().post(call).answer(#"{"jsonrpc":"2.0","id":2,"result":1}"#).found()
        == ["call-not-answered-once 1 2"])
    #expect(RecordedLines().post(call).answer("no", type: "text/plain", status: 500).found() == [])
    let elsewhere = RecordedLines().post(call).answer("", status: 202).get("/sse", on: 2).stream()
    #expect(elsewhere.event(result).found() == [])
    #expect(
      elsewhere.event(result).event(result).found() == ["call-not-answered-once 1 5 6"])
  }

  @Test func `an answer on a connection that was never made is none`() {
    func answer(_ lines: RecordedLines, on connection: Int) -> RecordedLines {
      let json = Exchange.Field("content-type", "application/json")
      let request = Exchange.Request(
        method: "POST", target: "/", headers: [json], body: Array(result.utf8))
      return lines.then(.request(request), from: .client, on: connection)
    }
    let first = answer(RecordedLines().get("/sse", on: 1).stream().event(call), on: 2)
    let refused = first.then(.unreachable(reason: "refused", problem: nil), on: 2)
    #expect(!answer(refused, on: 3).found().contains { $0.hasPrefix("call-not-answered-once") })
    #expect(answer(first, on: 3).found().contains("call-not-answered-once 3 4 5"))
  }

  @Test func `a cancelled call needs no answer, and a resumed stream may repeat one`() {
    let cancelled = socket.message(call, from: .client).message(
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
      from: .client)
    #expect(cancelled.goodbye(1000).found() == [])
    let resumed = RecordedLines().post(call).stream().event(result).then(.drop)
      .get("/rpc", [.init("Last-Event-ID", "0")], on: 2).stream().event(result)
    #expect(resumed.found() == [])
  }

  @Test func `a rule that is broken very often keeps its first findings and counts the others`() {
    let lines = (0..<30).reduce(RecordedLines()) { lines, _ in lines.get().answer("<p>") }
    let watch = lines.watched()
    #expect(watch.found.count == TrafficWatch.mostFindings)
    #expect(watch.tally.first { $0.rule == "content-type-does-not-fit" }?.found == 30)
    #expect(watch.diagnostics.last?.notes.last?.text == "and 10 more of this rule")
  }

  @Test func `each rule has its page and is in the table once`() {
    let ids = TrafficRule.table.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(diagnosticPages(on: .protocols).map(\.id).sorted() == ids.sorted())
  }

  @Test func `rules that could find nothing are left out`() {
    let all = TrafficWatch(RecordingEnd(isWhole: false, tolerance: 0))
    let fewer = TrafficWatch(
      RecordingEnd(isWhole: false, tolerance: 0), without: [.wholeRecording, .reconnections])
    let missing = Set(all.tally.map(\.rule)).subtracting(fewer.tally.map(\.rule))
    #expect(missing == ["request-left-behind", "early-reconnection"])
  }
}
