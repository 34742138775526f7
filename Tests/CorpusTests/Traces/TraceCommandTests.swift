import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns
import Secrets
import TestKit
import Testing
import TraceRecording
import Traces
import Values

/// `rehearse trace` as a shell runs it, and the names of traces.
@Suite struct TraceCommandTests {
  private static let trace = """
    {"trace":1,"time":"virtual"}
    {"n":1,"us":0,"source":"cart.total","value":1}
    {"n":2,"us":5,"source":"cart.total","cause":1,"value":2}

    """

  @Test(arguments: [
    (["why", "a", "2"], Int32(0), "nothing caused it\n"),
    (["why", "a", "3"], 2, "error[no-such-event]: the trace has no event 3"),
    (["state", "a", "2"], 0, "cart.total  2  (event 2, at 5us)\n"),
    (["requests", "a"], 0, "no requests\n"),
    (["stats", "a"], 0, "2 events in 5us"),
    (["stats", "a", "--json"], 0, "\"events\": 2"),
    (["stats", "a", "--run", "2"], 2, "error[no-such-run]"),
    (["stats", "two"], 2, "the file holds 2 runs"),
    (["stats", "two", "--run", "1"], 0, "2 events in 5us"),
    (["diff", "a", "a"], 0, "equal: 2 events compared\n"),
    (["diff", "a", "b"], 1, "cart.total: another event\n"),
    (["diff", "a", "none"], 3, "error[unreadable-file]"),
    (["export", "a", "--to", "marbles"], 0, "cart.total  a---"),
    (["export", "a", "--to", "har"], 0, "\"entries\": []"),
    (["export", "a", "--to", "otlp"], 0, "{\"resourceSpans\":[{"),
    (["export", "a", "--to", "chrome"], 0, "\"traceEvents\":[{\"name\":\"process_name\""),
  ])
  func `a question to a trace has an answer and an exit code`(
    words: [String], code: Int32, said: String
  ) throws {
    let folder = try TemporaryFolder()
    let other = Self.trace.replacing("\"value\":2", with: "\"value\":3")
    let second = Self.trace.replacing("{\"trace\":1,", with: "{\"trace\":1,\"run\":2,")
    let first = Self.trace.replacing("{\"trace\":1,", with: "{\"trace\":1,\"run\":1,")
    for (name, text) in [("a", Self.trace), ("b", other), ("two", first + second)] {
      let isWritten = folder.write(name, text)
      try #require(isWritten)
    }
    let arguments = words.map { ["a", "b", "two", "none"].contains($0) ? folder.file($0) : $0 }
    let command = try #require(SpawnedCommand(["trace"] + arguments))
    #expect(command.exitCode() == code)
    #expect(command.said.contains(said), "\(command.said)")
  }

