import JSONSchemas
import Testing
import Traces
import Values

@Suite struct TraceLineTests {
  private static let whole = """
    {"trace":1,"by":"rehearse 0.1.0","scenario":{"line":1,"path":"a.yaml","row":null,\
    "title":"T"},"files":{"a.yaml":"00"},"time":"virtual","worlds":{"api":"mock"},\
    "sides":{"api":"client"},"seed":1,"clock":"2000-01-01T00:00:00Z","vars":{"r":"eu"},\
    "secrets":["token"],"options":{"against":"sockets"},"mood":"good"}
    {"n":1,"us":0,"kind":"step","value":{"branch":0,"verb":"load"},"at":"a.yaml:3:5"}
    {"n":2,"us":5,"kind":"request","source":"api","cause":1,"value":{"method":"GET",\
    "path":"/a"},"connection":1,"from":"client"}
    {"n":3,"us":5,"kind":"response","source":"api","cause":2,"value":{"body":{"a":1,"b":2},\
    "status":200},"text":"{\\"b\\":2,\\"a\\":1}","connection":1,"from":"server","seen":1}
    {"n":4,"us":5,"kind":"emitted","source":"list","cause":2,"value":[1],"settled":true}
    {"n":5,"us":5,"kind":"dance","source":"api","tempo":3}
    {"n":6,"us":9,"kind":"verdict","value":{"outcome":"passed"},"hash":"77"}

    """

