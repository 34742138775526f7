import Testing
import Traces
import Values

@Suite struct TraceDifferenceTests {
  private static let recorded = """
    {"n":1,"us":0,"source":"price","value":1}
    {"n":2,"us":0,"kind":"request","source":"api","value":{"path":"/a"},"connection":1,\
    "from":"client"}
    {"n":3,"us":5,"source":"price","cause":2,"value":2}
    {"n":4,"us":9,"source":"price","value":3}
    {"n":5,"us":9,"kind":"verdict","value":{"outcome":"passed"},"hash":"77"}
    """

  private func lines(_ b: String, header: String = "{\"trace\":1,\"time\":\"virtual\"}") -> [String]
  {
    TraceDifferences(trace(Self.recorded), trace(b, header: header)).answer.lines
  }

  @Test func `equal traces are called equal, with their hash`() {
    #expect(lines(Self.recorded) == ["equal: 5 events compared, hash 77"])
  }

  @Test func `numbers, connections and the order between sources are not compared`() {
    let other = """
      {"n":10,"us":0,"kind":"request","source":"api","value":{"path":"/a"},"connection":8,\
      "from":"client"}
      {"n":11,"us":0,"source":"price","value":1}
      {"n":12,"us":3,"kind":"log","value":"other"}
      {"n":13,"us":5,"source":"price","cause":10,"value":2}
      {"n":14,"us":9,"source":"price","value":3}
      {"n":15,"us":9,"kind":"verdict","value":{"outcome":"passed"},"hash":"77"}
      """
    #expect(lines(other) == ["equal: 5 events compared, hash 77"])
  }

  @Test func `another value is shown with both sides, their times and causes`() {
    let other = Self.recorded.replacing("\"value\":2}", with: "\"value\":4}")
    #expect(
      lines(other) == [
        "1 difference, 5 events compared", "price: another event", "  A  event 3, at 5us  2",
        "     caused by event 2: 0ms api → request  /a (connection 1)", "  B  event 3, at 5us  4",
        "     caused by event 2: 0ms api → request  /a (connection 1)",
      ])
  }

  @Test func `what one side lacks does not make all that follows differ`() {
    let other = Self.recorded.replacing(
      "{\"n\":1,\"us\":0,\"source\":\"price\",\"value\":1}\n", with: "")
    #expect(
      lines(other) == [
        "1 difference, 5 events compared", "price: missing in B", "  A  event 1, at 0ms  1",
      ])
    let back = TraceDifferences(trace(other), trace(Self.recorded)).differences
    #expect(back.map(\.change) == [.onlyInB])
  }

  @Test(arguments: [0, 1, 2])
  func `an event that only B has comes first if it comes first in B`(place: Int) {
    let lines = ["a", "b"].map { "{\"us\":9,\"source\":\"\($0)\",\"value\":1}" }
    var other = lines.map { $0.replacing("\"b\",\"value\":1", with: "\"b\",\"value\":2") }
    other.insert("{\"us\":9,\"source\":\"new\",\"value\":1}", at: place)
    let found = TraceDifferences(
      trace(lines.joined(separator: "\n")), trace(other.joined(separator: "\n")))
    let changes: [TraceDifferences.Difference.Change] =
      place < 2 ? [.onlyInB, .value] : [.value, .onlyInB]
    #expect(found.differences.map(\.change) == changes)
    let rows = found.sideBySide(titles: "A", "B")
    #expect(rows.firstIndex { $0.hasSuffix("<- differs first") } == (place == 0 ? 1 : 2))
  }

  @Test func `the first difference in time comes first, of whatever source`() {
    let other = Self.recorded.replacing("\"value\":3}", with: "\"value\":4}")
      .replacing("/a", with: "/b")
    let found = TraceDifferences(trace(Self.recorded), trace(other)).differences
    #expect(found.map { $0.a?.number } == [2, 4])
  }

  @Test func `a shifted clock is one difference, and only virtual times are compared`() {
    let other = Self.recorded.replacing("\"us\":9", with: "\"us\":12")
    #expect(
      lines(other) == [
        "1 difference, 5 events compared", "price: 3us later in B, and so is 1 other event",
        "  A  event 4, at 9us  3", "  B  event 4, at 12us  3",
      ])
    #expect(
      lines(other, header: "{\"trace\":1,\"time\":\"real\"}") == [
        "equal: 5 events compared, without times, hash 77", "the headers differ in: time",
      ])
  }

  @Test func `long sources that differ everywhere are aligned by their order`() {
    let count = TraceDifferences.mostAligned + 1
    let sides = [0, 1].map { side in
      trace(
        (1...count).map { "{\"source\":\"s\",\"value\":\"\(side) \($0)\"}" }.joined(separator: "\n")
      )
    }
    let found = TraceDifferences(sides[0], sides[1]).differences
    #expect(found.count == count && found.allSatisfy { $0.change == .value })
  }
}

