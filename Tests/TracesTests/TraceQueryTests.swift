import Testing
import Traces
import Values

@Suite struct TraceQueryTests {
  /// A page asks twice and follows a feed; the trace has a hole and a cycle.
  static let page = trace(
    """
    {"n":1,"us":0,"kind":"step","value":{"verb":"send"}}
    {"n":2,"us":0,"kind":"request","source":"api","cause":1,"value":{"method":"POST","path":"/a",\
    "query":{"x":"1"},"body":{"b":2,"a":1}},"text":"{ \\"b\\": 2 }","connection":1,"from":"client"}
    {"n":3,"us":0,"kind":"request","source":"feed","value":{"method":"GET","path":"/p"},\
    "connection":1,"from":"client"}
    {"n":4,"us":0,"kind":"stream","source":"feed","cause":3,"value":{"status":200},\
    "connection":1,"from":"server"}
    {"n":5,"us":1500,"kind":"response","source":"api","cause":2,"value":{"status":201,\
    "body":{"$bytes":"AAEC"}},"connection":1,"from":"server"}
    {"n":6,"us":1500,"kind":"emitted","source":"page.item","cause":5,"value":{"id":7}}
    {"n":7,"us":1500,"kind":"emitted","source":"page","cause":6,"value":"ready"}
    {"n":8,"us":2000,"kind":"event","source":"feed","value":{"data":"12345"},"connection":1,\
    "from":"server"}
    {"n":9,"us":2000,"kind":"event","source":"feed","value":{"comment":"hi"},"connection":1,\
    "from":"server"}
    {"n":10,"us":12002000,"kind":"drop","source":"feed","connection":1,"from":"server"}
    {"n":11,"us":12002000,"kind":"finished","source":"page","cause":99,"value":null}
    {"n":12,"us":12002000,"source":"a","cause":13,"value":1}
    {"n":13,"us":12002000,"source":"b","cause":12,"value":2}
    {"n":14,"us":12002000,"kind":"request","source":"api","value":{"method":"GET","path":"/a"},\
    "connection":1,"from":"client"}
    """)

  @Test(arguments: [
    (
      7,
      [
        "7  1.5ms page emitted \"ready\"", "6  1.5ms page.item emitted {\"id\":7}",
        "5  1.5ms api ← response 201 {\"$bytes\":\"AAEC\"} (connection 1)",
        "2  0ms api → request POST /a?x=1 {\"a\":1,\"b\":2} (connection 1)",
        "1  0ms send", "nothing caused it",
      ]
    ),
    (
      11,
      [
        "11  12.002s page finished null", "its cause is event 99, which is not in this trace",
      ]
    ),
    (
      12,
      [
        "12  12.002s a emitted 1", "13  12.002s b emitted 2",
        "its cause is event 12 again: a cycle",
      ]
    ),
  ])
  func `the causes of an event lead back to where they end`(event: Int, lines: [String]) {
    #expect(TraceCauses(of: event, in: Self.page)?.answer.lines == lines)
  }

  @Test func `an event that the trace does not have has neither causes nor a state`() {
    #expect(TraceCauses(of: 99, in: Self.page) == nil)
    #expect(TraceState(at: 99, in: Self.page) == nil)
  }

  @Test(arguments: [
    (
      6, [],
      [
        "api        POST /a?x=1 {\"a\":1,\"b\":2}  (event 2, at 0ms)",
        "feed       GET /p  (event 3, at 0ms)",
        "page.item  {\"id\":7}  (event 6, at 1.5ms)",
      ]
    ),
    (11, ["page"], ["page  finished  (event 11, at 12.002s)"]),
    (11, ["page.item"], ["page.item  {\"id\":7}  (event 6, at 1.5ms)"]),
    (1, [], ["no source had a value at event 1"]),
  ])
  func `the state at an event has the last value of each source`(
    event: Int, sources: [String], lines: [String]
  ) {
    #expect(TraceState(at: event, in: Self.page, sources: sources)?.answer.lines == lines)
  }