  /// Writes what a reader has read.
  private func written(_ items: [TraceReader.Item]) -> String {
    var writer = TraceWriter()
    var bytes: [UInt8] = []
    for item in items {
      switch item {
      case .header(let header, _): bytes += writer.write(header).bytes
      case .line(let entry): bytes += writer.write(entry.line).bytes
      case .problem, .cut: break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `what is read is written again to the byte`() {
    let items = TraceReader.read(Array(Self.whole.utf8))
    #expect(written(items) == Self.whole)
  }

  @Test func `what is written is read again`() throws {
    var line = TraceLine(.message, source: "chat", ["b": 1.5, "a": .bytes([7])], at: 12)
    (line.number, line.cause, line.connection, line.from) = (9, 3, 2, .server)
    (line.seen, line.at, line.run, line.isSettled) = (4, "a.yaml:1:2", 3, true)
    line.text = TraceValue("{}")
    line.others = ValueMap([(Value.string("more"), Value.list([1, 2]))])
    var writer = TraceWriter()
    let bytes = Array("{\"trace\":1}\n".utf8) + writer.write(line).bytes
    let items = TraceReader.read(bytes)
    guard case .line(let entry)? = items.last else {
      Issue.record("\(items)")
      return
    }
    #expect(entry.line == line)
    #expect(entry.number == 9 && entry.time == 12)
  }

  @Test func `other programs may leave out numbers, times, kinds and values`() throws {
    let text = """
      {"trace":1}
      {"source":"cart","value":1,"time":"2026-01-01T00:00:10Z"}
      {"source":"cart","time":"2026-01-01T00:00:11.5Z"}

      {"source":"cart","us":7}
      """
    let items = TraceReader.read(Array(text.utf8))
    let entries = items.compactMap { if case .line(let entry) = $0 { entry } else { nil } }
    #expect(entries.map(\.number) == [1, 2, 3])
    #expect(entries.map(\.time) == [0, 1_500_000, 1_500_000])
    #expect(entries.map(\.isEarlier) == [false, false, true])
    #expect(entries.allSatisfy { $0.line.knownKind == .emitted })
    #expect(entries.map(\.place.line) == [2, 3, 5])
  }

  @Test(arguments: [
    (
      "{\"trace\":1}\n{\"us\":\"soon\"}\n", 2, 7,
      "`us` is an integer from 0 on, the microseconds since the start"
    ),
    (
      "{\"trace\":1}\n{\"a\":{\"us\":1},\"from\": \"me\"}\n", 2, 23,
      "`from` is `client` or `server`"
    ),
    ("{\"trace\":1}\n[1]\n", 2, 1, "a line of a trace is a JSON object"),
    (
      "{\"trace\":1}\n{\"us\" 1}\n", 2, 7,
      "a line of a trace is a JSON object: a colon separates a JSON key from its value"
    ),
    ("{\"trace\":2}\n", 1, 10, "this version of Rehearsal cannot read traces 2"),
    ("{\"trace\":1,\"time\":\"slow\"}\n", 1, 19, "`time` is `virtual` or `real`"),
    (
      "{\"trace\":1,\"clock\":\"soon\"}\n{\"us\":\"x\"}\n", 1, 20,
      "`clock` is a time such as `2026-01-31T12:00:00.5Z`"
    ),
    (
      "{\"trace\":1,\"began\":\"2026-01-31\"}\n", 1, 20,
      "`began` is a time such as `2026-01-31T12:00:00.5Z`"
    ),
    (
      "{\"trace\":1,\"sides\":{\"api\":\"me\"}}\n", 1, 20,
      "`sides` is an object with `client` or `server` for each endpoint"
    ),
    (
      "{\"trace\":1,\"scenario\":{\"line\":\"1\"}}\n", 1, 23,
      "`scenario` is an object with `path`, `line`, `title` and `row`"
    ),
    ("{\"trace\":1,\"secrets\":[1]}\n", 1, 22, "`secrets` is a list of names"),
    ("{\"us\":1}\n", 1, 1, "the first line of a trace is its header"),
    ("", 1, 1, "the first line of a trace is its header"),
  ])
  func `a line that cannot be read is an error at its place`(
    text: String, line: Int, column: Int, message: String
  ) {
    let problems = TraceReader.read(Array(text.utf8)).compactMap {
      if case .problem(let problem) = $0 { problem } else { nil }
    }
    #expect(problems.map(\.place.line) == [line])
    #expect(problems.map(\.place.column) == [column])
    #expect(problems.map { $0.diagnostic(in: 0).message } == [message])
  }

  @Test(arguments: [
    ("{\"trace\":2,\"seed\":\"a\"}\n{\"us\":\"x\"}\n{\"us\":1", ["1:10 unknown-trace-version"]),
    ("{\"trace\":1,\"seed\":\"a\"}\n{\"us\":1}\n", ["1:19 unreadable-trace-line"]),
    ("{\"trace\":\n{\"us\":1}\n", ["1:10 unreadable-trace-line"]),
    (
      "{\"trace\":2}\n{\"trace\":1}\n{\"us\":1}\n{\"us\":\"x\"}\n",
      ["1:10 unknown-trace-version", "4:7 unreadable-trace-line"]
    ),
  ])
  func `a header that cannot be read is one error, whatever follows it`(
    text: String, said: [String]
  ) {
    #expect(complaints(ReadTrace(Array(text.utf8)).problems) == said)
    let items = TraceReader.read(Array(text.utf8))
    #expect(
      complaints(items.compactMap { if case .problem(let problem) = $0 { problem } else { nil } })
        == said)
    #expect(!items.contains { if case .cut = $0 { true } else { false } })
  }

  @Test(arguments: [0, 1, 2, 5000])
  func `a file that is no trace is complained of by its first lines and the number of the rest`(
    rest: Int
  ) {
    let lines = (1...ReadTrace.mostUnreadable + rest).map { "line \($0)\n" }
    let problems = ReadTrace(Array(lines.joined().utf8)).problems
    #expect(problems.count == ReadTrace.mostUnreadable + (rest == 0 ? 0 : 1))
    guard rest > 0, let last = problems.last else { return }
    #expect(complaints([last]) == ["\(ReadTrace.mostUnreadable + 1):1 unreadable-trace-line"])
    #expect(
      last.diagnostic(in: 0).message
        == (rest == 1 ? "1 more line cannot be read" : "\(rest) more lines cannot be read"))
  }

  private func complaints(_ problems: [TraceProblem]) -> [String] {
    problems.map { "\($0.place.line):\($0.place.column) \($0.diagnostic(in: 0).id)" }
  }

  @Test(
    arguments: [
      ("1,2,3", []), ("7,8,9", []), ("1,-,3,-", []), ("-,-,3", []), ("1,?,9,10", []),
      ("1,2,2", ["4:6 error 2 after 2"]), ("1,2,3,2,3,4", ["5:6 error 2 after 3"]),
      ("1,2,4", ["4:6 warning 4 after 2"]),
      ("1,3,5,4", ["3:6 warning 3 after 1", "5:6 error 4 after 5"]),
      ("9223372036854775807,-,1", ["4:6 warning 1 after -9223372036854775808"]),
      ("1,2,T,1,2", []), ("1,2,T,1,1", ["6:6 error 1 after 1"]),
    ] as [(String, [String])])
  func `numbers that do not rise by one are reported once for each run, at their places`(
    numbers: String, said: [String]
  ) {
    let lines = numbers.split(separator: ",").map { number in
      switch number {
      case "T": "{\"trace\":1}"
      case "-": "{\"us\":1}"
      case "?": "{\"n\":?}"
      default: "{\"n\":\(number),\"us\":1}"
      }
    }
    let text = (["{\"trace\":1}"] + lines).map { $0 + "\n" }.joined()
    let problems = ReadTrace(Array(text.utf8)).problems.compactMap { problem -> String? in
      guard case .wrongNumber(let number, let expected) = problem.kind else { return nil }
      let severity = problem.diagnostic(in: 0).severity.rawValue
      return "\(problem.place.line):\(problem.place.column) \(severity) \(number)"
        + " after \(expected &- 1)"
    }
    #expect(problems == said)
  }

  @Test func `a time before the start is refused with its place, and not shown as 0`() {
    let text = "{\"trace\":1}\n{\"n\":1,\"us\":-5,\"source\":\"a\"}\n"
    let problems = ReadTrace(Array(text.utf8)).problems
    #expect(complaints(problems) == ["2:13 unreadable-trace-line"])
    #expect(problems.first?.diagnostic(in: 0).message.contains("an integer from 0 on") == true)
    let schema = try? JSONSchema.compile(try parseJSON(traceSchema()).get()).get()
    #expect(schema?.validate(["us": -5]).isEmpty == false)
  }

  @Test(arguments: [
    ("1,2,1", []), ("-,1,2", []), ("3,-,-", []), ("7,8,1", ["2:16 7"]),
    ("-,T,-,1", []), ("-,-,-,T,3", ["6:16 3"]), ("1,T,2", ["4:16 2"]), ("-,-9", ["3:16 -9"]),
  ])
  func `the first cause that no line of a run has is reported at its place`(
    causes: String, said: [String]
  ) {
    var number = 0
    let lines = causes.split(separator: ",").map { cause -> String in
      if cause == "T" { number = 0 }
      if cause == "T" { return "{\"trace\":1}" }
      number += 1
      return cause == "-" ? "{\"n\":\(number)}" : "{\"n\":\(number),\"cause\":\(cause)}"
    }
    let text = (["{\"trace\":1}"] + lines).map { $0 + "\n" }.joined()
    let problems = ReadTrace(Array(text.utf8)).problems.compactMap { problem -> String? in
      guard case .unknownCause(let cause) = problem.kind else { return nil }
      #expect(problem.diagnostic(in: 0).severity == .warning)
      return "\(problem.place.line):\(problem.place.column) \(cause)"
    }
    #expect(problems == said)
  }

  @Test(arguments: [0, 1, 7, 30, 64])
  func `a last line without its end is a cut, in pieces of any length`(missing: Int) {
    let bytes = Array(Self.whole.utf8).dropLast(1)
    let text = Array(missing == 0 ? bytes : bytes.dropLast(missing))
    for length in [1, 13, text.count] {
      var reader = TraceReader()
      var items: [TraceReader.Item] = []
      for start in stride(from: 0, to: text.count, by: length) {
        items += reader.receive(text[start..<min(start + length, text.count)])
      }
      items += reader.finish()
      let cuts = items.count { if case .cut(let place) = $0 { place.line == 7 } else { false } }
      #expect(cuts == (missing == 0 ? 0 : 1))
      #expect(reader.hasVerdict == (missing == 0))
    }
  }

  @Test func `each line is valid against the schema`() throws {
    let schema = try JSONSchema.compile(try parseJSON(traceSchema()).get()).get()
    for line in Self.whole.split(separator: "\n") {
      let problems = schema.validate(try parseJSON(String(line)).get())
      #expect(problems.isEmpty, "\(line): \(problems)")
    }
  }
}
