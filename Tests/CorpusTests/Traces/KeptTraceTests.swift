import Glibc
import ScenarioRuns
import TestKit
import Testing
import TextSearch

/// The files that recordings leave, what they keep, and what they can be asked.
@Suite struct KeptTraceTests {
  private func rehearse(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }

  private func folder(_ files: [(String, String)]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let isWritten = folder.write(name, text)
      try #require(isWritten)
    }
    return folder
  }

  private static let secrets = """
    scenario: Secrets
    vars:
      one: { value: s3cret-t0ken, secret: true }
      two: { value: s3cret-t0ken, secret: true }
      both: { value: { a: s3cret-t0ken, b: 0ther-s3cret }, secret: true }
    endpoints: { api: { http: [{ post: /a, respond: { json: { echo: "${request.json.k}" } } }] } }
    steps:
      - request: { endpoint: api, post: /a, json: { k: "${one} ${two} ${both.a} ${both.b}" } }
      - request:
          endpoint: api
          post: /a
          json: { k: "${two}" }
          expect: { json: { echo: "${one}" } }

    """

  @Test func `secrets with one value have one name, and are replayed without it`() throws {
    let folder = try folder([("a.scenario.yaml", Self.secrets)])
    let recorded = try rehearse(["run", folder.file("a.scenario.yaml"), "--record"])
    try #require(recorded.code == 0, "\(recorded.said)")
    let path = folder.file("traces/a.secrets.trace.jsonl")
    let trace = try #require(folder.text("traces/a.secrets.trace.jsonl"))
    #expect(!trace.contains("s3cret") && trace.contains("\"secrets\":[\"both\",\"one\",\"two\"]"))
    // Another value stands for the secrets now.
    let isWritten = folder.write(
      "a.scenario.yaml", Self.secrets.replacing("s3cret-t0ken", with: "\"${env.NO_SUCH}\""))
    try #require(isWritten)
    let (code, said) = try rehearse(["replay", path])
    #expect(code == 0, "\(said)")
  }

  @Test func `a replay that is given a secret compares its value`() throws {
    let folder = try folder([("a.scenario.yaml", Self.secrets)])
    _ = try rehearse(["run", folder.file("a.scenario.yaml"), "--record"])
    let (code, said) = try rehearse(
      ["replay", folder.file("traces/a.secrets.trace.jsonl"), "--var", "one=s3cret-t0ken"])
    #expect(code == 0, "\(said)")
  }

  private static func counting(_ wanted: Int) -> String {
    "scenario: Count\ngraph: { n: 0 }\nsteps:\n  - set: { n: 1 }\n  - check: n == \(wanted)\n"
  }

  @Test(arguments: ["--record", "--record-failures"])
  func `a failed run is kept beside the good one, which later failures are compared with`(
    option: String
  ) throws {
    let folder = try folder([("a.scenario.yaml", Self.counting(1))])
    let path = folder.file("a.scenario.yaml")
    _ = try rehearse(["run", path, "--record"])
    let good = try #require(folder.text("traces/a.count.trace.jsonl"))
    let isWritten = folder.write(
      "a.scenario.yaml", Self.counting(2).replacing("n: 1", with: "n: 3"))
    try #require(isWritten)
    for _ in 0..<2 {
      let (code, said) = try rehearse(["run", path, option])
      #expect(code == 1 && said.contains("good run"), "\(said)")
    }
    #expect(folder.text("traces/a.count.trace.jsonl") == good)
    #expect(folder.text("traces/a.count.failed.trace.jsonl")?.contains("\"failed\"") == true)
    #expect(try files(in: folder.file("traces")).count == 2)
  }

  private func files(in path: String) throws -> [String] {
    let folder = try #require(opendir(path))
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  @Test(arguments: [1, 2, 3, 4])
  func `the names of traces follow the order of the files, and not that of a shuffle`(
    seed: Int
  ) throws {
    let files = (0..<4).map { ("\($0)/a.scenario.yaml", Self.counting(1)) }
    let folder = try TemporaryFolder()
    for (name, text) in files {
      mkdir(folder.file(String(name.prefix(1))), 0o755)
      let isWritten = folder.write(name, text)
      try #require(isWritten)
    }
    _ = try rehearse(
      ["run", folder.path, "--record=" + folder.file("kept"), "--shuffle=\(seed)", "--jobs", "2"])
    for number in 0..<4 {
      let name = number == 0 ? "a.count" : "a-\(number + 1).count"
      let text = folder.text("kept/\(name).trace.jsonl")
      #expect(text?.contains("\"path\":\"../\(number)/a.scenario.yaml\"") == true)
    }
    #expect(try self.files(in: folder.file("kept")).count == 4)
  }

  @Test func `several processes record the same scenarios at once, and leave their traces alone`()
    throws
  {
    let files = (0..<40).map { ("\($0).scenario.yaml", Self.counting(1)) }
    let folder = try folder(files)
    let words = ["run", folder.path, "--record=" + folder.file("kept"), "--jobs", "2"]
    let commands = try (0..<6).map { _ in try #require(SpawnedCommand(words)) }
    for command in commands { #expect(command.exitCode() == 0, "\(command.said)") }
    let traces = try self.files(in: folder.file("kept")).filter { $0.hasSuffix(".trace.jsonl") }
    #expect(traces.count == 40)
    for number in 0..<40 {
      let text = folder.text("kept/\(number).count.trace.jsonl")
      #expect(text?.contains("\"kind\":\"verdict\"") == true)
    }
  }

  @Test func `a trace that a killed run leaves finds its large values`() {
    #expect(bodiesFolder(of: "t/a.trace.jsonl.partial") == "t/a.bodies")
    #expect(bodiesFolder(of: "t/a.trace.jsonl") == "t/a.bodies")
  }

  @Test func `a failure of a recorded run names the event as the trace does`() throws {
    let scenario = """
      scenario: Prices
      endpoints:
        feed: { sse: [{ accept: { path: / }, script: [event: { data: one }] }] }
      connections: { prices: { sse: { endpoint: feed, path: / } } }
      steps:
        - connect: prices
        - expect: { prices: { data: two } }

      """
    let folder = try folder([("a.scenario.yaml", scenario)])
    let said = try rehearse(["run", folder.file("a.scenario.yaml"), "--record"]).said
    let number = try #require(said.firstMatch(of: /event \d+ \((\d+) in the trace\)/)?.1)
    let path = folder.file("traces/a.prices.trace.jsonl")
    let why = try rehearse(["trace", "why", path, String(number)]).said
    #expect(why.hasPrefix("\(number)  0ms prices emitted {\"data\":\"one\""), "\(said)\n\(why)")
    #expect(
      try rehearse(["trace", "show", path]).said.contains("\n\(number)  0ms prices emitted {"))
  }

  @Test func `a long trace is shown in one screen, and as a whole to programs`() throws {
    let text =
      "{\"trace\":1}\n"
      + (1...99).map { "{\"n\":\($0),\"us\":\($0),\"source\":\"a\",\"value\":1}\n" }.joined()
    let folder = try folder([("a.trace.jsonl", text)])
    let path = folder.file("a.trace.jsonl")
    let short = try rehearse(["trace", "show", path]).said
    #expect(short.contains("--all shows them") && short.split(separator: "\n").count == 41)
    #expect(short.hasSuffix("cut: the trace ends before the run did, with line 100, at 99us\n"))
    #expect(
      try rehearse(["trace", "show", path, "--all"]).said.contains("\n99  99us a emitted 1\n"))
    #expect(try rehearse(["trace", "show", path, "--json"]).said.contains("\"n\": 99"))
    let none = try rehearse(["trace", "show", path, "--source", "b"]).said
    #expect(none.contains("no line of 99 is like this; sources are a"))
    let kinds = try rehearse(["trace", "show", path, "--kind", "reqest"]).said
    #expect(kinds.contains("no line of 99 is like this; kinds are emitted"), "\(kinds)")
  }

  @Test func `an audit names each secret with its place, in all traces of a folder`() throws {
    let line =
      #"{"source":"api","value":{"body":{"sid":"Aq3Zk7Lm9Pw2Xr"},"to":"ghp_0123456789abcdef"}}"#
    let folder = try folder([
      ("a.trace.jsonl", "{\"trace\":1}\n\(line)\n"), ("b.trace.jsonl", "{\"trace\":1}\n"),
    ])
    let (code, said) = try rehearse(["trace", "audit", folder.path])
    #expect(code == 1)
    #expect(said.contains("a.trace.jsonl:2: ‹sid#1›  at /value/body/sid\n"), "\(said)")
    #expect(said.contains("a.trace.jsonl:2: ‹token#1›  at /value/to\n"), "\(said)")
    #expect(said.hasSuffix("2 secrets found\n"))
    let json = try rehearse(["trace", "audit", folder.path, "--json"]).said
    #expect(json.contains("\"pointer\": \"/value/body/sid\""), "\(json)")
  }

  @Test func `an audit searches what can be read, and traces of runs that were killed`() throws {
    let token = #"{"source":"api","value":{"to":"ghp_0123456789abcdef"}}"#
    let folder = try folder([
      ("b.trace.jsonl", "{\"trace\":1}\nno JSON\n\(token)\n"),
      ("c.trace.jsonl.partial", "{\"trace\":1}\n\(token)\n{\"us\""),
      ("d.trace.jsonl.partial", "\0\0\0\0"),
    ])
    let (code, said) = try rehearse(["trace", "audit", folder.path])
    #expect(code == 2)
    #expect(said.contains("b.trace.jsonl:3: ‹token#1›"), "\(said)")
    #expect(said.contains("c.trace.jsonl.partial:2: ‹token#1›"), "\(said)")
    #expect(said.contains("error[unreadable-trace-line]") && !said.contains("d.trace.jsonl"))
    #expect(said.contains("2 secrets found in what can be read\n"), "\(said)")

    try #require(symlink("nowhere", folder.file("a.trace.jsonl")) == 0)
    let unreadable = try rehearse(["trace", "audit", folder.path])
    #expect(unreadable.code == 3 && unreadable.said.contains("a.trace.jsonl` cannot be read"))
    #expect(unreadable.said.contains("2 secrets found in what can be read\n"))
  }

  @Test(arguments: [
    ["trace", "audit", "FOLDER"], ["replay", "FOLDER"], ["check", "FOLDER"],
    ["judge", "FOLDER/a.scenario.yaml", "FOLDER"],
  ])
  func `a folder without traces is named, and so is a trace of a run that was killed`(
    words: [String]
  ) throws {
    let folder = try folder([("a.scenario.yaml", "scenario: A\nsteps: [wait: 1s]\n")])
    let named = words.map { $0.replacing("FOLDER", with: folder.path) }
    let (code, said) = try rehearse(named)
    #expect(code == 4 && said.contains("error[nothing-selected]"), "\(said)")
    #expect(said.contains("name files or folders of `*.trace.jsonl`"), "\(said)")
    guard words[1] != "audit" else { return }
    #expect(folder.write("b.trace.jsonl.partial", "{\"trace\":1}\n"))
    let killed = try rehearse(named)
    #expect(killed.code == 4 && killed.said.contains("b.trace.jsonl.partial` was not completed"))
  }

  @Test func `components of the program are those of the recording`() throws {
    let scenario = """
      scenario: An answer comes
      use: [{ std/openai: { as: llm, with: { replies: [{ text: Hello }] } } }]
      steps:
        - request:
            endpoint: llm
            post: /v1/chat/completions
            json: { model: m, messages: [{ role: user, content: Hi }] }
            expect: { status: 200 }

      """
    let folder = try folder([("llm.scenario.yaml", scenario)])
    let run = try rehearse(["run", folder.file("llm.scenario.yaml"), "--record", "-q"])
    try #require(run.code == 0, "\(run.said)")
    let replay = try rehearse(["replay", folder.file("traces")])
    #expect(replay.code == 0 && !replay.said.contains("[scenario-changed]"), "\(replay.said)")
  }
}