  @Test func `each exchange has a line with its answer or its stream`() {
    #expect(
      lines(visitRequests, of: Self.page) == [
        "2  0ms  api  POST /a?x=1 {\"a\":1,\"b\":2}  201  in 1.5ms  10 B sent, 3 B received",
        "3  0ms  feed  GET /p  200  stream: 1 event  drop after 12.002s  0 B sent, 5 B received",
        "14  12.002s  api  GET /a  no answer  still open at the end  0 B sent, 0 B received",
      ])
  }

  @Test func `a WebSocket counts both directions, and a lost request has its end`() {
    let run = trace(
      """
      {"us":0,"kind":"request","source":"chat","value":{"method":"GET","path":"/"},"connection":4,\
      "from":"client"}
      {"us":0,"kind":"upgrade","source":"chat","value":{"status":101},"connection":4,\
      "from":"server"}
      {"us":1,"kind":"message","source":"chat","value":"abc","connection":4,"from":"client"}
      {"us":2,"kind":"request","source":"chat","value":{"method":"GET","path":"/b"},\
      "connection":5,"from":"client"}
      {"us":3,"kind":"message","source":"chat","value":"de","connection":4,"from":"server"}
      {"us":4,"kind":"message","source":"chat","value":"f","connection":4,"from":"server"}
      {"us":5,"kind":"reset","source":"chat","connection":5,"from":"server"}
      {"us":6,"kind":"left","source":"chat","value":{"code":1000},"connection":4,"from":"client"}
      """)
    #expect(
      lines(visitRequests, of: run) == [
        "1  0ms  chat  GET /  101  WebSocket: 1 sent, 2 messages received  left after 6us  "
          + "3 B sent, 3 B received",
        "4  2us  chat  GET /b  no answer  reset after 3us  0 B sent, 0 B received",
      ])
  }

  @Test func `statistics count lines, name busy sources and show gaps`() {
    let figures = TraceStatistics(of: Self.page)
    #expect(figures.events == 14 && figures.duration == 12_002_000)
    #expect(figures.bytes > 1_000)
    #expect(figures.kinds.prefix(3).map(\.name) == ["emitted", "request", "event"])
    #expect(figures.sources.first?.name == "feed" && figures.sources.first?.count == 5)
    #expect(figures.gaps.isEmpty == false)
    #expect(figures.gaps.map(\.before) == [9] && figures.gaps.map(\.after) == [10])
  }

  @Test func `an answer has at most 40 lines unless all are wanted`() {
    let lines = (1...60).map { "{\"n\":\($0),\"source\":\"s\($0)\",\"value\":1}" }
    let answer = TraceState(at: 60, in: trace(lines.joined(separator: "\n")))?.answer
    let cut = answer?.text(all: false).split(separator: "\n")
    #expect(cut?.count == 40)
    #expect(cut?.last == "… 21 more lines; --all shows them")
    #expect(answer?.text(all: true).split(separator: "\n").count == 60)
  }

  @Test func `numbers of any size have answers`() {
    let run = trace(
      """
      {"n":9223372036854775807,"us":9223372036854775807,"source":"a","value":1}
      {"source":"a","value":2}
      {"kind":"request","source":"a","value":{"body":{"$body":"00","bytes":9223372036854775807}},\
      "from":"client"}
      {"kind":"message","source":"a","value":{"$body":"00","bytes":9223372036854775807},\
      "from":"client"}
      """)
    #expect(TraceStatistics(of: run).answer.lines.isEmpty == false)
    #expect(lines(visitRequests, of: run).count == 1)
    #expect(TraceCauses(of: .max, in: run)?.chain.count == 1)
    #expect(lines(visitMarbles, of: run).isEmpty == false)
    #expect(written(httpArchive(of: run))["log"] != nil)
    #expect(written(chromeTrace(of: run))["traceEvents"] != nil)
  }

  @Test func `a log of several runs is read run by run`() {
    let text = """
      {"trace":1,"run":1}
      {"n":1,"source":"a","value":1}
      {"trace":1,"run":2}
      {"n":1,"source":"a","value":2}
      {"n":2,"source":"a","value":3}

      """
    let bytes = Array(text.utf8)
    let runs = ReadTrace(bytes).runs
    #expect(runs.map(\.header.run) == [1, 2])
    #expect(runs.map(\.entries.count) == [1, 2])
    #expect(runs.map(\.bytes).reduce(0, +) == bytes.count)
    #expect(runs.last?.entry(1)?.line.value?.json == 2)
  }
}

/// Returns a document as it reads once it is written.
func written(_ document: LongJSON) -> Value {
  var text = ""
  document.write {
    text += $0
    return true
  }
  return (try? parseJSON(text).get()) ?? .null
}

/// Reads a trace in virtual time with these lines.
func trace(_ lines: String, header: String = "{\"trace\":1,\"time\":\"virtual\"}") -> TraceRun {
  guard let run = ReadTrace(Array("\(header)\n\(lines)\n".utf8)).runs.first else {
    fatalError("the trace of a test has a header")
  }
  return run
}

/// Returns all lines that are made of a run.
func lines(
  _ visitLines: (TraceRun, (() -> String) -> Bool) -> Void, of run: TraceRun
) -> [String] {
  var lines: [String] = []
  visitLines(run) { line in
    lines.append(line())
    return true
  }
  return lines
}