/// Recordings of the same server, which differ in what a replay does not compare.
@Suite struct RepeatedRecordingTests {
  private static func recording(_ date: String, port: Int, price: Int, times: [Int]) -> String {
    """
    {"n":1,"us":\(times[0]),"kind":"step","value":{"branch":0,"verb":"request"},\
    "at":"a:1:1","step":"steps/0 1"}
    {"n":2,"us":\(times[1]),"kind":"request","source":"api","cause":1,\
    "value":{"headers":{"host":"a:\(port)"},"method":"GET","path":"/a"},\
    "connection":1,"from":"client"}
    {"n":3,"us":\(times[2]),"kind":"response","source":"api","cause":2,\
    "value":{"body":{"price":\(price)},"headers":{"date":"\(date)"},"status":200},\
    "connection":1,"from":"server","seen":1}
    {"n":4,"us":\(times[2]),"kind":"verdict","value":{"outcome":"passed"}}
    """
  }
  private static let header =
    "{\"trace\":1,\"time\":\"real\",\"worlds\":{\"api\":\"real\"},\"sides\":{\"api\":\"client\"}}"

  private func run(_ date: String, port: Int, price: Int, times: [Int]) -> TraceRun {
    trace(Self.recording(date, port: port, price: price, times: times), header: Self.header)
  }

  @Test func `dates and ports are no difference`() {
    let found = TraceDifferences(
      run("Mon", port: 1, price: 5, times: [0, 10, 90]),
      run("Tue", port: 2, price: 5, times: [0, 11, 70]))
    #expect(found.areEqual, "\(found.answer.lines)")
  }

  @Test func `the part that differs is named, and the summary has a line for each source`() {
    let found = TraceDifferences(
      run("Mon", port: 1, price: 5, times: [0, 10, 90]),
      run("Tue", port: 2, price: 6, times: [0, 11, 70]))
    #expect(found.differences.first?.parts == ["body.price: A 5, B 6"])
    #expect(found.answer.lines.contains("     body.price: A 5, B 6"))
    #expect(
      found.summary.lines == [
        "1 difference, 3 events compared, without times", "api: 1 changed (body.price)",
      ])
  }

  @Test func `noise is no difference`() {
    let scope = NoiseScope("api", .response, method: "GET", path: "/a")
    let noise = ReplayNoise([NoisePlace(scope, "/body/price", .number)])
    let found = TraceDifferences(
      run("Mon", port: 1, price: 5, times: [0, 10, 90]),
      run("Tue", port: 2, price: 6, times: [0, 11, 70]), noise: noise)
    #expect(found.areEqual, "\(found.answer.lines)")
  }

  @Test func `a new recording keeps the lines that are equal, with their times`() throws {
    let old = run("Mon", port: 1, price: 5, times: [0, 10, 90])
    let same = try #require(
      textKeepingLines(of: old, in: run("Tue", port: 2, price: 5, times: [3, 11, 70])))
    let whole = try #require(textKeepingLines(of: old, in: old))
    #expect(String(decoding: same, as: UTF8.self) == String(decoding: whole, as: UTF8.self))
    let changed = try #require(
      textKeepingLines(of: old, in: run("Tue", port: 2, price: 6, times: [3, 11, 70])))
    let lines = [whole, changed].map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    // The last line has the hash of all that is compared.
    let differing = zip(lines[0], lines[1]).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    #expect(differing == [3])
  }

  @Test func `what is recorded in virtual time needs nothing kept`() {
    let run = trace("{\"n\":1,\"us\":0,\"kind\":\"verdict\",\"value\":{\"outcome\":\"passed\"}}")
    #expect(textKeepingLines(of: run, in: run) == nil)
  }
}