  @Test func `a judgement names the sources that no scenario of the file declares`() throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A cart
      sources: { cart: {} }
      steps: [{ expect: [{ cart: 1 }] }]
      ---
      scenario: A till
      sources: { till: {} }
      steps: [{ expect: [{ till: 1 }] }]
      """
    let sources = ["cart", "carts", "basket", "till", "carts", "user", "basket"]
    let lines = ["{\"trace\":1}"] + sources.map { "{\"source\":\"\($0)\",\"value\":1}" }
    let isWritten =
      folder.write("a.yaml", scenario)
      && folder.write("a.trace.jsonl", lines.map { $0 + "\n" }.joined())
    try #require(isWritten)
    let command = try #require(
      SpawnedCommand(["judge", folder.file("a.yaml"), folder.file("a.trace.jsonl")]))
    #expect(command.exitCode() == 0)
    let said = [
      "2 events of `carts` are judged by nothing", "a.trace.jsonl:3:1", "declares `cart`",
      "3 events of sources that are not declared are judged by nothing: `basket` (2), `user` (1)",
      "a.trace.jsonl:4:1",
    ]
    for text in said { #expect(command.said.contains(text), "\(command.said)") }
    #expect(!command.said.contains("`till` ("))
  }

  @Test func `thousands of names near to declared ones give ten warnings and a number`() throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A cart
      sources: { carts.of.people: {} }
      steps: [{ wait: 1ms }]
      """
    let lines = (1...3_000).map { number in
      "{\"us\":\(number),\"source\":\"carts.of.people\(number % 100)\",\"value\":1}"
    }
    let text = (["{\"trace\":1}"] + lines).map { $0 + "\n" }.joined()
    let isWritten =
      folder.write("a.yaml", scenario) && folder.write("a.trace.jsonl", text)
    try #require(isWritten)
    let command = try #require(
      SpawnedCommand(["judge", folder.file("a.yaml"), folder.file("a.trace.jsonl")]))
    #expect(command.exitCode() == 0)
    #expect(command.said.split(separator: "warning[undeclared-source]").count == 12)
    #expect(
      command.said.contains("2700 events of 90 more sources are judged by nothing"),
      "\(command.said)")
  }

  @Test(arguments: [
    ("trace stats -", "a", Int32(0), "2 events in 5us"),
    ("trace why - 2", "a", 0, "nothing caused"),
    ("trace diff FOLDER/a -", "a", 0, "equal: 2 events"), ("trace audit -", "a", 0, "no secrets"),
    ("trace export /dev/stdin --to marbles", "a", 0, "cart.total  a---"),
    ("judge FOLDER/s -", "a", 0, "1 passed"), ("judge - FOLDER/a", "s", 0, "1 passed"),
    ("check -", "a", 0, "1 passed"), ("replay - --scenario FOLDER/s", "a", 1, "DIVERGED -:1"),
    ("replay - --update", "a", 2, "error[trace-without-file]: the trace came from standard input"),
    ("import -", "h", 0, "get: /cart"), ("import - -", "h", 2, "error[input-named-twice]"),
    ("trace diff - -", "a", 2, "error[input-named-twice]"),
    ("judge - -", "s", 2, "error[input-named-twice]"),
    ("trace export - --to har", "t", 0, "the archive begins at 1970-01-01"),
    ("run FOLDER/w --against trace:-", "t", 0, "1 passed"),
    ("run FOLDER/w --against shop=trace:/dev/stdin,real", "t", 0, "1 passed"),
    ("run FOLDER/w --against trace:-", "s", 2, "error[unreadable-trace"),
    ("run - --against trace:-", "w", 2, "error[input-named-twice]"),
    ("run FOLDER/w --against shop=trace:- --watch", "t", 2, "error[input-named-twice]"),
  ])
  func `a recording may come from standard input, once`(
    line: String, input: String, code: Int32, said: String
  ) throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A cart
      sources: { cart.total: {} }
      steps: [{ expect: { cart.total: [1, 2] } }]
      """
    let archive = """
      {"log":{"entries":[{"startedDateTime":"2026-01-05T10:00:00Z","time":5,
      "request":{"method":"GET","url":"http://shop.example/cart"},
      "response":{"status":200,"content":{"mimeType":"application/json","text":"[1]"}}}]}}
      """
    let world = """
      scenario: A shop
      endpoints: { shop: { http: [{ get: /cart, respond: { status: 500 } }] } }
      steps: [{ request: { endpoint: shop, get: /cart, expect: { json: [1] } } }]
      """
    let recorded = """
      {"trace":1}
      {"us":0,"kind":"request","source":"shop","value":{"method":"GET","path":"/cart"},\
      "connection":1,"from":"client"}
      {"us":5,"kind":"response","source":"shop","cause":1,"value":{"status":200,\
      "headers":{"content-type":"application/json"},"body":[1]},"connection":1,"from":"server"}

      """
    let files = [
      ("a", Self.trace), ("s", scenario), ("h", archive), ("w", world), ("t", recorded),
    ]
    for (name, text) in files {
      let isWritten = folder.write(name, text)
      try #require(isWritten)
    }
    let words = line.replacing("FOLDER", with: folder.path)
    let shell = "\(SpawnedCommand.built("rehearse")) \(words) < \(folder.file(input))"
    let command = try #require(SpawnedCommand(["-c", shell], program: "/bin/sh"))
    #expect(command.exitCode() == code, "\(command.said)")
    #expect(command.said.contains(said), "\(command.said)")
  }

  @Test(arguments: [
    ("judge FOLDER/s.scenario.yaml:9 FOLDER/a", Int32(4), "no scenario"),
    ("judge FOLDER/s.scenario.yaml::Other FOLDER/a", 4, "Other"),
    ("judge FOLDER/s.scenario.yaml FOLDER/a --tag quick", 4, "with `--tag quick`"),
    ("judge FOLDER/empty FOLDER/a", 4, "error[nothing-selected]"),
    ("judge FOLDER FOLDER/a", 2, "`judge` takes one scenario file, and 2 are in `FOLDER`"),
    (
      "judge FOLDER/s.scenario.yaml FOLDER/a --var limit=4", 1,
      "rehearse judge FOLDER/s.scenario.yaml:1 FOLDER/a --var limit=4"
    ),
    ("replay FOLDER/r --until 9", 2, "its events are 1 to 2"),
    ("trace show FOLDER/a --run 2", 2, "it holds one run: leave out `--run`"),
  ])
  func `what is named and not there is said as it was named`(
    line: String, code: Int32, said: String
  ) throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A cart
      vars: { limit: 3 }
      sources: { cart.total: {} }
      steps: [{ expect: { cart.total: [1, "${limit}"] } }]
      """
    let trace = Self.trace.replacing(
      "{\"trace\":1", with: "{\"trace\":1,\"scenario\":{\"path\":\"s.scenario.yaml\"}")
    for (name, text) in [
      ("s.scenario.yaml", scenario), ("t.scenario.yaml", scenario), ("a", Self.trace),
      ("r", trace),
    ] {
      try #require(folder.write(name, text))
    }
    try #require(mkdir(folder.file("empty"), 0o755) == 0)
    let words = line.split(separator: " ").map { $0.replacing("FOLDER", with: folder.path) }
    let command = try #require(SpawnedCommand(words))
    #expect(command.exitCode() == code, "\(command.said)")
    #expect(
      command.said.contains(said.replacing("FOLDER", with: folder.path)), "\(command.said)")
  }

  @Test func `a cause that a trace does not have is named by the judge as by why`() throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A cart
      sources: { cart.total: {} }
      steps: [{ expect: { cart.total: [1, 2] } }]
      """
    let isWritten =
      folder.write("a", Self.trace.replacing("\"cause\":1", with: "\"cause\":9"))
      && folder.write("s", scenario)
    try #require(isWritten)
    let trace = folder.file("a")
    for words in [["trace", "why", trace, "2"], ["judge", folder.file("s"), trace]] {
      let command = try #require(SpawnedCommand(words))
      #expect(command.exitCode() == 0)
      #expect(command.said.contains("event 9, which is not in this trace"), "\(command.said)")
      #expect(command.said.contains("/a:3:"), "\(command.said)")
    }
  }

  @Test func `a trace is judged by the scenario that it names, and mistakes are reported once`()
    throws
  {
    let folder = try TemporaryFolder()
    let scenarios = ["A cart", "A till"].map { title in
      "scenario: \(title)\nsources: { cart.total: {} }\n"
        + "steps: [{ expect: { cart.total: [1, 2] } }]\n"
    }.joined(separator: "---\n")
    let named = Self.trace.replacing(
      "{\"trace\":1", with: "{\"trace\":1,\"scenario\":{\"title\":\"A till\"}")
    let isWritten =
      folder.write("s", scenarios) && folder.write("b", scenarios + "stpes: []\n")
      && folder.write("a.trace.jsonl", named) && folder.write("c.trace.jsonl", Self.trace)
    try #require(isWritten)
    func judge(_ scenario: String, _ trace: String) throws -> (Int32?, String) {
      let command = try #require(
        SpawnedCommand(["judge", folder.file(scenario), folder.file(trace)]))
      return (command.exitCode(), command.said)
    }
    #expect(try judge("s", "a.trace.jsonl").1.contains("1 passed"))
    #expect(try judge("s:1", "a.trace.jsonl").1.contains("1 passed"))
    #expect(try judge("s", "c.trace.jsonl").1.contains("2 passed"))
    let (code, said) = try judge("b", "")
    #expect(code == 2)
    #expect(said.ranges(of: "error[unknown-key]").count == 1)
  }

  @Test func `of a log with several runs, a scenario is held against its own runs`() throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A cart
      sources: { total: {} }
      steps: [{ expect: [{ total: 1 }] }]
      """
    let runs = [("A cart", 1), ("A till", 2), ("A cart", 1)].map { title, value in
      """
      {"trace":1,"scenario":{"title":"\(title)"}}
      {"source":"total","value":\(value)}

      """
    }
    let isWritten =
      folder.write("cart.scenario.yaml", scenario)
      && folder.write("log.trace.jsonl", runs.joined())
    try #require(isWritten)
    let command = try #require(
      SpawnedCommand(
        ["judge", folder.file("cart.scenario.yaml"), folder.file("log.trace.jsonl"), "-v"]))
    #expect(command.exitCode() == 0)
    #expect(command.said.contains("2 passed"), "\(command.said)")
  }

  @Test func `scenarios with one title and files with one name have traces of their own`() throws {
    let folder = try TemporaryFolder()
    let text = ["A title", "a title!", "a title 2"].map {
      "scenario: \($0)\ngraph: { me: 1 }\nsteps: [{ expect: { me: 1 } }]\n"
    }.joined(separator: "---\n")
    for name in ["one", "two"] {
      let isWritten =
        mkdir(folder.file(name), 0o755) == 0
        && folder.write("\(name)/shop.scenario.yaml", text)
      try #require(isWritten)
    }
    let paths = ["one", "two"].map { folder.file("\($0)/shop.scenario.yaml") }
    var suite = Suite(files: paths.map { SuiteFile(path: $0) }, jobs: 4)
    suite.records.traces = .all
    suite.records.folder = folder.file("traces")
    runSuite(suite) { _ in }
    let names = ["shop", "shop-2"].flatMap { file in
      ["a-title", "a-title-2", "a-title-3"].map { "traces/\(file).\($0).trace.jsonl" }
    }
    let headers = names.map { folder.text($0)?.split(separator: "\n").first ?? "" }
    #expect(Set(headers).count == 6 && !headers.contains(""))
    #expect(headers[1].contains("\"title\":\"a title!\"") == false)
    #expect(headers[2].contains("\"title\":\"a title!\""))
    #expect(headers[3].contains("two/shop.scenario.yaml"))
  }

  @Test func `a finished trace is searched for secrets`() throws {
    let folder = try TemporaryFolder()
    let file = TraceFile(folder.file("shop.trace.jsonl"))
    file.write(TraceHeader())
    file.write(TraceLine(.emitted, source: "me", "s3cret-t0ken"))
    let loaded = loadScenarios(
      SourceFile(path: "shop.yaml", text: "scenario: S\nsteps: [{ wait: 1ms }]\n"))
    let plan = try #require(loaded.plans.first)
    #expect(secretProblem(in: file, plan, NamedSecrets(["s3cret-t0ken"]))?.id == "secret-in-trace")
    #expect(secretProblem(in: file, plan, NamedSecrets(["another-secret"])) == nil)
  }
}
