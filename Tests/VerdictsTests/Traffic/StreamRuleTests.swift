import Events
import Testing
import Values
import Verdicts

/// The rules about event streams, and what they must not complain about.
@Suite struct StreamRuleTests {
  private let stream = RecordedLines().get("/feed").stream()

  @Test(arguments: [
    ["1", "2", "10"], ["7", "7", "8"], ["a", "a", "b"], ["9", "", "1"], ["b", "a"],
    ["1-1", "1-2", "2-0"], ["99999999999999999999", "1"],
  ])
  func `ids that go on are no finding`(ids: [String]) {
    let lines = ids.reduce(stream) { $0.event(id: $1) }.goodbye()
    #expect(lines.found() == [])
  }

  @Test func `an id below the one before it is found with both events`() {
    #expect(stream.event(id: "10").event(id: "9").found() == ["event-id-goes-back 3 4"])
  }

  @Test func `an id that comes again behind another is found with its first event`() {
    let lines = stream.event(id: "a").event(id: "b").event(id: "a")
    #expect(lines.found() == ["event-id-goes-back 3 4 5"])
  }

  @Test func `a new connection may begin anywhere`() {
    let again = stream.event(id: "9").goodbye().get("/feed", on: 2).stream().event(id: "1")
    #expect(again.found() == [])
    let watch = again.watched()
    #expect(watch.tally.first?.exercised == 2)
  }

  @Test func `streams side by side are kept apart`() {
    let both = stream.event(id: "5").get("/feed", on: 2).stream().event(id: "1", on: 2)
      .event(id: "6", on: 1).event(id: "2", on: 2)
    #expect(both.found() == [])
  }

  @Test func `an event after the last one of a language model is found once`() {
    let lines = stream.event("[DONE]").event("late").event("later")
    #expect(lines.found() == ["event-after-done 3 4"])
    #expect(stream.event("[DONE]").then(.comment("ping")).goodbye().found() == [])
  }

  @Test func `only a server that ends its stream can cut an event`() {
    let half = stream.event().then(.bytes(Array("data: hal".utf8)))
    #expect(half.goodbye().found() == ["event-cut 4 5"])
    #expect(half.then(.drop).found() == [])
    #expect(half.then(.left(code: nil, reason: ""), from: .client).found() == [])
    #expect(stream.then(.bytes(Array(": ping".utf8))).goodbye().found() == [])
  }

  @Test func `a reconnection waits as long as the server asked for`() {
    let ended = stream.event(id: "4", retry: 3_000).goodbye()
    func again(_ id: String, at time: Microseconds) -> [String] {
      ended.get("/feed", [.init("Last-Event-ID", id)], on: 2, at: time).stream()
        .found(tolerance: 20_000)
    }
    #expect(again("4", at: 2_900_000) == ["early-reconnection 3 4 5"])
    #expect(again("4", at: 2_990_000) == [])
    #expect(again("4", at: 3_000_000) == [])
    // Another client of the same stream.
    #expect(again("1", at: 0) == [])
  }

  @Test func `a reconnection time counts without an event as well`() {
    let ended = stream.then(.retry(3_000)).goodbye()
    let again = ended.get("/feed", [.init("Accept", "text/event-stream")], on: 2, at: 1_000_000)
    #expect(again.stream().found() == ["early-reconnection 3 4 5"])
  }

  @Test func `a cut event that a recording has is found`() {
    #expect(stream.then(.cutEvent("data: half")).goodbye().found() == ["event-cut 3 4"])
    #expect(stream.then(.cutEvent("data: half")).then(.drop).found() == [])
  }

  @Test func `a client waits as long as Retry-After says`() {
    let accept = Exchange.Field("Accept", "text/event-stream")
    func again(
      _ headers: [Exchange.Field], status: Int = 503, at time: Microseconds
    ) -> [String] {
      RecordedLines().get("/feed", [accept])
        .then(
          .response(Exchange.Response(status: status, reason: "", headers: headers, body: []))
        )
        .get("/feed", [accept], on: 2, at: time).stream().found()
    }
    let soon = Exchange.Field("Retry-After", "2")
    let dates = [
      Exchange.Field("Date", "Mon, 01 Jan 2024 00:00:00 GMT"),
      Exchange.Field("Retry-After", "Mon, 01 Jan 2024 00:00:02 GMT"),
    ]
    for headers in [[soon], dates] {
      #expect(again(headers, at: 1_999_999) == ["early-reconnection 2 3"])
      #expect(again(headers, at: 2_000_000) == [])
    }
    // A date without another to count from, and an answer that asks for no patience.
    #expect(again([dates[1]], at: 0) == [])
    #expect(again([soon], status: 404, at: 0) == [])
  }

  @Test func `a client comes back no sooner than its own policy says, unless the server does`() {
    let accept = Exchange.Field("Accept", "text/event-stream")
    func again(_ lines: RecordedLines, at time: Microseconds) -> Int {
      lines.get("/feed", [accept], on: 2, at: time).stream()
        .watched(declared: [DeclaredPause(server: "api", pause: 1_000_000)]).found.count
    }
    let begun = RecordedLines().get("/feed", [accept]).stream()
    #expect(again(begun.goodbye(), at: 999_999) == 1)
    #expect(again(begun.goodbye(), at: 1_000_000) == 0)
    #expect(again(begun.event(retry: 10).goodbye(), at: 10_000) == 0)
    let answered = RecordedLines().get("/feed").answer("{}")
    #expect(again(answered, at: 0) == 0)
  }

  @Test func `a client that left may come back at once`() {
    let left = stream.event(retry: 3_000).then(.left(code: nil, reason: ""), from: .client)
    #expect(left.get("/feed", [.init("Accept", "text/event-stream")], on: 2).stream().found() == [])
  }

  @Test func `the time to wait holds for the connections after the next as well`() {
    let accept = Exchange.Field("Accept", "text/event-stream")
    let lines = RecordedLines().get("/feed", [accept]).stream().event(retry: 1_000).goodbye()
      .get("/feed", [accept], on: 2, at: 1_000_000).then(
        .unreachable(reason: "refused", problem: nil)
      )
      .get("/feed", [accept], on: 3, at: 1_500_000).stream()
    #expect(lines.found() == ["early-reconnection 3 6 7"])
  }

  @Test(arguments: [
    (
      #"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use"}}"#,
      #"{"type":"content_block_stop","index":1}"#
    ),
    (
      #"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"find"}}]}}]}"#,
      #"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#
    ),
    (
      #"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call"}}"#,
      #"{"type":"response.output_item.done","output_index":0}"#
    ),
  ])
  func `a tool call is closed in each of the three forms`(opening: String, closing: String) {
    #expect(stream.event(opening).goodbye().found() == ["tool-call-left-open 3 4"])
    #expect(stream.event(opening).event("[DONE]").found().first == "tool-call-left-open 3 4")
    #expect(stream.event(opening).event(closing).goodbye().found() == [])
    #expect(stream.event(opening).then(.drop).found() == [])
  }

  @Test func `a finish of one choice closes no call of another`() {
    let call = #"{"choices":[{"index":1,"delta":{"tool_calls":[{"index":0}]}}]}"#
    let other = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
    #expect(stream.event(call).event(other).goodbye().found() == ["tool-call-left-open 3 5"])
  }
}
