import Events
import Testing
import Values
import Verdicts

/// The rules about what a client does after an answer that it did not get.
@Suite struct RetryRuleTests {
  private func order(
    _ lines: RecordedLines, on connection: Int, at time: Microseconds, key: String? = nil
  ) -> RecordedLines {
    let headers = key.map { [Exchange.Field("Idempotency-Key", $0)] } ?? []
    let request = Exchange.Request(
      method: "POST", target: "/orders", headers: headers, body: Array(#"{"cup":1}"#.utf8))
    return lines.then(.request(request), from: .client, on: connection, at: time)
  }

  /// How the first request ended, when the second one came, with which key, and whether that is a
  /// repetition that the server cannot know.
  @Test(
    arguments: [
      (Traffic.Kind.drop, Traffic.Side.server, 2_000_000, String?.none, false),
      (.drop, .server, 2_000_000, "k-1", true),
      (.reset, .server, 1_000_000, nil, false),
      // A client that gives up, waits, and asks again repeats what it has asked.
      (.left(code: nil, reason: ""), .client, 1_500_000, nil, false),
      // One that gives up because of something newer does not.
      (.left(code: nil, reason: ""), .client, 1_000_000, nil, true),
      (.left(code: nil, reason: ""), .client, 1_000_400, nil, true),
    ] as [(Traffic.Kind, Traffic.Side, Microseconds, String?, Bool)])
  func `a POST is sent again, or something newer has overtaken it`(
    end: Traffic.Kind, side: Traffic.Side, again: Microseconds, key: String?, isFine: Bool
  ) {
    let lost = order(RecordedLines(), on: 1, at: 0, key: key)
      .then(end, from: side, at: 1_000_000)
    let lines = order(lost, on: 2, at: again, key: key).answer("{}")
    #expect(lines.found() == (isFine ? [] : ["post-repeated-without-key 1 3"]))
  }

  @Test func `a POST that was answered may be sent again`() {
    let lines = order(RecordedLines(), on: 1, at: 0).answer("{}")
    #expect(order(lines, on: 1, at: 5).answer("{}").found() == [])
  }
}
